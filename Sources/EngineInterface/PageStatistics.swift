// How full the pages of a session's tables are, or why that is unknown.
package import MetricModel

/// Of every table of the session, in its order, or why there are none.
package enum PageStatistics: Sendable, Hashable {
  case tables([TableStatistics])
  case absent(reason: String)
}
