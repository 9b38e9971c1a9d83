// A search over many candidates: the choice is the least of them all. It prints how long it took, which no test judges.
//   CANDIDATES=1000000 TUNE_RUNS=Reports/messenger-tune swift test … --filter DenseGridTests
// searches the launch matrices of a `tune` folder, the training seeds and the held-out ones, in place of made ones.
import Foundation
import Generators
import MetricModel
import Objective
import RecordModel
import Testing

@testable import LaunchSchedules

@Suite("Searches over dense grids")
struct DenseGridTests {
  private static let environment = ProcessInfo.processInfo.environment
  private static let count = environment["CANDIDATES"].flatMap(Int.init) ?? 20_000

  /// Those of a folder that `tune` wrote; without one, of made launches.
  private static func search() throws -> TuningSearch {
    guard let folder = environment["TUNE_RUNS"].map(URL.init(fileURLWithPath:)) else {
      return try TuningSearch(madeRuns(), Objective())
    }
    let files = try #require(FileManager.default.enumerator(atPath: folder.path))
      .compactMap { $0 as? String }
      .filter { $0.hasSuffix("/\(OptimumRecord.fileName)") && !$0.hasPrefix("robustness") }.sorted()
    let runs = try files.flatMap { file -> [TuningRun] in
      let bytes = try Data(contentsOf: folder.appendingPathComponent(file))
      let record = try OptimumRecord(json: Array(bytes), name: file)
      return record.cells.enumerated().map {
        TuningRun(workload: $0, seed: record.scenario.seed, cell: $1)
      }
    }
    return try TuningSearch(runs, Objective())
  }

  private static func madeRuns() -> [TuningRun] {
    var stream = RandomStream(seed: 22, label: "dense grids")
    return (0..<40).map { seed in
      var cell = HandMadeCell()
      cell.live = (0..<14).map { _ in 2_000_000 + stream.next(below: 6_000_000) }
      cell.waste = (0..<14).map { _ in stream.next(below: 2_000_000) }
      return TuningRun(workload: 0, seed: UInt64(seed), cell: cell.cell())
    }
  }

  /// The thresholds of a grid with about so many candidates: between none and all launches compact.
  private static func grid(_ family: PolicyFamily, _ matrices: [TuningMatrix]) -> CandidateGrid {
    let usual = CandidateGrid(family, over: matrices)
    let rows = count / usual.second.count
    let (low, high) = (usual.first[0], usual.first[usual.first.count - 1])
    let step = Double(high - low) / Double(rows)
    return CandidateGrid(
      family, first: (0..<rows).map { low + Int(Double($0) * step) }, second: usual.second)
  }

  @Test(
    "each candidate has to the bit the score of its rule alone", arguments: PolicyFamily.allCases)
  func scores(_ family: PolicyFamily) throws {
    let matrices = try Self.search().matrices
    let usual = CandidateGrid(family, over: matrices)
    // Of long axes a part, with the ends.
    func some(_ axis: [Int]) -> [Int] {
      let step = max(1, axis.count / 60)
      return axis.enumerated().filter { $0.offset % step == 0 || $0.offset == axis.count - 1 }
        .map(\.element)
    }
    let grid = CandidateGrid(family, first: some(usual.first), second: some(usual.second))
    let scores = CandidateScores(grid, on: matrices).scores
    #expect(scores.count == grid.count)
    for row in grid.first.indices {
      for column in grid.second.indices {
        let score = grid.rule(row, column).score(on: matrices)
        #expect(
          scores[row * grid.second.count + column] == score, "\(grid.rule(row, column).policy)")
      }
    }
    #expect(Set(scores.map(\.cost)).count > 2)
  }

  @Test(
    "none of the candidates costs less than the chosen one by more than the tolerance",
    arguments: [PolicyFamily.sizeAndShare, .capped])
  func least(_ family: PolicyFamily) throws {
    let search = try Self.search()
    let grid = Self.grid(family, search.matrices)
    let candidates = CandidateSearch(grid, search.folds)
    let began = ContinuousClock.now
    let best = candidates.best()
    let took = ContinuousClock.now - began
    print(
      "\(family.rawValue): \(grid.count) candidates on \(search.matrices.count) launch matrices in \(took)"
    )
    // Sums of the same costs in another order.
    let cost = best.rule.score(on: search.matrices).cost
    #expect(abs(best.score.cost - cost) <= 1e-12 * cost)
    var stream = RandomStream(seed: 23, label: "candidates")
    for _ in 0..<2000 {
      let row = stream.next(below: grid.first.count)
      let column = stream.next(below: grid.second.count)
      let score = grid.rule(row, column).score(on: search.matrices)
      let bound = score.cost + CandidateSearch.tolerance * search.optimum
      #expect(best.score.cost <= bound * (1 + 1e-12), "\(grid.rule(row, column).policy)")
    }
  }
}
