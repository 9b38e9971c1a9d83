// From the runs of devices to the comparison with their walks.
package import FleetModel
import MetricModel
import RecordModel

package struct AgreementMeasurement {
  private let plan: AgreementPlan
  /// nil where nothing was to be run.
  private let outcome: SweepRun.Outcome?

  package init(_ plan: AgreementPlan, _ outcome: SweepRun.Outcome?) {
    self.plan = plan
    self.outcome = outcome
  }

  /// Why a run failed, with its engine; empty if none did.
  package var failures: [String] { outcome?.failures ?? [] }

  /// The digests of all rows, in the order of the runs.
  package var digests: [String] { outcome?.digests ?? [] }

  /// Returns the comparison. All runs have ended without a failure. Throws where an engine does not report what is compared.
  package func agreement(costs: String?) throws(SimulationError) -> FleetAgreement {
    let simulation = plan.simulation
    var walk = simulation.walk
    var pairs: [DevicePair] = []
    let rules = simulation.tests.map {
      FleetAgreement.NamedRule(name: $0.policy.name, rule: $0.policy.rule)
    }
    let population = simulation.curves.population
    if let difference = plan.earlier?.difference(
      population: population, days: plan.days, groups: simulation.groupSummaries, policies: rules)
    {
      throw SimulationError("the earlier comparison \(difference)")
    }
    for (number, design) in plan.designs.enumerated() {
      walk.load(design.device)
      let traits = DeviceTraits(design.device)
      for (index, test) in simulation.tests.enumerated() {
        let before = plan.earlier?.pair(of: traits, policy: index)
        let run = try measured(.init(design: number, isTwin: false), test)
        guard let real = before?.real ?? run else {
          guard plan.earlier == nil else {
            throw SimulationError("the earlier comparison lacks device \(traits.number)")
          }
          continue
        }
        pairs.append(
          DevicePair(
            device: traits, group: design.device.group, policy: index, simulated: walk.run(test),
            real: real,
            twin: try measured(.init(design: number, isTwin: true), test) ?? before?.twin))
      }
    }
    return FleetAgreement(
      population: population.name, seed: population.seed, days: plan.days, maxData: plan.maxData,
      passedOver: plan.passedOver, groups: simulation.groupSummaries,
      policies: rules, pairs: pairs, costs: costs)
  }

  /// What a run of the plan gave under a policy; nil if the plan does not have it.
  private func measured(
    _ run: AgreementPlan.Run, _ test: LaunchTest
  ) throws(SimulationError) -> DeviceOutcome? {
    guard let outcome, let index = plan.runs.firstIndex(of: run),
      let cell = outcome.cells[index].first(where: { $0.key.policy == test.policy.name }),
      let record = cell.repetitions.first
    else { return nil }
    let design = plan.designs[run.design]
    return try MeasuredDevice(design, record, plan.simulation.stalls[design.device.group]).outcome
  }
}

/// A device that was really run, in the figures of a walk.
struct MeasuredDevice {
  private(set) var outcome = DeviceOutcome()

  /// - Parameter stalls: estimates the time of each compaction from its sizes; nil where times are not known.
  init(
    _ design: DeviceDesign, _ record: RepetitionRecord, _ stalls: StallModel?
  ) throws(SimulationError) {
    // On the first day the file is fresh, and a walk does not ask its policy.
    let launches = record.events.filter { $0.event.kind == .onLaunch && $0.launch > 1 }
    guard launches.count == design.launchDays.count else {
      throw SimulationError(
        "device \(design.device.number): \(launches.count) launches were run and not \(design.launchDays.count)"
      )
    }
    outcome.largestBytes = Double(record.exact.highWater.bytes)
    var day = 0.0
    for (launch, next) in zip(launches, design.launchDays) {
      let event = launch.event
      guard let callback = event.callback else {
        throw SimulationError("\(design.group.engine) does not report used bytes at launches")
      }
      let (total, used) = (
        Double(callback.totalBytes.bytes), Double(callback.usedBytes.bytes)
      )
      outcome.launches += 1
      outcome.totalArea += total * (next - day)
      outcome.usedArea += used * (next - day)
      outcome.largestBytes = max(outcome.largestBytes, total)
      outcome.finalBytes = total
      day = next
      if event.outcome == .skipped { outcome.skipped += 1 }
      guard event.outcome == .finished else { continue }
      guard let rewritten = event.rewritten else {
        throw SimulationError("\(design.group.engine) does not report what a compaction writes")
      }
      outcome.compactions += 1
      outcome.rewrittenBytes += Double(rewritten.bytes)
      outcome.finalBytes = Double(event.after.bytes)
      if let stall = stalls?.nanoseconds(written: Double(rewritten.bytes), total: total) {
        outcome.longestStall = max(outcome.longestStall, stall)
        outcome.totalStall += stall
      }
    }
  }
}
