// A policy: when to compact. A pure function of what is observed, so that the runner and a simulator decide alike.
package import MetricModel
package import PredicateLanguage

/// When a database is compacted.
package struct Policy: Hashable, Sendable, Codable {
  /// What happens when an app is launched and opens the database.
  package enum LaunchRule: Hashable, Sendable, Codable {
    case never
    case always
    case when(Predicate)
  }

  /// As in reports: `never`, `automatic`, `on-launch: …`.
  package var name: String
  /// The engine's own compaction while it runs.
  package var automatic: Bool
  package var onLaunch: LaunchRule

  package init(name: String, automatic: Bool, onLaunch: LaunchRule) {
    self.name = name
    self.automatic = automatic
    self.onLaunch = onLaunch
  }

  /// Whether to compact at this launch, and why. Never asked where `onLaunch` is `.never`.
  package func decideAtLaunch(_ observation: Observation) -> LaunchDecision {
    LaunchDecision(compact: onLaunch == .always, reason: "\(observation.space.file)")
  }
}

/// What a policy answers at a launch.
package struct LaunchDecision: Hashable, Sendable, Codable {
  package var compact: Bool
  /// With the values that decided: `totalBytes 31.5 MB > 20 MiB, usedBytes / totalBytes 12 % < 50 %`.
  package var reason: String

  package init(compact: Bool, reason: String) {
    self.compact = compact
    self.reason = reason
  }
}
