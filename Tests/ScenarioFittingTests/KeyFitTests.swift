import Generators
import ScenarioModel
import Testing

@testable import ScenarioFitting

@Suite("Fits of keys")
struct KeyFitTests {
  /// Returns the fit to so many operations on rows drawn from the distribution.
  private func fit(_ keys: KeyDistribution, rows: Int, operations: Int, seed: UInt64) -> KeyFit {
    var chooser = KeyChooser(keys, seed: seed, label: "test")
    var sketch = KeySketch()
    for _ in 0..<operations {
      let row = chooser.next(rows: rows)
      sketch.add(rank: row, of: rows, key: Int64(row))
    }
    return KeyFit(sketch)
  }

  @Test(
    "the kind of a distribution is recovered, and its exponent within 0.03",
    arguments: [400, 1000, 990], [UInt64(1), 2, 3])
  func zipfian(theta: Int, seed: UInt64) throws {
    let zipfian = fit(.zipfian(thetaPermille: theta), rows: 5000, operations: 4000, seed: seed)
    guard case .zipfian(let found) = zipfian.keys else {
      Issue.record("\(zipfian.keys)")
      return
    }
    #expect(abs(found - min(theta, 999)) <= 30)
    let latest = fit(.latest(thetaPermille: theta), rows: 5000, operations: 4000, seed: seed)
    guard case .latest(let found) = latest.keys else {
      Issue.record("\(latest.keys)")
      return
    }
    #expect(abs(found - min(theta, 999)) <= 30)
  }

  @Test(
    "popular rows that lie anywhere are found by their repetitions, their exponent within 0.06",
    arguments: [700, 850, 990], [UInt64(1), 2, 3])
  func scrambled(theta: Int, seed: UInt64) {
    let fit = fit(.scrambledZipfian(thetaPermille: theta), rows: 5000, operations: 6000, seed: seed)
    guard case .scrambledZipfian(let found) = fit.keys else {
      Issue.record("\(fit.keys)")
      return
    }
    #expect(abs(found - theta) <= 60)
  }

  @Test(
    "both shares of a hot spot are recovered within 2 %",
    arguments: [(800, 200), (950, 50), (500, 100)])
  func hotspot(operations: Int, rows: Int) {
    let fit = fit(
      .hotspot(operationsPermille: operations, rowsPermille: rows), rows: 2000, operations: 5000,
      seed: 4)
    guard case .hotspot(let found, let part) = fit.keys else {
      Issue.record("\(fit.keys)")
      return
    }
    #expect(abs(found - operations) <= 20)
    #expect(abs(part - rows) <= 20)
  }

  @Test("nothing is made of chance", arguments: [60, 1000, 20_000], [UInt64(1), 2, 3, 4, 5])
  func uniform(operations: Int, seed: UInt64) {
    #expect(fit(.uniform, rows: 3000, operations: operations, seed: seed).keys == .uniform)
  }

  @Test("an order is no distribution", arguments: [KeyDistribution.sequential, .fifo])
  func ordered(keys: KeyDistribution) {
    #expect(fit(keys, rows: 300, operations: 700, seed: 1).keys == keys)
  }

  @Test("rows that come and go make no row popular")
  func changingRows() {
    var sketch = KeySketch()
    for rows in [400, 4000, 40_000] {
      var chooser = KeyChooser(.uniform, seed: 5, label: "\(rows)")
      var part = KeySketch()
      for _ in 0..<5000 {
        let row = chooser.next(rows: rows)
        part.add(rank: row, of: rows, key: Int64(row))
      }
      sketch.merge(part)
    }
    #expect(KeyFit(sketch).keys == .uniform)
  }

  @Test("the sum of powers is that of its terms", arguments: [0.3, 0.99, 1, 1.7])
  func harmonic(exponent: Double) {
    let terms = (1...50_000).reduce(0.0) { $0 + power(Double($1), -exponent) }
    #expect(abs(ZipfianFit.harmonic(50_000, exponent) / terms - 1) < 1e-6)
    #expect(ZipfianFit.harmonic(3, 1) == 1 + 0.5 + 1.0 / 3)
  }

  @Test("a writer's keys are fitted to what changes most rows")
  func writer() throws {
    var trace = SyntheticTrace()
    trace.launch(loading: [500])
    var updates = KeyChooser(.latest(thetaPermille: 900), seed: 1, label: "updates")
    trace.phase("work") { trace in
      for _ in 0..<400 {
        trace.commit { trace in
          trace.insert()
          for _ in 0..<5 { trace.update(&updates) }
          trace.delete(rank: 0)
        }
      }
    }
    let writer = try #require(try trace.fitted().clients.first?.writer)
    #expect(writer.keys.isClose(to: .latest(thetaPermille: 900)))
    #expect(writer.inserts == 1 && writer.updates == 5 && writer.deletes == 1)
  }
}

extension FittedScenario.Client {
  var writer: WriterSpec? {
    if case .writer(let spec) = spec.kind { spec } else { nil }
  }
  var pins: PinsSpec? {
    if case .pins(let spec) = spec.kind { spec } else { nil }
  }
}
