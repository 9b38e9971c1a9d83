// The sizes in which a scenario can be run. The scenario file has the size `ci`, which shows the problem in seconds. `full`
// multiplies rows, commits and the limits of space by ten, for a night. `middle` multiplies them by three, for engines whose
// commits take longer the more free extents a file has. Ages and intervals stay, so there are more pins, each as old as
// before. An oscillation is spread over as many times the commits, so that each commit changes as many rows as before.

/// How many times the scenario file's rows and commits are run.
package enum ScenarioSize: String, Hashable, Sendable, Codable, CaseIterable {
  case ci
  case middle
  case full

  var factor: Int {
    switch self {
    case .ci: 1
    case .middle: 3
    case .full: 10
    }
  }
}

extension Scenario {
  /// Returns the scenario in another size: `ci` is that of its file.
  package func sized(_ size: ScenarioSize) -> Scenario {
    var scenario = enlarged(size.factor) { $0.oscillating(size.factor) }
    scenario.expectations.removeAll { $0.size != nil && $0.size != size }
    for index in phases.indices {
      scenario.phases[index].commits *= size.factor
      scenario.phases[index].lookupTransactions = phases[index].lookupTransactions.map {
        $0 * size.factor
      }
    }
    for index in arms.indices {
      scenario.arms[index].commits = arms[index].commits?.mapValues { $0 * size.factor }
    }
    return scenario
  }

  /// Returns the scenario with `times` the rows, limits, and changes in each transaction, but the same number of commits.
  /// So engines whose commits take longer the more free extents there are can run it with more data.
  package func holding(times: Int) -> Scenario {
    var scenario = enlarged(times) { $0.changing(times) }
    for index in phases.indices { scenario.phases[index].deleteBatch *= times }
    return scenario
  }

  /// Returns the scenario with `times` the rows and the limits of disk and address space, and each client as `client`
  /// returns it.
  private func enlarged(_ times: Int, _ client: (ClientSpec) -> ClientSpec) -> Scenario {
    var scenario = self
    for index in tables.indices { scenario.tables[index].rows *= times }
    scenario.objective?.limits.multiply(by: times)
    for index in arms.indices {
      scenario.arms[index].limits?.disk = arms[index].limits?.disk.map { $0 * times }
      scenario.arms[index].limits?.addressSpace = arms[index].limits?.addressSpace.map {
        $0 * times
      }
      scenario.arms[index].clients = arms[index].clients.map(client)
      scenario.arms[index].inPhases = arms[index].inPhases.mapValues { $0.map(client) }
    }
    return scenario
  }
}

extension Scenario {
  /// Returns the scenario without the expectations that depend on the order of turns, which real threads do not repeat.
  package func onThreads() -> Scenario {
    var scenario = self
    scenario.expectations.removeAll(where: \.isOfTurns)
    return scenario
  }
}

extension ClientSpec {
  /// Returns the client with oscillations that take `factor` times the commits.
  fileprivate func oscillating(_ factor: Int) -> ClientSpec {
    withWriter { $0.oscillation?.periodCommits *= factor }
  }

  /// Returns the client with `times` the changes in each transaction. Those of an oscillation and of a reload grow with the
  /// table.
  fileprivate func changing(_ times: Int) -> ClientSpec {
    if case .process(var process) = kind, process.work == .writes {
      process.rows *= times
      return ClientSpec(name: name, kind: .process(process))
    }
    return withWriter {
      $0.inserts *= times
      $0.updates *= times
      $0.deletes *= times
      $0.appends = $0.appends.map { $0 * times }
      $0.removals = $0.removals.map { $0 * times }
    }
  }

  /// Returns the client with its writer changed. A client that has no writer is returned as it is.
  private func withWriter(_ change: (inout WriterSpec) -> Void) -> ClientSpec {
    var client = self
    switch kind {
    case .writer(var writer):
      change(&writer)
      client.kind = .writer(writer)
    case .queuedWriters(var queued):
      change(&queued.writer)
      client.kind = .queuedWriters(queued)
    default: break
    }
    return client
  }
}
