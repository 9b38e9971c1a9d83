// The analysis of what `tune` measured on held-out seeds: regret with its interval, what to ship, and which policies others
// dominate.
import Objective
package import RecordModel
import Statistics

package struct TuneAnalysis: Sendable {
  package let record: TuneRecord
  package let engines: [EngineTuning]
  /// The mixture by which scenarios count.
  package let mixture: WorkloadMixture

  package init(_ record: TuneRecord) {
    self.record = record
    let mixture = record.mixture ?? WorkloadMixture()
    self.mixture = mixture
    engines = record.engines.map { EngineTuning($0, record, mixture) }
  }
}

/// The results for an engine.
package struct EngineTuning: Sendable {
  package let engine: TunedEngine
  /// What to ship: of the families over what closures get, the best on the training seeds. nil where there is no result.
  package let shipped: TunedFamily?
  /// The best of the families with memory.
  package let withMemory: TunedFamily?
  /// The cheapest first. Policies that came to the same in every run are one result.
  package let policies: [HeldOutResult]
  /// Policies without figures in some of the runs, which are in no table.
  package let incomplete: [IncompletePolicy]
  /// Whether the time blocked at launch is known: then it is an axis of the Pareto front, beside space and rewriting.
  package let hasTimes: Bool
  /// The shipped rule and the scenarios' own policies where amounts are varied; empty where they were not.
  package let varied: [VariedResult]

  /// With fewer seeds a percentile interval of resamples says nothing.
  package static let minSeeds = 5

  init(_ engine: TunedEngine, _ record: TuneRecord, _ mixture: WorkloadMixture) {
    self.engine = engine
    let shipped = engine.families.first { !$0.hasMemory }
    self.shipped = shipped
    withMemory = engine.families.first { $0.hasMemory }
    varied = engine.robustness.map(VariedResult.all) ?? []
    // What is shipped comes first among those that decide alike.
    let names = engine.runs.reduce(into: [shipped?.policy].compactMap { $0 }) { names, run in
      if !names.contains(run.policy) { names.append(run.policy) }
    }
    let weights = mixture.weights(of: engine.workloads)
    let all = names.map { PolicyTable($0, engine, weights) }
    let tables = all.filter(\.isComplete)
    let seedCount = engine.heldOutSeeds.count
    incomplete = all.filter { !$0.isComplete }.map {
      IncompletePolicy(
        policy: $0.name, runs: $0.runCount, allRuns: seedCount * engine.workloads.count)
    }
    hasTimes = !tables.isEmpty && tables.allSatisfy(\.hasTimes)
    let seed = record.scenarios.first?.seed ?? 1
    let context = TuneContext(
      objective: record.objective, mixture: mixture, seedCount: seedCount,
      draws: seedCount >= Self.minSeeds ? PairedResamples(of: seedCount, seed: seed) : nil)
    let dominated = context.draws.map { [hasTimes] in
      Self.dominated(tables, $0, isTimed: hasTimes)
    }
    let base = shipped.flatMap { shipped in tables.first { $0.name == shipped.policy } }
    policies = tables.enumerated().filter { index, table in
      !tables[..<index].contains { $0.equals(table) }
    }.map { index, table in
      HeldOutResult(
        table, like: tables.filter(table.equals), beside: base, context,
        dominated: dominated?[index])
    }.sorted { ($0.violations, $0.meanRegret) < ($1.violations, $1.meanRegret) }
  }

  /// Returns what a policy came to on the held-out seeds.
  package func result(of policy: String) -> HeldOutResult? {
    policies.first { $0.names.contains(policy) }
  }

  /// Returns for each policy the share of resamples in which another one holds no more bytes over time, writes no more again,
  /// blocks launches for no longer where that is known, and has less of one.
  private static func dominated(
    _ tables: [PolicyTable], _ draws: PairedResamples, isTimed: Bool
  ) -> [Double] {
    var axes = [
      tables.map { draws.values($0.meanExcess) }, tables.map { draws.values($0.meanRewritten) },
    ]
    if isTimed { axes.append(tables.map { draws.values($0.meanBlocked) }) }
    return ParetoDominance.shares(axes)
  }
}

/// A policy without figures in some of the held-out runs.
package struct IncompletePolicy: Hashable, Sendable {
  package let policy: String
  /// The number of runs with figures, and of all.
  package let runs: Int
  package let allRuns: Int
}
