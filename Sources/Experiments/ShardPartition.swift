// Divides the runs of a plan among shards: the same division on every machine, since it depends on the plan alone.
import Generators

/// Which shard runs each unit, and which exact units another shard runs too. Shards are counted from 0 here.
struct ShardPartition: Equatable {
  /// What one shard runs as a whole: all stepped runs of a cell, or a block of all cells on real threads.
  struct Unit: Equatable {
    /// An estimate of its time, in the time of a commit.
    var cost: Int
    /// Whether its bytes repeat, so that another machine can check them.
    var isExact: Bool
  }

  /// Of the exact units of a shard, one in so many is checked, and at least one.
  static let unitsPerCheck = 100

  /// The shard of each unit.
  private(set) var owners: [Int]
  /// The shard that runs a unit too; nil for units that are not checked.
  private(set) var checkers: [Int?]

  /// - Parameter label: names the plan, so that the first shard does not have the first unit of every plan of a command.
  init(_ units: [Unit], count: Int, seed: UInt64, label: String) {
    var stream = RandomStream(seed: seed, label: "shards of \(label)")
    // Largest first, each to the shard with the least so far (Graham's LPT rule): no shard has more than the cost of one unit
    // above another. Equal units are shuffled, or each shard would have the policies of one engine.
    let order = units.indices.shuffled(using: &stream)
      .sorted { units[$0].cost > units[$1].cost }
    let first = stream.next(below: count)
    owners = Array(repeating: 0, count: units.count)
    checkers = Array(repeating: nil, count: units.count)
    var queue = ShardQueue(count: count, first: first)
    var exact = Array(repeating: [Int](), count: count)
    for unit in order {
      owners[unit] = queue.add(units[unit].cost)
      if units[unit].isExact { exact[owners[unit]].append(unit) }
    }
    guard count > 1 else { return }
    for (shard, units) in exact.enumerated() {
      let checks = (units.count + Self.unitsPerCheck - 1) / Self.unitsPerCheck
      for unit in units.shuffled(using: &stream).prefix(checks) {
        checkers[unit] = (shard + count - 1) % count
      }
    }
  }
}

/// The shards by their costs so far: a binary heap.
private struct ShardQueue {
  private var heap: [(cost: Int, turn: Int)]
  private let first: Int

  init(count: Int, first: Int) {
    heap = (0..<count).map { (0, $0) }
    self.first = first
  }

  /// Adds the cost to the shard with the minimum, and returns that shard.
  mutating func add(_ cost: Int) -> Int {
    let shard = (heap[0].turn + first) % heap.count
    heap[0].cost += max(1, cost)
    var parent = 0
    while true {
      let children = [2 * parent + 1, 2 * parent + 2].filter { $0 < heap.count }
      guard let least = children.min(by: { heap[$0] < heap[$1] }), heap[least] < heap[parent] else {
        return shard
      }
      heap.swapAt(parent, least)
      parent = least
    }
  }
}
