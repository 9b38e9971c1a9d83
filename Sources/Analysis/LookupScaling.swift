// What more threads of a client of lookups gain: the throughput of k threads over that of the fewest, where arms differ in
// nothing else.
package import RecordModel
package import ScenarioModel
package import Statistics

package struct LookupScaling: Sendable, Equatable {
  package let engine: String
  package let policy: String
  package let client: String
  /// The arm and its number of threads.
  package let arm: String
  package let threads: Int
  /// The arm with the fewest threads.
  package let baseArm: String
  package let baseThreads: Int
  /// Transactions per second over those of the base arm, of runs paired by their number.
  package let throughput: PairedRatio
}

/// Arms that differ only in the number of threads of one client.
package struct ThreadSeries: Sendable, Equatable {
  package struct Arm: Sendable, Equatable {
    package let name: String
    package let threads: Int

    package init(_ name: String, threads: Int) { (self.name, self.threads) = (name, threads) }
  }

  package let client: String
  /// By ascending number of threads, of which each is there once.
  package let arms: [Arm]

  package init(client: String, arms: [Arm]) { (self.client, self.arms) = (client, arms) }

  /// Returns the series of each client of lookups in a closed loop. The throughput of an open loop is its rate, whatever
  /// the number of threads.
  package static func all(_ arms: [ArmSpec]) -> [ThreadSeries] {
    let clients = arms.flatMap(\.clients).map(\.name).reduce(into: [String]()) {
      if !$0.contains($1) { $0.append($1) }
    }
    return clients.flatMap { client -> [ThreadSeries] in
      var groups: [(rest: ArmSpec, arms: [Arm])] = []
      for arm in arms {
        guard let (rest, threads) = arm.withoutThreads(of: client) else { continue }
        let index = groups.firstIndex { $0.rest == rest } ?? groups.count
        if index == groups.count { groups.append((rest, [])) }
        if groups[index].arms.contains(where: { $0.threads == threads }) { continue }
        groups[index].arms.append(Arm(arm.name, threads: threads))
      }
      return groups.filter { $0.arms.count > 1 }.map {
        ThreadSeries(client: client, arms: $0.arms.sorted { $0.threads < $1.threads })
      }
    }
  }
}

extension ArmSpec {
  /// Returns the arm without its name, with one thread for the client, and the client's number of threads; nil if it does not
  /// have the client in a closed loop that is the same in all phases.
  fileprivate func withoutThreads(of client: String) -> (rest: ArmSpec, threads: Int)? {
    guard let index = clients.firstIndex(where: { $0.name == client }),
      case .lookups(var lookups) = clients[index].kind, !lookups.load.isOpen,
      !inPhases.values.joined().contains(where: { $0.name == client })
    else { return nil }
    let threads = lookups.threads
    lookups.threads = 1
    var rest = self
    rest.clients[index].kind = .lookups(lookups)
    (rest.name, rest.summary, rest.policies) = ("", "", nil)
    return (rest, threads)
  }
}

extension RunRecord {
  /// The gains of threads by engine and policy, in the order of the record; none without runs on real threads.
  package var lookupScaling: [LookupScaling] {
    let series = ThreadSeries.all(scenario.arms)
    return cells.flatMap { base in
      series.filter { $0.arms.first?.name == base.key.arm }.flatMap { scaling(of: $0, base) }
    }
  }

  private func scaling(of series: ThreadSeries, _ base: CellRecord) -> [LookupScaling] {
    guard let fewest = series.arms.first else { return [] }
    return series.arms.dropFirst().compactMap { arm in
      var key = base.key
      key.arm = arm.name
      guard let cell = cells.first(where: { $0.key == key }),
        let ratio = throughputRatio(of: series.client, cell, base)
      else { return nil }
      return LookupScaling(
        engine: key.engine, policy: key.policy, client: series.client, arm: arm.name,
        threads: arm.threads, baseArm: fewest.name, baseThreads: fewest.threads,
        throughput: ratio)
    }
  }

  /// Returns the ratio of runs with the same index, which ran in the same block and so are pairs.
  private func throughputRatio(
    of client: String, _ cell: CellRecord, _ base: CellRecord
  ) -> PairedRatio? {
    let (mine, theirs) = (runsOnThreads(cell), runsOnThreads(base))
    let pairs = mine.compactMap { run -> (Double, Double)? in
      guard let other = theirs.first(where: { $0.index == run.index }),
        let mine = run.lookupsPerSecond(of: client), let theirs = other.lookupsPerSecond(of: client)
      else { return nil }
      return (mine, theirs)
    }
    return PairedRatio(pairs.map(\.0), pairs.map(\.1))
  }

  private func runsOnThreads(_ cell: CellRecord) -> [RepetitionRecord] {
    let (schedule, runs) = cell.runsOfParticulars(provenance.schedule)
    return schedule == .threads ? runs : []
  }
}

extension RepetitionRecord {
  fileprivate func lookupsPerSecond(of client: String) -> Double? {
    lookups?.first { $0.client == client }?.together.perSecond
  }
}
