// The scenario that really runs one device: the launches and commits of its walk, beginning with a fresh file.
import FleetModel
import MetricModel
import Policies
import ScenarioModel

struct DeviceDesign {
  let device: Device
  let group: DeviceGroup
  /// Days of the launches after the first, which is on day 0.
  let launchDays: [Double]
  let rows: Int

  /// nil for a device that is not launched again.
  init?(_ device: Device, _ population: Population, days: Double) {
    group = population.groups[device.group]
    launchDays = population.launchDays(of: device, days: days)
    rows = max(1, Int((device.data / device.value).rounded()))
    var device = device
    device.data = Double(rows) * device.value
    self.device = device
    if launchDays.isEmpty { return nil }
  }

  /// The launches of the run; the last one ends it, and nothing is written in it.
  var launches: Int { launchDays.count + 1 }

  /// Commits of each kind until a day.
  private func commits(until day: Double) -> [DeviceClients.Kind: Int] {
    let all = Int((device.commitsPerDay * day).rounded())
    let added = Int((Double(all) * device.addShare(writes: group.writes)).rounded())
    let replaced = Int((Double(all - added) * group.replaced).rounded())
    return [.update: all - added - replaced, .replace: replaced, .add: added]
  }

  /// Commits of each kind in a launch, from 1: those until the next one.
  func commits(inLaunch launch: Int) -> [DeviceClients.Kind: Int] {
    guard launch < launches else { return [:] }
    let before = launch == 1 ? [:] : commits(until: launchDays[launch - 2])
    return commits(until: launchDays[launch - 1]).merging(before) { $0 - $1 }
  }

  /// - Parameter isTwin: whether the rows are in another order than in the first run.
  func scenario(name: String, policies: [Policy], isTwin: Bool = false) -> Scenario {
    var scenario = Scenario(
      name: name, question: "How large does the file of this device become?",
      seed: UInt64(device.number) + (isTwin ? 1 << 32 : 0),
      tables: [
        TableSpec(
          name: DeviceClients.table, rows: rows, valueSize: .fixed(Int(device.value)))
      ],
      arms: [ArmSpec(name: "default", clients: DeviceClients.all(of: group))],
      phases: (1..<launches).flatMap(phases), launches: launches, gapBetweenLaunches: .zero,
      engines: [group.engine], policies: policies)
    scenario.lifecycle.isSeeded = true
    return scenario
  }

  /// The time until the next launch passes before the first commit, in a phase of its own where there is none.
  private func phases(_ launch: Int) -> [PhaseSpec] {
    let commits = commits(inLaunch: launch)
    var phases = DeviceClients.Kind.allCases.compactMap { kind -> PhaseSpec? in
      guard let count = commits[kind], count > 0 else { return nil }
      return PhaseSpec(
        name: "\(kind) \(launch)", commits: count, onlyInLaunches: [launch],
        clients: DeviceClients.names(kind, group))
    }
    if phases.isEmpty { phases = [PhaseSpec(name: "wait \(launch)", onlyInLaunches: [launch])] }
    let gap = launchDays[launch - 1] - (launch == 1 ? 0 : launchDays[launch - 2])
    phases[0].idle = VirtualTime(seconds: gap * Self.secondsPerDay)
    return phases
  }

  private static let secondsPerDay = 86_400.0
}
