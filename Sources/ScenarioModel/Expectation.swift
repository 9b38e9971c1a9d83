// What a scenario expects of its curves; Analysis checks it against the samples.
package import PredicateLanguage

/// A sentence about a curve that may turn out false.
package struct Expectation: Hashable, Sendable, Codable {
  package enum Scope: Hashable, Sendable, Codable {
    /// The samples within the phase, in every launch that has it.
    case during(phase: String)
    /// The samples from the end of the phase to the end of the launch.
    case after(phase: String)
    /// The last sample of the run.
    case atEnd
  }

  package enum Condition: Hashable, Sendable, Codable {
    /// The variable levels off: over the last third of the scope it rises by less than one growth step of the file
    /// (1 MiB) or 2 %, whichever is more.
    case plateau(variable: String)
    /// The variable rises with every commit: its robust slope per commit over the last third of the scope is above
    /// zero, and the rise over that third is at least 2 %.
    case grows(variable: String)
    /// The robust slope per commit over the last third of the scope is on the right side of the bound.
    case slope(variable: String, Comparison, perCommit: Double)
    /// The variable's greatest value in the scope is on the right side of the limit.
    case highWater(variable: String, Comparison, Limit)
    /// The variable's value at the end of the scope, less that at its beginning, compared with the limit.
    case rise(variable: String, Comparison, Limit)
    /// After each release of the last snapshot in the scope, the variable is back at what it was before the snapshots
    /// were taken, or below, at the latest so many commits later.
    case reclaimed(variable: String, withinCommits: Int)
    /// After its smallest value in the scope the variable rises to at most so many times that.
    case rebound(variable: String, atMost: Double)
    /// An exact figure of the whole run, by its column in summary.csv, is on the right side of the limit. The variable of a
    /// limit is another such figure.
    case figure(column: String, Comparison, Limit)
    /// Holds at every sample of the scope.
    case always(Predicate)
    /// Holds at no sample of the scope.
    case never(Predicate)
    /// Holds, after each such event in the scope, at one sample of the launch at the latest so many commits later.
    case following(Event, Predicate, withinCommits: Int)
    /// Holds at one sample of the scope at the latest so many commits after its begin; nil for at any.
    case eventually(Predicate, withinCommits: Int?)
  }

  package enum Comparison: String, Hashable, Sendable, Codable, CaseIterable {
    case atMost = "<="
    case below = "<"
    case atLeast = ">="
    case above = ">"
  }

  package enum Limit: Hashable, Sendable, Codable {
    case value(Double)
    /// So many times the greatest value of another variable in the scope.
    case times(Double, variable: String)
    /// So many times the same figure of the cell that it is compared with.
    case timesOther(Double)
  }

  /// The other cell in a comparison: it differs from the cell in this property only.
  package enum Other: Hashable, Sendable, Codable {
    case arm(String)
    case policy(String)
    case engine(String)

    package var name: String {
      switch self {
      case .arm(let name), .policy(let name), .engine(let name): name
      }
    }
  }

  package enum Event: String, Hashable, Sendable, Codable, CaseIterable {
    /// Clients released the last snapshot.
    case release
    /// A compaction ended.
    case compaction
    /// The database was opened: the first sample of a launch.
    case opening
  }

  /// The expectation as written: `plateau`, `totalBytes <= 3 * liveBytes within 2_000 commits`.
  package var text: String
  package var scope: Scope
  package var condition: Condition
  /// Restrict to these; nil for all.
  package var engine: String?
  package var policy: String?
  package var arm: String?
  /// The size of the scenario in which the expectation is checked; nil for every size.
  package var size: ScenarioSize?
  /// Depends on an order of turns, which only the stepped schedule has: a client that reads late on real threads pins for
  /// longer.
  package var isOfTurns = false
  /// The other cell that a limit of `timesOther` refers to; nil for all other limits.
  package var against: Other?
  /// Line in the scenario file, for messages.
  package var line: Int

  package init(
    text: String, scope: Scope, condition: Condition, engine: String? = nil, policy: String? = nil,
    arm: String? = nil, against: Other? = nil, line: Int = 0
  ) {
    self.against = against
    self.text = text
    self.scope = scope
    self.condition = condition
    self.engine = engine
    self.policy = policy
    self.arm = arm
    self.line = line
  }
}
