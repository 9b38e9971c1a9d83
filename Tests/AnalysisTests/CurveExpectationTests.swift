// Shapes of curves: each where it holds, where it fails and at which commit, and where it says nothing.
import Analysis
import MetricModel
import Policies
import PredicateLanguage
import RecordModel
import ScenarioModel
import Testing

@Suite("Expectations of curves")
struct CurveExpectationTests {
  private typealias Condition = ScenarioModel.Expectation.Condition

  private func outcome(
    _ condition: ScenarioModel.Expectation.Condition, _ samples: [Sample],
    scope: ScenarioModel.Expectation.Scope = .during(phase: "work")
  ) throws -> ExpectationOutcome {
    let expectation = ScenarioModel.Expectation(text: "it", scope: scope, condition: condition)
    let record = SmallRecord.make(
      [.init(policy: .never, size: 1)], expectations: [expectation])
    let rows = CellRows(key: SmallRecord.key(.never), repetition: 1, rows: samples)
    return try #require(ScenarioAnalysis(record: record, samples: [rows]).expectations.first)
  }

  /// `held: …`, `failed: …` or `n/a: …`.
  private func words(
    _ condition: ScenarioModel.Expectation.Condition, _ samples: [Sample],
    scope: ScenarioModel.Expectation.Scope = .during(phase: "work")
  ) throws -> String {
    switch try outcome(condition, samples, scope: scope).result {
    case .held(let evidence): "held: \(evidence)"
    case .failed(let evidence): "failed: \(evidence)"
    case .notApplicable(let reason): "n/a: \(reason)"
    }
  }

  /// Pins from one sample up to another, with what is kept for them at each sample.
  private func pinned(_ kept: [Int], pins: ClosedRange<Int>) -> [Sample] {
    var samples = SmallRecord.samples(kept.map { 1_000_000 + $0 })
    for index in samples.indices {
      samples[index].observation.pins = pins.contains(index) ? 1 : 0
      samples[index].observation.space.pinned = ByteCount(kept[index])
    }
    return samples
  }

  @Test("a slope is compared with its bound over the last third, on the given side")
  func slope() throws {
    let samples = SmallRecord.samples((0..<31).map { 10_000_000 + $0 * 4000 })
    func slope(_ comparison: ScenarioModel.Expectation.Comparison, _ bound: Double) throws -> String
    {
      try words(.slope(variable: "totalBytes", comparison, perCommit: bound), samples)
    }
    let evidence =
      "totalBytes goes from 10.1 MB to 10.1 MB over the last 1,000 commits, 40 B per commit"
    #expect(try slope(.atMost, 40) == "held: \(evidence)")
    #expect(try slope(.atMost, 39.9) == "failed: \(evidence)")
    #expect(try slope(.below, 40) == "failed: \(evidence)")
    #expect(try slope(.above, 39) == "held: \(evidence)")
    #expect(try slope(.atLeast, 41) == "failed: \(evidence)")
  }

