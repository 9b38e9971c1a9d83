// Which commits of a run each phase has: those of its deletion and refill, a transaction for each batch of rows, and then
// those of its clients. The explanation of a scenario and its run count by the same functions.

extension PhaseSpec {
  /// Bulk transactions a second on the virtual clock.
  package static let bulkRate = 100.0

  /// Returns how many of a table's rows the phase deletes.
  package func deletions(of rows: Int) -> Int {
    rows * Int((deleteShare * 1_000_000).rounded()) / 1_000_000
  }

  /// The transactions that delete or insert so many rows of one table.
  package func bulkTransactions(for rows: Int) -> Int { (rows + deleteBatch - 1) / deleteBatch }
}

/// The commits of each phase of each launch of an arm, in order. Bounds where the number of a table's rows depends on
/// which of several writers is next; refused transactions are not subtracted.
package struct CommitPlan: Sendable {
  package struct Phase: Sendable {
    package var launch: Int
    package var phase: PhaseSpec
    /// Commits of the run before the phase.
    package var before: ClosedRange<Int>
    /// Commits of its deletion and refill.
    package var bulk: ClosedRange<Int>
    /// Commits of its clients, after those.
    package var clients: ClosedRange<Int>
    /// Whether limits hold under which an engine may refuse transactions, so that there are fewer commits.
    package var isLimited: Bool

    package var clientsBegin: ClosedRange<Int> { before.adding(bulk) }
    package var end: ClosedRange<Int> { clientsBegin.adding(clients) }
  }

  package let phases: [Phase]

  package init(_ scenario: Scenario, _ arm: ArmSpec) {
    var tables = scenario.tables.map { TableForecast($0) }
    var phases: [Phase] = []
    var commits = 0...0
    for launch in 1...scenario.launches {
      for phase in scenario.phases(inLaunch: launch) {
        // A migration is a transaction of its own.
        var bulk = phase.migration == nil ? 0...0 : 1...1
        for index in tables.indices {
          bulk = bulk.adding(tables[index].change(inBulk: phase))
        }
        let clients = arm.clients(in: phase)
        let writers = clients.flatMap(\.writers)
        let own = writers.isEmpty ? 0 : arm.commits(in: phase)
        for index in tables.indices { tables[index].change(by: writers, commits: own) }
        let next = Phase(
          launch: launch, phase: phase, before: commits, bulk: bulk,
          clients: own...(own + Self.commitsOfProcesses(clients, beside: own)),
          isLimited: arm.limits(inLaunch: launch) != nil || arm.geometry?.upper != nil)
        phases.append(next)
        commits = next.end
      }
    }
    self.phases = phases
  }

  /// Commits of the whole run.
  package var commits: ClosedRange<Int> { phases.last?.end ?? 0...0 }

  /// Returns the maximum number of commits that other processes add: one that is due may be late.
  private static func commitsOfProcesses(_ clients: [ClientSpec], beside commits: Int) -> Int {
    clients.reduce(0) { sum, client in
      guard case .process(let spec) = client.kind, spec.work == .writes else { return sum }
      return sum + commits / max(1, spec.everyCommits - 1) + 1
    }
  }
}

extension Scenario {
  /// Commits of a run of the arm that has the most, those of deletions and refills included.
  package var plannedCommits: Int {
    arms.map { CommitPlan(self, $0).commits.upperBound }.max() ?? 0
  }
}

extension ClientSpec {
  /// The writers whose commits a phase counts, one for each thread.
  fileprivate var writers: [WriterSpec] {
    switch kind {
    case .writer(let spec): [spec]
    case .queuedWriters(let spec): Array(repeating: spec.writer, count: spec.threads)
    default: []
    }
  }
}

extension ClosedRange<Int> {
  func adding(_ other: Self) -> Self {
    (lowerBound + other.lowerBound)...(upperBound + other.upperBound)
  }
}
