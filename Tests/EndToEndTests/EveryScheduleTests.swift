// The dynamic program beside all schedules, on launch matrices of real runs. It prints how many it compared.
//   OPTIMUM_RUNS=FOLDER swift test … --filter EveryScheduleTests
// compares the matrices of all records of `optimum` below the folder, in place of one app's that it runs.
import Foundation
import LaunchSchedules
import Objective
import RecordModel
import SystemIO
import TestSupport
import Testing

@Suite("The optimum beside every schedule", .timeLimit(.minutes(HangGuard.minutes)))
struct EveryScheduleTests {
  private static let folder = ProcessInfo.processInfo.environment["OPTIMUM_RUNS"]
  /// Of more decisions there are too many schedules.
  private static let maxDecisions = 18

  @Test("on the launch matrices of real runs, the dynamic program finds the least of all schedules")
  func realMatrices() async throws {
    if let folder = Self.folder { return try compare(below: URL(fileURLWithPath: folder)) }
    try await BuiltCommand.withFolder { folder in
      let outcome = try await BuiltCommand.run([
        "optimum", "Scenarios/apps/kiosk.yml", "--engine", "native", "--engine", "sqlite",
        "--policy", "never", "--checks", "0", "--output", folder.string,
      ])
      #expect(outcome.code == 0, "\(outcome.errors)")
      try compare(below: URL(fileURLWithPath: folder.string))
    }
  }

  private func compare(below folder: URL) throws {
    let files = try #require(FileManager.default.enumerator(atPath: folder.path))
      .compactMap { $0 as? String }.filter { $0.hasSuffix(OptimumRecord.fileName) }.sorted()
    var (matrices, schedules, larger) = (0, 0, 0)
    for file in files {
      let bytes = try Data(contentsOf: folder.appendingPathComponent(file))
      let record = try OptimumRecord(json: Array(bytes), name: file)
      let given = record.scenario.objective ?? Objective()
      // Costs of launches are added up here without their times.
      let objective = given.countsTime ? Objective() : given
      for cell in record.cells {
        guard let matrix = LaunchMatrix(cell) else { continue }
        guard matrix.decisions.count <= Self.maxDecisions else {
          larger += 1
          continue
        }
        for factor in [1] + Objective.otherFactors {
          let prices = objective.scalingWork(by: factor).prices
          let all = EverySchedule(matrix, Objective(prices))
          try compare(matrix, all, Objective(prices), "\(file), \(cell.engine), \(cell.arm)")
          schedules += all.count
        }
        matrices += 1
      }
    }
    print(
      "\(matrices) launch matrices, \(schedules) schedules at three prices, compared with the dynamic program; "
        + "\(larger) matrices of more than \(Self.maxDecisions) decisions left out")
    #expect(matrices > 0)
  }

  /// Compares the optimum, and the one that rewrites at most half as much.
  private func compare(
    _ matrix: LaunchMatrix, _ all: EverySchedule, _ objective: Objective, _ name: String
  ) throws {
    let graph = matrix.graph(objective)
    let free = try #require(all.best(maxRewritten: .max))
    let limit = free.rewritten / 2
    for maximum in [Int.max, limit] {
      let least = try #require(all.best(maxRewritten: maximum))
      let limits = ScheduleLimits(rewritten: maximum == .max ? nil : maximum)
      guard case .found(let nodes, let cost) = ScheduleSearch(graph, limits).best() else {
        Issue.record("\(name): a schedule is within the limit")
        continue
      }
      #expect(cost == least.cost, "\(name)")
      #expect(nodes.count == least.compactions, "\(name)")
    }
  }
}

/// All schedules of a launch matrix, each priced by adding up its launches one by one. They share the sums of their beginnings.
private struct EverySchedule {
  struct Priced {
    var cost: Cost
    var compactions: Int
    var rewritten: Int
  }

  private let schedules: [Priced]

  init(_ matrix: LaunchMatrix, _ objective: Objective) {
    var schedules: [Priced] = []
    let launches = 1...matrix.launchCount
    /// What each launch comes to by the launch of the last compaction.
    let figures = Dictionary(
      uniqueKeysWithValues: ([0] + matrix.decisions).map { last in
        let own = launches.map { launch -> Priced in
          let priced = matrix.priced(launch, compactedAt: last) ?? PricedFigures()
          return Priced(
            cost: objective.cost(of: priced), compactions: launch == last ? 1 : 0,
            rewritten: priced.rewritten.bytes)
        }
        return (last, own)
      })
    let canCompact = Set(matrix.decisions)
    func add(_ launch: Int, _ last: Int, to sum: Priced) {
      var sum = sum
      guard launch <= launches.upperBound, let own = figures[last]?[launch - 1] else {
        schedules.append(sum)
        return
      }
      if canCompact.contains(launch), last != launch { add(launch, launch, to: sum) }
      sum.cost = sum.cost + own.cost
      sum.compactions += own.compactions
      sum.rewritten += own.rewritten
      add(launch + 1, last, to: sum)
    }
    add(1, 0, to: Priced(cost: .zero, compactions: 0, rewritten: 0))
    self.schedules = schedules
  }

  var count: Int { schedules.count }

  /// Returns the cheapest of those within the limit; of equal costs, that with the fewest compactions.
  func best(maxRewritten: Int) -> Priced? {
    schedules.filter { $0.rewritten <= maxRewritten }
      .min { ($0.cost, $0.compactions) < ($1.cost, $1.compactions) }
  }
}
