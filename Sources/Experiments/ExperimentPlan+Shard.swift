// The share of a plan that one shard runs.
package import RecordModel
package import RunJournal
import ScenarioModel

/// The runs of a shard in one plan.
package struct PlanShare: Sendable, Equatable {
  package let shard: Shard
  /// The cells whose stepped runs it has.
  fileprivate(set) var cells: Set<CellKey> = []
  /// The repetitions on real threads that it has, each of all cells: a block is of one machine.
  fileprivate(set) var blocks: Set<Int> = []
  /// The cells of another shard whose first stepped run it repeats.
  fileprivate(set) var checkedCells: Set<CellKey> = []

  fileprivate init(_ shard: Shard) { self.shard = shard }

  func owns(_ run: PlannedRun) -> Bool {
    run.schedule == .stepped ? cells.contains(run.cell) : blocks.contains(run.repetition)
  }

  func checks(_ run: PlannedRun) -> Bool {
    run.schedule == .stepped && run.repetition == 1 && checkedCells.contains(run.cell)
  }
}

/// A unit of a plan.
private struct PlanUnit {
  /// The stepped runs of a cell, or else a block.
  enum Runs {
    case stepped(CellKey)
    case block(Int)
  }

  let runs: Runs
  let unit: ShardPartition.Unit
}

extension ExperimentPlan {
  /// Leaves the runs of one shard.
  package mutating func restrict(to shard: Shard) {
    let units = units
    let partition = ShardPartition(
      units.map(\.unit), count: shard.count, seed: seed, label: scenario.name)
    share = Self.share(of: shard, units, partition, from: 0)
  }

  /// - Parameter first: the index of the first unit in the partition.
  fileprivate static func share(
    of shard: Shard, _ units: [PlanUnit], _ partition: ShardPartition, from first: Int
  ) -> PlanShare {
    var share = PlanShare(shard)
    for (index, unit) in units.enumerated() {
      let isOwn = partition.owners[first + index] == shard.index - 1
      switch unit.runs {
      case .stepped(let cell):
        if isOwn { share.cells.insert(cell) }
        if partition.checkers[first + index] == shard.index - 1 { share.checkedCells.insert(cell) }
      case .block(let repetition): if isOwn { share.blocks.insert(repetition) }
      }
    }
    return share
  }

  fileprivate var units: [PlanUnit] {
    let rows = scenario.tables.reduce(0) { $0 + $1.rows }
    let costs = Dictionary(
      scenario.arms.map { arm in
        // A commit costs as much as some hundred rows that are loaded.
        (arm.name, 1 + CommitPlan(scenario, arm).commits.upperBound + rows / 100)
      }, uniquingKeysWith: { first, _ in first })
    let measured = cells.filter { $0.status == .measured }.map(\.key)
    let block = measured.reduce(0) { $0 + (costs[$1.arm] ?? 1) } * (certifies ? 2 : 1)
    return allParts.flatMap { schedule, runs -> [PlanUnit] in
      switch schedule {
      case .stepped:
        return measured.map { cell in
          let cost = (costs[cell.arm] ?? 1) * repetitions(under: .stepped)
          return PlanUnit(runs: .stepped(cell), unit: .init(cost: cost, isExact: true))
        }
      case .threads:
        return Set(runs.map(\.repetition)).sorted().map {
          PlanUnit(runs: .block($0), unit: .init(cost: block, isExact: false))
        }
      }
    }
  }
}

extension SweepPlan {
  /// Leaves the runs of one shard.
  package mutating func restrict(to shard: Shard) {
    let units = groups.map(\.units)
    guard let scenario = groups.first?.scenario else { return }
    let partition = ShardPartition(
      units.joined().map(\.unit), count: shard.count, seed: scenario.seed,
      label: "sweep of \(scenario.name)")
    var first = 0
    for index in groups.indices {
      groups[index].share = ExperimentPlan.share(of: shard, units[index], partition, from: first)
      first += units[index].count
    }
  }
}

/// The runs of a shard, for its journal.
package struct ShardRuns: Sendable, Equatable {
  package private(set) var own: [JournalRun] = []
  package private(set) var checks: [JournalRun] = []
  /// The number of runs of all shards.
  package private(set) var total = 0

  /// - Parameter point: the index of the plan among those of a sweep; nil for a run.
  package mutating func add(_ plan: ExperimentPlan, point: Int? = nil) {
    for run in plan.allParts.flatMap(\.runs) {
      total += 1
      if plan.share?.owns(run) ?? true { own.append(run.journalRun(point: point)) }
      if plan.share?.checks(run) ?? false { checks.append(run.journalRun(point: point)) }
    }
  }

  package init() {}
}
