// Expectations: each condition where it holds, where it fails, and where it says nothing.
import Analysis
import MetricModel
import Policies
import PredicateLanguage
import RecordModel
import ScenarioModel
import Testing

@Suite("Expectations")
struct ExpectationTests {
  private func outcome(
    _ condition: ScenarioModel.Expectation.Condition, _ samples: [Sample],
    scope: ScenarioModel.Expectation.Scope = .during(phase: "work"), engine: String? = nil,
    schedule: RunSchedule = .stepped
  ) throws -> ExpectationOutcome.Result? {
    let expectation = ScenarioModel.Expectation(
      text: "it", scope: scope, condition: condition, engine: engine, line: 3)
    let record = SmallRecord.make(
      [.init(policy: .never, size: 1)], schedule: schedule, expectations: [expectation])
    let rows = CellRows(key: SmallRecord.key(.never), repetition: 1, rows: samples)
    let result = ScenarioAnalysis(record: record, samples: samples.isEmpty ? [] : [rows])
    return result.expectations.first?.result
  }

  @Test("one without an engine cannot fail on an engine that the scenario does not name")
  func addedEngine() throws {
    func result(
      of limit: Int, engine: String? = nil, stated: [String]
    ) throws -> ExpectationOutcome.Result? {
      let expectation = ScenarioModel.Expectation(
        text: "it", scope: .during(phase: "work"),
        condition: .always(try Predicate(observed: "totalBytes <= \(limit) MB")), engine: engine,
        line: 3)
      var record = SmallRecord.make(
        [.init(policy: .never, size: 1)], schedule: .stepped, expectations: [expectation])
      let key = SmallRecord.key(.never)
      record.scenario.engines = stated
      record.scenario = record.scenario.choosing(engines: [key.engine])
      let rows = CellRows(key: key, repetition: 1, rows: SmallRecord.samples(rising))
      return ScenarioAnalysis(record: record, samples: [rows]).expectations.first?.result
    }
    let key = SmallRecord.key(.never)
    #expect(try failed(result(of: 20, stated: [key.engine])) != nil)
    let reason = try reason(result(of: 20, stated: ["lmdb", "sqlite"]))
    #expect(reason?.hasPrefix("stated of lmdb, sqlite; at commit ") == true, "\(reason ?? "")")
    #expect(try failed(result(of: 20, engine: key.engine, stated: ["lmdb"])) != nil)
    #expect(try held(result(of: 100, stated: ["lmdb"])) != nil)
  }

  private func held(_ result: ExpectationOutcome.Result?) -> String? {
    if case .held(let evidence)? = result { evidence } else { nil }
  }
  private func failed(_ result: ExpectationOutcome.Result?) -> String? {
    if case .failed(let evidence)? = result { evidence } else { nil }
  }
  private func reason(_ result: ExpectationOutcome.Result?) -> String? {
    if case .notApplicable(let reason)? = result { reason } else { nil }
  }

  private let rising = (0..<31).map { 10_000_000 + $0 * 1_000_000 }
  private let level = (0..<31).map { 10_000_000 + min($0, 15) * 1_000_000 }

