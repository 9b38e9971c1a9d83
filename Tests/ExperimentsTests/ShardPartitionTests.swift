// Every run is in one shard, shards are about as large as each other, and each is checked by another.
import EngineInterface
import NullEngine
import RecordFixtures
import RecordModel
import ScenarioModel
import TestSupport
import Testing

@testable import Experiments

@Suite("Shards of a plan")
struct ShardPartitionTests {
  @Test("of random units each has one shard, no shard has more than a unit above another")
  func balanced() {
    var random = SeededRandom(seed: testSeed(211))
    for _ in 0..<400 {
      let count = 1 + random.below(50)
      let units = (0..<random.below(400)).map { _ in
        ShardPartition.Unit(cost: 1 + random.below(1000), isExact: random.below(4) > 0)
      }
      let seed = random.next()
      let partition = ShardPartition(units, count: count, seed: seed, label: "any")
      #expect(partition == ShardPartition(units, count: count, seed: seed, label: "any"))
      #expect(partition.owners.count == units.count)
      #expect(partition.owners.allSatisfy { 0..<count ~= $0 })
      var sums = Array(repeating: 0, count: count)
      for (unit, owner) in zip(units, partition.owners) { sums[owner] += unit.cost }
      let largest = units.map(\.cost).max() ?? 0
      #expect(sums.max()! - sums.min()! <= largest, "\(count) shards: \(sums)")
      checks(units, partition, count)
    }
  }

  private func checks(_ units: [ShardPartition.Unit], _ partition: ShardPartition, _ count: Int) {
    for shard in 0..<count {
      let exact = units.indices.filter { partition.owners[$0] == shard && units[$0].isExact }
      let checked = exact.filter { partition.checkers[$0] != nil }
      let needed = count == 1 || exact.isEmpty ? 0 : max(1, (exact.count + 99) / 100)
      #expect(checked.count == needed, "\(exact.count) exact units of shard \(shard) of \(count)")
      // The shard before it checks all of them.
      #expect(checked.allSatisfy { partition.checkers[$0] == (shard + count - 1) % count })
    }
    for unit in units.indices where !units[unit].isExact {
      #expect(partition.checkers[unit] == nil)
    }
  }

  @Test(
    "each of a thousand equal cells is in one of 7 shards, which have 142 or 143, and ten are checked by each"
  )
  func thousand() {
    let units = Array(repeating: ShardPartition.Unit(cost: 5, isExact: true), count: 1000)
    let partition = ShardPartition(units, count: 7, seed: 1, label: "sweep")
    let sizes = (0..<7).map { shard in partition.owners.count { $0 == shard } }
    #expect(sizes.reduce(0, +) == 1000 && Set(sizes) == [142, 143])
    #expect(partition.checkers.count { $0 != nil } == 14)
  }

  private func plan(_ schedule: RunSchedule, certifies: Bool = false) throws -> ExperimentPlan {
    var plan = ExperimentPlan(
      try SyntheticScenario.make(), engines: [.available(NullEngine())], schedule: schedule,
      repetitions: 6)
    plan.certifies = certifies
    return plan
  }

  @Test(
    "all shards together have each run of the plan once, in the plan's order, and whole blocks",
    arguments: RunSchedule.allCases)
  func together(_ schedule: RunSchedule) throws {
    for count in [1, 2, 3, 7, 50] {
      let whole = try plan(schedule, certifies: schedule != .stepped).parts.flatMap(\.runs)
      var own: [PlannedRun] = []
      var blocks: [Set<Int>] = []
      var checked = 0
      for index in 1...count {
        var plan = try plan(schedule, certifies: schedule != .stepped)
        plan.restrict(to: try #require(Shard(index, of: count)))
        let share = try #require(plan.share)
        let runs = plan.parts.flatMap(\.runs)
        #expect(runs == whole.filter { share.owns($0) || share.checks($0) })
        #expect(!runs.contains { share.owns($0) && share.checks($0) })
        own += runs.filter(share.owns)
        checked += runs.count { share.checks($0) }
        blocks.append(Set(runs.filter { $0.schedule == .threads }.map(\.repetition)))
      }
      func order(_ runs: [PlannedRun]) -> [String] { runs.map { "\($0)" }.sorted() }
      #expect(order(own) == order(whole))
      #expect(blocks.reduce(0) { $0 + $1.count } == Set(blocks.joined()).count)
      #expect((checked > 0) == (count > 1 && schedule != .threads))
    }
  }

  @Test(
    "texts that are no shard are refused",
    arguments: [
      "", "0/3", "4/3", "1/0", "x", "1/2/3", "1", "/3", "1/", "-1/3", "+1/3", "1 / 3",
      "1/999999999999999999999", "1/100001",
    ])
  func refused(_ text: String) { #expect(Shard(parsing: text) == nil) }

  @Test("a shard's folder is known by its name, and no other is")
  func folders() throws {
    let shard = try #require(Shard(parsing: "3/7"))
    #expect(shard.description == "3/7" && Shard.isFolderName(shard.folderName))
    for name in [
      "shard-0-of-7", "shard-8-of-7", "shard-3", "shards-3-of-7", "shard-03-of-7", "plots",
    ] {
      #expect(!Shard.isFolderName(name))
    }
  }
}
