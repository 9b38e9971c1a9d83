// The choice of a family: by what its rules come to on seeds that they were not chosen on.
import Generators
import LaunchSchedules
import MetricModel
import Objective
import RecordModel
import Testing

@Suite("Choice of a family")
struct FamilyChoiceTests {
  private static func runs(seeds: Int, waste: Int = 2_000_000) -> [TuningRun] {
    var stream = RandomStream(seed: 5, label: "families")
    return (1...seeds).map { seed in
      var cell = HandMadeCell()
      cell.live = (0..<10).map { _ in 2_000_000 + Int(stream.next(below: 6_000_000)) }
      cell.waste = (0..<10).map { _ in Int(stream.next(below: waste)) }
      return TuningRun(workload: 0, seed: UInt64(seed), cell: cell.cell())
    }
  }

  @Test("a fold is judged by the rule that is chosen without it", arguments: [2, 3, 12])
  func validation(seeds: Int) throws {
    let search = try TuningSearch(Self.runs(seeds: seeds), Objective())
    #expect(search.folds.count == min(5, seeds))
    #expect(search.matrices.count == seeds)
    for family in [PolicyFamily.freeBytes, .multiple, .everyLaunches] {
      let grid = CandidateGrid(family, over: search.matrices)
      let validation = try #require(CandidateSearch(grid, search.folds).best().validation)
      var cost = 0.0
      for index in search.folds.indices {
        var others = search.folds
        let fold = others.remove(at: index)
        cost += CandidateSearch(grid, others).best().rule.score(on: fold.matrices).cost
      }
      #expect(abs(validation.cost - cost) <= 1e-9 * cost, "\(family)")
    }
  }

  @Test("families come in the order of what they cost on the seeds left out")
  func order() throws {
    let search = try TuningSearch(Self.runs(seeds: 10), Objective())
    let results = search.best(of: [.freeBytes, .multiple, .squareRoot, .everyLaunches, .everyHours])
    let costs = try results.map { try #require($0.validation).cost }
    #expect(costs == costs.sorted())
    for result in results {
      let least = try #require(search.minRegret(of: result.rule.family))
      #expect(try least <= #require(search.regret(result.score)))
      // Sums of the same costs in another order.
      let cost = result.rule.score(on: search.matrices).cost
      #expect(abs(result.score.cost - cost) <= 1e-12 * cost)
    }
  }

  @Test("a row that differs in a column without a price does not make look-ups approximate")
  func approximate() {
    var cell = HandMadeCell()
    #expect(TuningRun(workload: 0, seed: 1, cell: cell.cell()).pricedDifference == nil)
    cell.shifted = 5
    let harmless = TuningRun(workload: 0, seed: 1, cell: cell.cell(checks: [[2, 4]]))
    #expect(harmless.cell.renewal?.difference != nil)
    #expect(harmless.pricedDifference == nil)
    cell.remembered = 7
    let priced = TuningRun(workload: 0, seed: 1, cell: cell.cell(checks: [[2, 4]]))
    #expect(priced.pricedDifference?.column == "file_bytes")
  }

  @Test("where only little data is worth a copy, the family that bounds the copy is best")
  func boundedCopy() throws {
    // The file wastes as much beside 1 MB of data as beside 30 MB, of which a copy costs more than its waste.
    let runs = (1...6).map { seed in
      var cell = HandMadeCell()
      cell.live = (0..<12).map { launch in (launch + seed) % 4 == 0 ? 1_000_000 : 30_000_000 }
      cell.waste = Array(repeating: 2_000_000, count: 12)
      return TuningRun(workload: 0, seed: UInt64(seed), cell: cell.cell())
    }
    let objective = try Objective(Prices(space: 3, rewritten: 1))
    let families: [PolicyFamily] = [.freeBytes, .boundedCopy]
    let results = try TuningSearch(runs, objective).best(of: families)
    guard case .boundedCopy(_, let bound) = results[0].rule else {
      Issue.record("\(results[0].rule.policy)")
      return
    }
    #expect(bound > ByteCount(1_000_000) && bound <= ByteCount(30_000_000), "\(bound)")
    #expect(results[0].score.cost < results[1].score.cost)
  }
}