  @Test("a curve that rises to the end grows, one that stops rising levels off, and never both")
  func shapes() throws {
    let plateau = ScenarioModel.Expectation.Condition.plateau(variable: "totalBytes")
    let grows = ScenarioModel.Expectation.Condition.grows(variable: "totalBytes")
    #expect(
      failed(try outcome(plateau, SmallRecord.samples(rising)))
        == "totalBytes goes from 30.0 MB to 40.0 MB over the last 1,000 commits, 10.0 kB per commit"
    )
    #expect(held(try outcome(grows, SmallRecord.samples(rising))) != nil)
    #expect(held(try outcome(plateau, SmallRecord.samples(level))) != nil)
    #expect(failed(try outcome(grows, SmallRecord.samples(level))) != nil)
  }

  @Test("one growth step of the file is no growth, two are")
  func growthStep() throws {
    let plateau = ScenarioModel.Expectation.Condition.plateau(variable: "totalBytes")
    let step = 1 << 20
    func curve(_ steps: Int) -> [Int] {
      (0..<31).map { 4_000_000 + ($0 > 25 ? steps * step - 1 : 0) }
    }
    #expect(held(try outcome(plateau, SmallRecord.samples(curve(1)))) != nil)
    #expect(failed(try outcome(plateau, SmallRecord.samples(curve(2)))) != nil)
  }

  @Test("on real threads the file may take one step more, wherever in the phase, and no second one")
  func growthStepOnThreads() throws {
    let plateau = ScenarioModel.Expectation.Condition.plateau(variable: "totalBytes")
    let step = 1 << 20
    for sample in [22, 25, 29] {
      func curve(_ rise: Int) -> [Sample] {
        SmallRecord.samples((0..<31).map { 4_000_000 + ($0 > sample ? rise : 0) })
      }
      #expect(failed(try outcome(plateau, curve(step))) != nil)
      #expect(held(try outcome(plateau, curve(step), schedule: .threads)) != nil)
      #expect(held(try outcome(plateau, curve(2 * step - 1), schedule: .threads)) != nil)
      #expect(failed(try outcome(plateau, curve(2 * step), schedule: .threads)) != nil)
    }
  }

  @Test("a trend must hold in every launch that has the phase, and the one that fails is reported")
  func launches() throws {
    let grows = ScenarioModel.Expectation.Condition.grows(variable: "totalBytes")
    let both = SmallRecord.samples(rising) + SmallRecord.samples(rising, launch: 2, from: 9000)
    #expect(held(try outcome(grows, both))?.hasSuffix("; in all 2 launches") == true)
    let one = SmallRecord.samples(rising) + SmallRecord.samples(level, launch: 2, from: 9000)
    #expect(failed(try outcome(grows, one))?.hasPrefix("launch 2: ") == true)
  }

  @Test("always fails at the first sample that breaks it, with the values")
  func always() throws {
    let condition = ScenarioModel.Expectation.Condition.always(
      try Predicate(observed: "totalBytes < 35 MB"))
    #expect(
      failed(try outcome(condition, SmallRecord.samples(rising)))
        == "at commit 2,500: totalBytes 35.0 MB >= 35 MB")
    #expect(
      held(try outcome(condition, SmallRecord.samples(level)))?.hasPrefix("at all 31") == true)
  }

  @Test("eventually counts commits from the start of the scope")
  func eventually() throws {
    let falling = rising.reversed().map { $0 }
    let predicate = try Predicate(observed: "totalBytes <= 20 * liveBytes")
    let soon = ScenarioModel.Expectation.Condition.eventually(predicate, withinCommits: 2000)
    let late = ScenarioModel.Expectation.Condition.eventually(predicate, withinCommits: 1999)
    let any = ScenarioModel.Expectation.Condition.eventually(predicate, withinCommits: nil)
    let samples = SmallRecord.samples(falling, from: 500)
    #expect(held(try outcome(soon, samples))?.hasPrefix("after 2,000 commits: ") == true)
    #expect(failed(try outcome(late, samples))?.hasPrefix("not within 1,900 commits; ") == true)
    #expect(held(try outcome(any, samples)) != nil)
  }

  @Test(
    "after a phase begins with its last sample and ends with the launch; at the end is the last")
  func scopes() throws {
    let samples =
      SmallRecord.samples([90, 80], phase: "trim") + SmallRecord.samples([70, 60], from: 200)
      + SmallRecord.samples([95], launch: 2, from: 300)
    let below = ScenarioModel.Expectation.Condition.always(
      try Predicate(observed: "totalBytes <= 80"))
    #expect(held(try outcome(below, samples, scope: .after(phase: "trim"))) != nil)
    #expect(failed(try outcome(below, samples, scope: .atEnd)) != nil)
    #expect(failed(try outcome(below, samples, scope: .during(phase: "trim"))) != nil)
    #expect(
      reason(try outcome(below, samples, scope: .after(phase: "nowhere")))
        == "no sample after nowhere")
  }

  @Test("a value that an engine does not report is not applicable, never a failure")
  func unknown() throws {
    let samples = SmallRecord.samples(rising, live: nil)
    let ratio = ScenarioModel.Expectation.Condition.always(
      try Predicate(observed: "totalBytes < 2 * liveBytes"))
    #expect(reason(try outcome(ratio, samples)) == "the engine does not report liveBytes")
    let shape = ScenarioModel.Expectation.Condition.plateau(variable: "pinnedBytes")
    #expect(reason(try outcome(shape, samples)) == "the engine does not report pinnedBytes")
    let short = ScenarioModel.Expectation.Condition.plateau(variable: "totalBytes")
    #expect(
      reason(try outcome(short, Array(samples.prefix(2))))?.contains("too few samples") == true)
    #expect(reason(try outcome(short, [])) == "no samples were recorded")
    #expect(try outcome(short, samples, engine: "lmdb") == nil)
  }

  @Test("under the threads schedule every run must hold")
  func runs() throws {
    let expectation = ScenarioModel.Expectation(
      text: "it", scope: .during(phase: "work"), condition: .grows(variable: "totalBytes"))
    let record = SmallRecord.make(
      [.init(policy: .never, size: 1)], schedule: .threads, expectations: [expectation])
    let rows = [rising, level].enumerated().map {
      CellRows(
        key: SmallRecord.key(.never), repetition: $0 + 1, rows: SmallRecord.samples($1))
    }
    let result = ScenarioAnalysis(record: record, samples: rows)
    #expect(failed(result.expectations.first?.result)?.hasPrefix("run 2 of 2: ") == true)
  }
}
