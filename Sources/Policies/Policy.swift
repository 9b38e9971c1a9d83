// A policy: when to compact. A pure function of an observation, so that a run decides alike wherever it is repeated, on any
// engine.
package import MetricModel
package import PredicateLanguage

/// A rule for when a database is compacted.
package struct Policy: Hashable, Sendable, Codable {
  /// The rule for compaction when an app is launched and opens the database.
  package enum LaunchRule: Hashable, Sendable, Codable {
    case never
    case always
    case when(Predicate)
    /// A program decides, which only a run starts, where that was allowed.
    case program(ProgramRule)
  }

  /// The name in reports: the user's label, or else `rule`.
  package var name: String
  /// The engine's own compaction while it runs.
  package var automatic: Bool
  /// The mode of automatic compaction, where the engine has several; nil for its usual one, and where `automatic` is false.
  package var preset: AutomaticPreset?
  /// The thresholds of automatic compaction; nil for those of its mode.
  package var thresholds: AutomaticThresholds?
  package var onLaunch: LaunchRule

  package init(
    name: String, automatic: Bool, preset: AutomaticPreset? = nil, onLaunch: LaunchRule
  ) {
    self.name = name
    self.automatic = automatic
    self.preset = preset
    self.onLaunch = onLaunch
  }

  /// What the policy does, on one line, in the form that `init(parsing:)` reads:
  /// `never`, `automatic`, `automatic(eager)`, `every-launch`, `on-launch: …`, `automatic + on-launch: …`.
  package var rule: String {
    let launch: String? =
      switch onLaunch {
      case .never: nil
      case .always: "every-launch"
      case .when(let predicate): "on-launch: \(predicate.oneLine)"
      case .program(let program): "exec: \(program.text)"
      }
    let settings = [preset?.rawValue, thresholds?.text].compactMap { $0 }
    let own = settings.isEmpty ? "automatic" : "automatic(\(settings.joined(separator: ", ")))"
    switch (automatic, launch) {
    case (false, nil): return "never"
    case (true, nil): return own
    case (false, let launch?): return launch
    case (true, let launch?): return "\(own) + \(launch)"
    }
  }

  /// The program that decides at launches; nil for none.
  package var program: ProgramRule? {
    if case .program(let program) = onLaunch { program } else { nil }
  }

  /// Returns whether to compact at this launch, and why. Not called where `onLaunch` is `.never` or a program decides.
  package func decideAtLaunch(_ observation: Observation) -> LaunchDecision {
    switch onLaunch {
    case .never:
      return LaunchDecision(compact: false, reason: "the policy has no rule for launches")
    case .always:
      return LaunchDecision(
        compact: true, reason: "every launch, totalBytes \(observation.space.file)")
    case .program(let program):
      return LaunchDecision(compact: false, reason: "\(program.text) was not started")
    case .when(let predicate):
      let reason = predicate.explain(observation) + predicate.divisionRemark(observation)
      switch predicate.evaluate(observation) {
      case .yes: return LaunchDecision(compact: true, reason: reason)
      case .no: return LaunchDecision(compact: false, reason: reason)
      case .unknown(let variable):
        return LaunchDecision(
          compact: false, reason: "not decidable here: the engine cannot tell \(variable)")
      case .refused(let refusal):
        return LaunchDecision(
          compact: false, reason: "not decided, since the app would end here: \(refusal)")
      }
    }
  }
}

extension Policy {
  /// No compaction at all.
  package static let never = Policy(name: "never", automatic: false, onLaunch: .never)
  /// The engine's own compaction while it runs.
  package static let automatic = Policy(name: "automatic", automatic: true, onLaunch: .never)
  /// A compaction at every launch.
  package static let everyLaunch = Policy(
    name: "every-launch", automatic: false, onLaunch: .always)

  /// A compaction at each launch at which the predicate holds, beside the automatic one or not.
  package static func onLaunch(
    _ predicate: Predicate, automatic: Bool = false, name: String? = nil
  ) -> Policy {
    var policy = Policy(name: "", automatic: automatic, onLaunch: .when(predicate))
    policy.name = name ?? policy.rule
    return policy
  }
}

/// The decision of a policy at a launch.
package struct LaunchDecision: Hashable, Sendable, Codable {
  package var compact: Bool
  /// The reason, with the values that decided: `totalBytes 31.5 MB > 20 MiB, usedBytes / totalBytes 12 % < 50 %`.
  package var reason: String

  package init(compact: Bool, reason: String) {
    self.compact = compact
    self.reason = reason
  }
}
