// The search for the cheapest schedule, beside a look at all schedules.
import Generators
import LaunchSchedules
import Objective
import TestSupport
import Testing

@Suite("The cheapest schedule")
struct ScheduleSearchTests {
  private static func edge(_ cost: Int128, _ rewritten: Int = 0) -> ScheduleEdge {
    ScheduleEdge(cost: Cost(units: cost), rewritten: rewritten)
  }

  /// Two launches. Never 10; at the first 3 + 4; at the second 6 + 2; at both 3 + 1 + 2.
  private static let small = ScheduleGraph([
    [edge(3), edge(6), edge(10)], [edge(1, 5), edge(4, 5)], [edge(2, 5)],
  ])

  @Test("of two launches worked out by hand, both are compacted")
  func byHand() {
    #expect(ScheduleSearch(Self.small).best() == .found([1, 2], Cost(units: 6)))
  }

  @Test("a limit on rewriting leaves the cheapest schedule that is within it")
  func rewriting() {
    func best(_ limit: Int) -> ScheduleSearch.Outcome {
      ScheduleSearch(Self.small, ScheduleLimits(rewritten: limit)).best()
    }
    #expect(best(10) == .found([1, 2], Cost(units: 6)))
    #expect(best(9) == .found([1], Cost(units: 7)))
    #expect(best(4) == .found([], Cost(units: 10)))
  }

  @Test("of schedules that cost the same the one with the fewest compactions is taken")
  func ties() {
    let graph = ScheduleGraph([
      [Self.edge(1), Self.edge(2), Self.edge(3)], [Self.edge(1), Self.edge(2)], [Self.edge(1)],
    ])
    #expect(ScheduleSearch(graph).best() == .found([], Cost(units: 3)))
  }

