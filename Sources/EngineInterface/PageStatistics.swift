// How full the pages of a session's tables are, or why that is unknown.
package import MetricModel

/// The statistics of each table of a session, in the order in which it was opened with them, or the reason why the engine
/// has none.
package enum PageStatistics: Sendable, Hashable {
  case tables([TableStatistics])
  case absent(reason: String)
}