  @Test("a high-water mark is that of the scope, beside a size or the maximum of another variable")
  func highWater() throws {
    let samples = SmallRecord.samples([1_000_000, 4_000_000, 2_000_000])
    #expect(
      try words(.highWater(variable: "totalBytes", .atMost, .value(4_000_000)), samples)
        == "held: totalBytes reaches 4.00 MB at commit 100; the limit is 4.00 MB")
    #expect(
      try words(
        .highWater(variable: "totalBytes", .atMost, .times(3, variable: "liveBytes")), samples)
        == "failed: totalBytes reaches 4.00 MB at commit 100; "
        + "the limit is 3.00 MB, 3.00 times the maximum of liveBytes")
    #expect(
      try words(
        .highWater(variable: "totalBytes", .atMost, .times(4, variable: "liveBytes")), samples
      ).hasPrefix("held"))
    #expect(
      try words(.highWater(variable: "pinnedBytes", .atMost, .value(1)), samples)
        == "n/a: the engine does not report pinnedBytes")
  }

  @Test(
    "a rise is from the first sample to the last, beside a size or the rise of another variable")
  func rise() throws {
    let samples = SmallRecord.samples([3_000_000, 9_000_000, 5_000_000])
    let evidence = "totalBytes rises by 2.00 MB, from 3.00 MB; the limit is"
    #expect(
      try words(.rise(variable: "totalBytes", .atMost, .value(2_000_000)), samples)
        == "held: \(evidence) 2.00 MB")
    #expect(
      try words(.rise(variable: "totalBytes", .below, .value(2_000_000)), samples)
        == "failed: \(evidence) 2.00 MB")
    #expect(
      try words(.rise(variable: "totalBytes", .above, .times(3, variable: "liveBytes")), samples)
        == "held: \(evidence) 0 B, 3.00 times the rise of liveBytes")
  }

  @Test("a cell is compared with the one that differs only in its policy, repetition by repetition")
  func against() throws {
    func results(_ factor: Double, other: [Int]?) throws -> [ExpectationOutcome] {
      let expectation = ScenarioModel.Expectation(
        text: "it", scope: .during(phase: "work"),
        condition: .highWater(variable: "totalBytes", .atMost, .timesOther(factor)),
        against: .policy("never"))
      let record = SmallRecord.make(
        [.init(policy: .never, size: 1), .init(policy: .everyLaunch, size: 1)],
        expectations: [expectation])
      var rows = [
        CellRows(
          key: SmallRecord.key(.everyLaunch), repetition: 1,
          rows: SmallRecord.samples([1_000_000, 3_000_000]))
      ]
      if let other {
        rows.append(
          CellRows(
            key: SmallRecord.key(.never), repetition: 1, rows: SmallRecord.samples(other)))
      }
      return ScenarioAnalysis(record: record, samples: rows).expectations
    }
    // The cell that it is held against is not held against itself.
    let held = try results(1.5, other: [2_000_000, 1_000_000])
    #expect(held.map(\.cell) == [SmallRecord.key(.everyLaunch)])
    let evidence = "totalBytes reaches 3.00 MB at commit 100; the limit is"
    #expect(
      held.map(\.result) == [
        .held(evidence: "\(evidence) 3.00 MB, 1.50 times 2.00 MB")
      ])
    #expect(
      try results(1.4, other: [2_000_000, 1_000_000]).map(\.result) == [
        .failed(evidence: "\(evidence) 2.80 MB, 1.40 times 2.00 MB")
      ])
    #expect(
      try results(1.4, other: nil).map(\.result) == [
        .notApplicable(reason: "native, never, usual was not run")
      ])
  }

  @Test("expectations see bytes written and compacted like bytes of the file")
  func work() throws {
    var samples = SmallRecord.samples([1_000_000, 1_000_000, 1_000_000])
    for index in samples.indices {
      samples[index].written = ByteCount(index * 500)
      samples[index].compactions = index
    }
    #expect(
      try words(.rise(variable: "writtenBytes", .atMost, .value(1000)), samples)
        == "held: writtenBytes rises by 1.00 kB, from 0 B; the limit is 1.00 kB")
    #expect(
      try words(.always(Predicate(observed: "compactions <= 2")), samples).hasPrefix("held"))
    #expect(
      try words(.always(Predicate(observed: "rewrittenBytes > 0")), samples).hasPrefix("failed"))
  }

  @Test("pinned bytes are reclaimed in time after their release, or the check fails")
  func reclaimed() throws {
    let samples = pinned([0, 500, 900, 900, 900, 300, 0, 0], pins: 1...3)
    let reclaimed = { Condition.reclaimed(variable: "pinnedBytes", withinCommits: $0) }
    let begin = "pinnedBytes was 0 B before the snapshots and 900 B at their release at commit 400"
    #expect(
      try words(reclaimed(200), samples) == "held: \(begin), and is back after 200 commits")
    #expect(
      try words(reclaimed(199), samples)
        == "failed: \(begin), and is still 300 B after 100 commits")
    #expect(
      try words(reclaimed(200), pinned([0, 0], pins: 5...6))
        == "n/a: no snapshot was released there")
    #expect(
      try words(.reclaimed(variable: "totalBytes", withinCommits: 100), samples).hasPrefix("failed")
    )
  }

  @Test("a release at the end of a phase is seen by checks of the next phase")
  func releasedAtTheEnd() throws {
    var samples = pinned([0, 500, 900, 900, 0], pins: 1...2)
    for index in 0...3 { samples[index].phase = "pinned" }
    let condition = Condition.reclaimed(variable: "pinnedBytes", withinCommits: 100)
    #expect(
      try words(condition, samples, scope: .after(phase: "pinned")).hasPrefix(
        "held: pinnedBytes was 0 B before"))
  }

  @Test("a rebound counts from the minimum on")
  func rebound() throws {
    let samples = SmallRecord.samples([9_000_000, 2_000_000, 2_500_000, 3_000_000])
    let evidence =
      "totalBytes rises from 2.00 MB at commit 100 to 3.00 MB at commit 300, 1.50 times"
    #expect(
      try words(.rebound(variable: "totalBytes", atMost: 1.5), samples) == "held: \(evidence)")
    #expect(
      try words(.rebound(variable: "totalBytes", atMost: 1.4), samples) == "failed: \(evidence)")
    #expect(
      try words(.rebound(variable: "sidecarBytes", atMost: 1), samples)
        == "held: sidecarBytes stays zero")
  }

  @Test("never fails if its condition holds once")
  func never() throws {
    let predicate = try Predicate(observed: "totalBytes > 3 MB")
    let samples = SmallRecord.samples([1_000_000, 4_000_000, 2_000_000])
    #expect(try words(.never(predicate), samples).hasPrefix("failed: at commit 100: "))
    #expect(
      try words(.never(predicate), SmallRecord.samples([1, 2])).hasPrefix("held: at none of 2"))
  }

  @Test(
    "after each event the predicate holds in time, or the event that it does not follow is told")
  func following() throws {
    var samples = SmallRecord.samples([9, 5, 9, 8, 5, 5].map { $0 * 1_000_000 })
    for index in 1..<6 { samples[index].compactions = index < 2 ? 1 : 2 }
    let small = try Predicate(observed: "totalBytes < 6 MB")
    #expect(
      try words(.following(.compaction, small, withinCommits: 200), samples).hasPrefix(
        "held: compaction at commit 100: after 0 commits"))
    #expect(
      try words(.following(.compaction, small, withinCommits: 100), samples).hasPrefix(
        "failed: compaction at commit 200: not within 100 commits"))
    #expect(
      try words(.following(.release, small, withinCommits: 100), samples)
        == "n/a: no release there")
    #expect(
      try words(.following(.opening, small, withinCommits: 100), samples).hasPrefix(
        "held: opening at commit 0: after 100 commits"))
  }

  @Test("a failure has a plot of the curve with a mark; a check that held has none")
  func picture() throws {
    let samples = SmallRecord.samples([1_000_000, 4_000_000, 2_000_000])
    let failed = try outcome(
      .highWater(variable: "totalBytes", .atMost, .value(3_000_000)), samples)
    #expect(
      failed.picture == """
        totalBytes
        4.00 MB │ █
                │ █
                │ █
                │ █
                │ ██
                │ ██
                │███
              0 │███
                └───
                  ▲ commit 100
                 commits 0 to 200
        """)
    let held = try outcome(.highWater(variable: "totalBytes", .atMost, .value(4_000_000)), samples)
    #expect(held.picture == nil)
  }
}
