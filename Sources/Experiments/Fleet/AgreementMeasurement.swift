// From the runs of devices to the comparison with their walks.
package import FleetModel
import MetricModel
import RecordModel

package struct AgreementMeasurement {
  private let plan: AgreementPlan
  private let outcome: SweepRun.Outcome

  package init(_ plan: AgreementPlan, _ outcome: SweepRun.Outcome) {
    self.plan = plan
    self.outcome = outcome
  }

  /// Why a run failed, with its engine; empty if none did.
  package var failures: [String] { outcome.failures }

  /// The digests of all rows, in the order of the runs.
  package var digests: [String] { outcome.digests }

  /// Returns the comparison. All runs have ended without a failure. Throws where an engine does not report what is compared.
  package func agreement(costs: String?) throws(SimulationError) -> FleetAgreement {
    let simulation = plan.simulation
    var walk = simulation.walk
    var pairs: [DevicePair] = []
    for (design, cells) in zip(plan.designs, outcome.cells) {
      walk.load(design.device)
      for (index, test) in simulation.tests.enumerated() {
        guard let cell = cells.first(where: { $0.key.policy == test.policy.name }),
          let record = cell.repetitions.first
        else { continue }
        let stalls = simulation.stalls[design.device.group]
        pairs.append(
          DevicePair(
            device: DeviceTraits(design.device), group: design.device.group, policy: index,
            simulated: walk.run(test),
            real: try MeasuredDevice(design, record, stalls).outcome))
      }
    }
    let population = simulation.curves.population
    return FleetAgreement(
      population: population.name, seed: population.seed, days: plan.days, maxData: plan.maxData,
      passedOver: plan.passedOver, groups: simulation.groupSummaries,
      policies: simulation.tests.map { .init(name: $0.policy.name, rule: $0.policy.rule) },
      pairs: pairs, costs: costs)
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
      if let stall = stalls?.nanoseconds(used: used, total: total) {
        outcome.longestStall = max(outcome.longestStall, stall)
        outcome.totalStall += stall
      }
    }
  }
}
