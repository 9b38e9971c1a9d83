// Lookups for the synthetic record: a client in a closed loop whose number of threads is all that two arms differ in, and one
// in an open loop. Plausible, not measured.
import Generators
package import RecordModel
import ScenarioModel

package enum SyntheticLookups {
  /// The arm that differs from the main one in the number of threads.
  package static let arm = "one-thread"

  /// Adds clients of lookups to the main arm, an arm with one thread instead of four under `never`, and the figures of each
  /// run. Stepped runs have others than those on real threads, by which they are recognized.
  package static func add(to record: inout RunRecord) {
    guard var one = record.scenario.arms.first else { return }
    let main = one.name
    record.scenario.arms[0].clients += [screens(threads: 4), service]
    one.clients += [screens(threads: 1), service]
    (one.name, one.summary) = (arm, "one thread reads")
    one.policies = record.scenario.policies.filter { $0.rule == "never" }.map(\.name)
    let policies = one.policies ?? []
    record.scenario.arms.append(one)
    record.cells = record.cells.flatMap { cell -> [CellRecord] in
      guard cell.key.arm == main, cell.status == .measured else { return [cell] }
      guard policies.contains(cell.key.policy) else {
        let compacts = record.scenario.policies.first { $0.name == cell.key.policy }?.rule
        return [compacts == "every-launch" ? with(cell, threads: 4, compacts: true) : cell]
      }
      var other = cell
      other.key.arm = arm
      return [
        with(cell, threads: 4, compacts: false), with(other, threads: 1, compacts: false),
      ]
    }
  }

  private static func screens(threads: Int) -> ClientSpec {
    ClientSpec(
      name: "screens", kind: .lookups(LookupSpec(table: "Item", threads: threads, reads: 10)))
  }

  private static let service = ClientSpec(
    name: "service",
    kind: .lookups(
      LookupSpec(
        table: "Item", threads: 2, reads: 2,
        load: LoadSpec(arrivals: .scheduled(.poisson, nil), rate: .perSecond(2000)))))

  private static func with(_ cell: CellRecord, threads: Int, compacts: Bool) -> CellRecord {
    var cell = cell
    let speed = cell.key.engine == "native" ? 3 : cell.key.engine == "lmdb" ? 2 : 5
    func fill(_ run: inout RepetitionRecord, isStepped: Bool) {
      // A stepped thread of lookups waits for no other.
      let time = isStepped ? 1000 : speed * (4000 + 200 * speed * threads + run.index * 7919 % 97)
      var screens = figures("screens", threads, time, isOpen: false)
      if compacts { addStages(&screens, time) }
      let service = figures("service", 2, 2 * time, isOpen: !isStepped)
      run.lookups = [screens, service]
      if !isStepped { run.timing.lockWait = percentiles(400, time / 10) }
    }
    let areStepped = cell.threadedRepetitions != nil
    for index in cell.repetitions.indices {
      fill(&cell.repetitions[index], isStepped: areStepped)
    }
    for index in (cell.threadedRepetitions ?? []).indices {
      fill(&cell.threadedRepetitions![index], isStepped: false)
    }
    return cell
  }

  private static func figures(
    _ client: String, _ threads: Int, _ time: Int, isOpen: Bool
  ) -> LookupFigures {
    func span(_ count: Int, nanoseconds: Int, _ slower: Int) -> LookupSpan {
      LookupSpan(
        transactions: count, operations: 10 * count, nanoseconds: nanoseconds,
        service: percentiles(count, time + slower),
        intended: isOpen ? percentiles(count, 3 * time + slower) : .none)
    }
    let count = 20_000
    let each = (0..<threads).map { span(count, nanoseconds: count * time * 11 / 10, 10 * $0) }
    var figures = LookupFigures(
      client: client, threads: each,
      together: span(threads * count, nanoseconds: count * time * 11 / 10, 5 * threads),
      snapshotCommits: LatencyPercentiles(count: 900, p50: 0, p90: 1, p99: 1, p999: 2, max: 3))
    figures.rate = isOpen ? 2000 : nil
    figures.missingRows = 0
    return figures
  }

  private static func addStages(_ figures: inout LookupFigures, _ time: Int) {
    func stage(_ count: Int, _ time: Int) -> LookupSpan {
      LookupSpan(transactions: count, operations: 10 * count, service: percentiles(count, time))
    }
    figures.beforeCompaction = stage(30_000, time)
    figures.duringCompaction = stage(2000, 9 * time)
    figures.afterCompaction = stage(48_000, time + 20)
  }

  private static func percentiles(_ count: Int, _ time: Int) -> LatencyPercentiles {
    LatencyPercentiles(
      count: count, p50: time, p90: 2 * time, p99: 5 * time, p999: 20 * time, max: 130 * time)
  }
}
