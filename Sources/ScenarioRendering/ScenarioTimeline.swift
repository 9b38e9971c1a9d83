// The timeline of a scenario: when each phase begins and ends, which commits it has, and which clients run in it.
import MetricModel
package import ScenarioModel

package struct ScenarioTimeline {
  package struct Stretch {
    package var commits: CommitPlan.Phase
    var begin: VirtualTime
    var end: VirtualTime
    package var clients: [ClientSpec]

    package var launch: Int { commits.launch }
    package var phase: PhaseSpec { commits.phase }
  }

  package let scenario: Scenario
  package let arm: ArmSpec
  package let stretches: [Stretch]

  package init(_ scenario: Scenario, _ arm: ArmSpec) {
    self.scenario = scenario
    self.arm = arm
    var stretches: [Stretch] = []
    var (launch, time) = (1, VirtualTime.zero)
    for commits in CommitPlan(scenario, arm).phases {
      while launch < commits.launch {
        time = time + scenario.gapBetweenLaunches
        launch += 1
      }
      let clients = arm.clients(in: commits.phase)
      let bulk = Double(commits.bulk.middle) / PhaseSpec.bulkRate
      let end =
        time + VirtualTime(seconds: bulk) + commits.phase.idle
        + Self.duration(of: commits.clients.lowerBound, by: clients)
      stretches.append(Stretch(commits: commits, begin: time, end: end, clients: clients))
      time = end
    }
    self.stretches = stretches
  }

  package func stretches(inLaunch launch: Int) -> [Stretch] {
    stretches.filter { $0.launch == launch }
  }

  /// The clients of the arm that run at all, in the scenario's order.
  package var clients: [ClientSpec] {
    arm.clients.filter { client in
      stretches.contains { $0.clients.contains { $0.name == client.name } }
    }
  }

  /// About how long the writers take on the virtual clock: closed loops take turns, open loops overlap.
  private static func duration(of commits: Int, by clients: [ClientSpec]) -> VirtualTime {
    let loads = clients.compactMap { client -> LoadSpec? in
      switch client.kind {
      case .writer(let spec): spec.load
      case .queuedWriters(let spec): spec.writer.load
      default: nil
      }
    }
    guard commits > 0, !loads.isEmpty else { return .zero }
    if loads.contains(where: \.isOpen) {
      let rate = loads.reduce(0) { $0 + $1.virtualRate }
      return VirtualTime(seconds: Double(commits) / rate)
    }
    let each = loads.reduce(0.0) { sum, load in
      guard case .afterEach(let think) = load.arrivals else { return sum }
      return sum + 1 / load.virtualRate + think.seconds
    }
    return VirtualTime(seconds: Double(commits) * each / Double(loads.count))
  }
}

extension ClosedRange<Int> {
  var isExact: Bool { lowerBound == upperBound }
  var middle: Int { lowerBound + (upperBound - lowerBound) / 2 }
  /// `1,550`, `about 1,550`.
  var words: String { isExact ? grouped(lowerBound) : "about \(grouped(middle))" }
}

extension PhaseSpec {
  /// What is done before the clients run; nil for nothing.
  var bulkWords: String? {
    var parts: [String] = []
    if deleteShare > 0 { parts.append("deletes \(number(deleteShare * 100)) % of each table") }
    if refill { parts.append("inserts the missing rows again") }
    let batches = parts.isEmpty ? nil : joined(parts) + ", \(rows(deleteBatch)) a transaction"
    let sentences = [batches, migration?.words].compactMap { $0 }
    return sentences.isEmpty ? nil : sentences.joined(separator: "; ")
  }

  /// What happens before the clients run without a change to any row.
  var quietWords: [String] {
    (idle > .zero ? ["no operation for \(span(idle))"] : [])
      + (newKey.map { ["a \($0.rawValue) under another key, where it is encrypted"] } ?? [])
      + (checksReaders ? ["the engine looks for dead readers"] : [])
      + (shortens.map { [$0.words] } ?? [])
  }
}
