// How large a scenario is run. The files have the size that shows the problem in seconds; the same curves over ten times
// the rows and commits, with ten times the limits of space, are for a night, and three times for an engine whose
// commits take the longer the more free pieces its file has. Ages and intervals stay: pins are as old, and there are more of
// them. An oscillation takes as many times the commits, so that each changes as many rows as before.

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
  package func sized(_ size: ScenarioSize) -> Scenario {
    var scenario = enlarged(size.factor) { $0.oscillating(size.factor) }
    scenario.expectations.removeAll { $0.size != nil && $0.size != size }
    for index in phases.indices { scenario.phases[index].commits *= size.factor }
    for index in arms.indices {
      scenario.arms[index].commits = arms[index].commits?.mapValues { $0 * size.factor }
    }
    return scenario
  }

  /// With as many times the rows, and each transaction with as many times the changes: more data in the same commits, so
  /// that an engine whose commits take the longer the more free pieces there are gets through. Limits grow along; what is
  /// counted in commits stays.
  package func holding(times: Int) -> Scenario {
    var scenario = enlarged(times) { $0.changing(times) }
    for index in phases.indices { scenario.phases[index].deleteBatch *= times }
    return scenario
  }

  /// With as many times the rows and the limits of disk and address space, and each client as `client` returns it.
  private func enlarged(_ times: Int, _ client: (ClientSpec) -> ClientSpec) -> Scenario {
    var scenario = self
    for index in tables.indices { scenario.tables[index].rows *= times }
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
  /// Without the expectations that depend on the order of turns.
  package func onThreads() -> Scenario {
    var scenario = self
    scenario.expectations.removeAll(where: \.isOfTurns)
    return scenario
  }
}

extension ClientSpec {
  /// The client with oscillations that take `factor` times the commits.
  fileprivate func oscillating(_ factor: Int) -> ClientSpec {
    withWriter { $0.oscillation?.periodCommits *= factor }
  }

  /// The client with `times` the changes in each transaction. An oscillation's and a reload's grow with the table.
  fileprivate func changing(_ times: Int) -> ClientSpec {
    if case .process(var process) = kind, process.work == .writes {
      process.rows *= times
      return ClientSpec(name: name, kind: .process(process))
    }
    return withWriter {
      $0.inserts *= times
      $0.updates *= times
      $0.deletes *= times
    }
  }

  /// The client with its writer changed, where it is one or has one.
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