  @Test("a limit that no schedule meets is named, with the least that there is")
  func unsatisfiable() {
    func edge(_ size: Int, _ disk: Int) -> ScheduleEdge {
      ScheduleEdge(cost: .zero, rewritten: 3, highWater: size, peakDisk: disk)
    }
    let graph = ScheduleGraph([[edge(8, 20), edge(12, 12)], [edge(7, 9)]])
    func best(_ limits: ScheduleLimits) -> ScheduleSearch.Outcome {
      ScheduleSearch(graph, limits).best()
    }
    #expect(
      best(ScheduleLimits(highWater: 7))
        == .unsatisfiable(UnmetLimit(limit: .highWater, maximum: 7, least: 8, nodes: [1])))
    // Only the compaction holds the size, and it needs more of the disk.
    #expect(
      best(ScheduleLimits(highWater: 8, peakDisk: 19))
        == .unsatisfiable(UnmetLimit(limit: .peakDisk, maximum: 19, least: 20, nodes: [1])))
    #expect(
      best(ScheduleLimits(highWater: 8, peakDisk: 20, rewritten: 5))
        == .unsatisfiable(UnmetLimit(limit: .rewritten, maximum: 5, least: 6, nodes: [1])))
    #expect(best(ScheduleLimits(highWater: 12, peakDisk: 12)) == .found([], .zero))
  }

  @Test("on 1,000 random matrices of up to 12 launches it equals the best of all schedules")
  func bruteForce() {
    var stream = RandomStream(seed: testSeed(), label: "graphs")
    for _ in 0..<1000 {
      let graph = RandomGraphs.graph(stream.next(in: 0...12), &stream)
      let all = RandomGraphs.schedules(graph).map { ($0, graph.cost(through: $0)) }
      let least = all.map(\.1).min() ?? .zero
      let fewest = all.filter { $0.1 == least }.map(\.0.count).min()
      guard case .found(let nodes, let cost) = ScheduleSearch(graph).best() else {
        Issue.record("there is no limit")
        continue
      }
      #expect(cost == least)
      #expect(graph.cost(through: nodes) == least)
      #expect(nodes.count == fewest)
    }
  }

  @Test("with limits, too, it equals the best of all schedules, or all exceed one")
  func limitedBruteForce() {
    var stream = RandomStream(seed: testSeed(), label: "limited graphs")
    var (found, unmet) = (0, 0)
    for _ in 0..<1000 {
      let graph = RandomGraphs.graph(stream.next(in: 0...10), &stream)
      let limits = ScheduleLimits(
        highWater: stream.next(below: 2) == 0 ? nil : stream.next(in: 15...30),
        peakDisk: stream.next(below: 2) == 0 ? nil : stream.next(in: 30...60),
        longestLaunch: stream.next(below: 2) == 0 ? nil : stream.next(in: 20...40),
        rewritten: stream.next(below: 3) == 0 ? nil : stream.next(in: 0...60))
      let all = RandomGraphs.schedules(graph)
      let within = all.filter { RandomGraphs.meets(limits, graph.edges(through: $0)) }
      switch ScheduleSearch(graph, limits).best() {
      case .found(let nodes, let cost):
        found += 1
        #expect(cost == within.map { graph.cost(through: $0) }.min())
        #expect(RandomGraphs.meets(limits, graph.edges(through: nodes)))
      case .unsatisfiable(let limit):
        unmet += 1
        #expect(within.isEmpty)
        #expect(limit.least > limit.maximum)
        #expect(limit.least == Self.least(limit, limits, graph, all))
      }
    }
    #expect(found > 100)
    #expect(unmet > 40)
  }

  /// The least of the limit's figure over all schedules that meet the limits before it.
  private static func least(
    _ unmet: UnmetLimit, _ limits: ScheduleLimits, _ graph: ScheduleGraph, _ all: [[Int]]
  ) -> Int? {
    let edges = all.map { graph.edges(through: $0) }
    let sizes = ScheduleLimits(highWater: limits.highWater)
    let disks = ScheduleLimits(highWater: limits.highWater, peakDisk: limits.peakDisk)
    let launches = ScheduleLimits(
      highWater: limits.highWater, peakDisk: limits.peakDisk, longestLaunch: limits.longestLaunch)
    switch unmet.limit {
    case .highWater: return edges.compactMap { $0.map(\.highWater).max() }.min()
    case .peakDisk:
      return edges.filter { RandomGraphs.meets(sizes, $0) }
        .compactMap { $0.map(\.peakDisk).max() }.min()
    case .longestLaunch:
      return edges.filter { RandomGraphs.meets(disks, $0) }
        .compactMap { $0.map(\.longestLaunch).max() }.min()
    case .rewritten:
      return edges.filter { RandomGraphs.meets(launches, $0) }
        .map { $0.reduce(0) { $0 + $1.rewritten } }.min()
    }
  }

  @Test(
    "the losses of a schedule's decisions add up to its cost above the optimum, and none is below zero"
  )
  func losses() {
    var stream = RandomStream(seed: testSeed(), label: "losses")
    for _ in 0..<300 {
      let graph = RandomGraphs.graph(stream.next(in: 0...8), &stream)
      guard case .found(let best, let least) = ScheduleSearch(graph).best() else { continue }
      for schedule in RandomGraphs.schedules(graph) {
        let losses = graph.losses(through: schedule)
        #expect(losses.allSatisfy { $0.loss >= .zero })
        #expect(losses.filter(\.compacts).map(\.node) == schedule)
        #expect(
          losses.reduce(.zero) { $0 + $1.loss } == graph.cost(through: schedule) - least)
      }
      #expect(graph.losses(through: best).allSatisfy { $0.loss == .zero })
    }
  }

  @Test("two hundred launches with a limit on rewriting are searched")
  func large() {
    var stream = RandomStream(seed: 5, label: "large")
    let size = 200
    // Waste grows with the square of the time since the last compaction; compactions rewrite different amounts.
    let copies = (0...size).map { $0 == 0 ? 0 : stream.next(in: 1_000_000...9_000_000) }
    var edges: [[ScheduleEdge]] = []
    for node in 0...size {
      edges.append(
        (1...(size + 1 - node)).map { (launches: Int) -> ScheduleEdge in
          let cost = Int128(copies[node] + 40_000 * launches * launches)
          return ScheduleEdge(cost: Cost(units: cost), rewritten: copies[node])
        })
    }
    let graph = ScheduleGraph(edges)
    guard case .found(let free, let least) = ScheduleSearch(graph).best() else {
      Issue.record("there is no limit")
      return
    }
    let limit = free.reduce(0) { $0 + copies[$1] } * 2 / 3
    let limited = ScheduleSearch(graph, ScheduleLimits(rewritten: limit)).best()
    guard case .found(let nodes, let cost) = limited else {
      Issue.record("compacting nothing is within the limit")
      return
    }
    #expect(cost > least)
    #expect(nodes.reduce(0) { $0 + copies[$1] } <= limit)
  }
}
