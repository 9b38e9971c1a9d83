// `tune` as a user finds it: a rule chosen on some seeds and measured on others, its code, mistakes, and runs that are killed.
import Foundation
import LaunchSchedules
import MetricModel
import Policies
import RecordModel
import ReportRendering
import SystemIO
import TestSupport
import Testing

@Suite("Tuning, as a user finds it", .timeLimit(.minutes(HangGuard.minutes)))
struct TuneCommandTests {
  private static let scenario = """
    scenario: tiny
    question: Which rule keeps a small file small?
    data:
      Item: { rows: 300, value: { size: 50 B to 400 B } }
    clients:
      writer: { kind: writer, transaction: { insert: 2, update: 3 } }
    phases:
      - trim: { delete: 60 %, launches: [2, 5] }
      - work: { commits: 15, run: [writer] }
    launches: { count: 7, gap: 8 h }
    engines: [native]
    policies:
      - never
      - own = on-launch: usedBytes / totalBytes < 30 %
    sample: { every: 5 commits }

    """

  private func tune(
    _ options: [String], in folder: FilePath
  ) async throws -> BuiltCommand.Outcome {
    try await BuiltCommand.run(["tune", "tiny.yml", "--output", "out"] + options, in: folder)
  }

  private static func record(_ folder: FilePath) throws -> TuneRecord {
    try TuneRecord(
      json: try FileSystem.read(folder.appending("out/tiny-tune/\(TuneRecord.fileName)")))
  }

  @Test("the rule is chosen on the training seeds, and all that is reported was run on others")
  func heldOut() async throws {
    try await BuiltCommand.withTiny(Self.scenario) { folder in
      let outcome = try await tune(["--training-seeds", "3", "--held-out-seeds", "5"], in: folder)
      #expect(outcome.code == 0, "\(outcome.errors)")
      let record = try Self.record(folder)
      let engine = try #require(record.engines.first)
      #expect(engine.trainingSeeds == [1, 2, 3] && engine.heldOutSeeds == [4, 5, 6, 7, 8])
      #expect(Set(engine.runs.map(\.seed)) == [4, 5, 6, 7, 8])
      #expect(
        engine.families.map(\.family).sorted() == PolicyFamily.allCases.map(\.rawValue).sorted())
      // Each seed changes the workload, and no run undercuts the optimum of its seed. The optimum is of compactions at
      // launches: automatic compaction, in files that store rows as Realm Core does, can do without them.
      let optima = Set(engine.runs.map(\.optimum.units))
      #expect(optima.count == 5)
      #expect(
        engine.runs.allSatisfy { $0.cost >= $0.optimum || $0.policy == "realm-automatic" })
      let policies = Set(engine.runs.map(\.policy))
      #expect(policies.isSuperset(of: engine.families.map(\.policy)))
      #expect(policies.isSuperset(of: ["own", "never", "realm-20MB-50", "couchdb-smoosh"]))
      // What it reports of a policy is what the optimum's record of the seed has.
      let optimum = try OptimumRecord(
        json: try FileSystem.read(
          folder.appending("out/tiny-tune/held-out/native-tiny-seed-6/\(OptimumRecord.fileName)")))
      #expect(optimum.scenario.seed == 6)
      let own = try #require(optimum.cells[0].runs.first { $0.policy == "own" })
      let reported = try #require(engine.runs.first { $0.seed == 6 && $0.policy == "own" })
      let rewritten = own.launches.reduce(0) { $0 + ($1.rewritten?.bytes ?? 0) }
      #expect(reported.figures.rewritten == ByteCount(rewritten))
      let names = try FileSystem.list(folder.appending("out/tiny-tune"))
      #expect(
        names == ["held-out", "plots", "training", "tune.csv", "tune.json", "tune.md"])
    }
  }

  @Test("look-ups cost what the runs of the same rules cost")
  func lookUps() async throws {
    try await BuiltCommand.withTiny(Self.scenario) { folder in
      let first = try await tune(["--training-seeds", "2", "--held-out-seeds", "1"], in: folder)
      #expect(first.code == 0, "\(first.errors)")
      let record = try Self.record(folder)
      let families = record.engines[0].families
      // The rules that were found, run on the very seeds that they were found on.
      var options: [String] = []
      for family in families { options += ["--policy", family.policy] }
      for family in families {
        var (costs, optima) = (0.0, 0.0)
        for seed in [1, 2] {
          let run = try await BuiltCommand.run(
            [
              "optimum", "tiny.yml", "--seed", "\(seed)", "--policy", family.policy, "--output",
              "o\(seed)", "-q",
            ],
            in: folder)
          #expect(run.code == 0, "\(run.errors)")
          let optimum = OptimumAnalysis(
            try OptimumRecord(
              json: try FileSystem.read(
                folder.appending("o\(seed)/tiny-optimum/\(OptimumRecord.fileName)"))))
          let ranking = try #require(optimum.results[0].rankings.first)
          let outcome = try #require(ranking.policies.first { $0.policy == family.policy })
          costs += Double(outcome.cost.units)
          optima += Double(try #require(ranking.best.schedule).cost.units)
        }
        let regret = try #require(family.trainingRegret)
        #expect(abs((costs - optima) / optima - regret) < 1e-9, "\(family.policy)")
      }
    }
  }

  @Test("a rule's regret at a point is that of the scenario with the point's values set")
  func robustness() async throws {
    try await BuiltCommand.withTiny(Self.scenario) { folder in
      let outcome = try await tune(
        [
          "--training-seeds", "1", "--held-out-seeds", "2", "--family", "free-bytes",
          "--robustness", "4",
        ], in: folder)
      #expect(outcome.code == 0, "\(outcome.errors)")
      let engine = try #require(try Self.record(folder).engines.first)
      let varied = try #require(engine.robustness)
      let keys = try #require(varied.scenarios.first)
      // One thread, one row and seven launches stay; amounts move, by no more than a fifth.
      #expect(
        keys.keys == [
          "data.Item.rows", "data.Item.value.size", "phases.trim.delete", "phases.work.commits",
          "launches.gap",
        ])
      #expect(keys.values == ["300", "50 B to 400 B", "60 %", "15", "8 h"])
      #expect(keys.points.count == 4 && Set(keys.points).count == 4)
      #expect(keys.points[0] == ["240", "40 B to 320 B", "48 %", "12", "23040000000 us"])
      let rule = engine.families[0].policy
      #expect(Set(varied.runs.map(\.policy)) == [rule, "never", "own"])
      let result = try #require(VariedResult.all(varied).first { $0.policy == rule })
      #expect(outcome.output.contains("at 4 points"), "\(outcome.output)")
      // The worst point again, by `optimum` and with --set.
      var options = ["--seed", "\(varied.seed)", "--policy", rule, "--output", "again", "-q"]
      for setting in keys.settings(at: result.worstRun.point) { options += ["--set", setting] }
      let again = try await BuiltCommand.run(["optimum", "tiny.yml"] + options, in: folder)
      #expect(again.code == 0, "\(again.errors)")
      let optimum = OptimumAnalysis(
        try OptimumRecord(
          json: try FileSystem.read(
            folder.appending("again/tiny-optimum/\(OptimumRecord.fileName)"))))
      let ranking = try #require(optimum.results[0].rankings.first)
      let found = try #require(ranking.policies.first { $0.policy == rule })
      #expect(found.cost == result.worstRun.cost)
      #expect(ranking.best.schedule?.cost == result.worstRun.optimum)
      let table = try FileSystem.readText(folder.appending("out/tiny-tune/\(VariedCSV.fileName)"))
      #expect(table.split(whereSeparator: \.isNewline).count == 1 + varied.runs.count)
    }
  }

  @Test("report renders the files again, byte for byte, and refuses a changed record")
  func rendered() async throws {
    try await BuiltCommand.withTiny(Self.scenario) { folder in
      let made = try await tune(
        ["--training-seeds", "1", "--held-out-seeds", "1", "--family", "free-bytes"], in: folder)
      #expect(made.code == 0, "\(made.errors)")
      let output = folder.appending("out/tiny-tune")
      let names = ["tune.md", "tune.csv", "plots/policies-1.svg"]
      let first = try names.map { try FileSystem.read(output.appending($0)) }
      for name in names { try FileSystem.removeFile(output.appending(name)) }
      let again = try await BuiltCommand.run(["report", "out/tiny-tune/tune.json"], in: folder)
      #expect(again.code == 0 && again.output.contains("tune.md"), "\(again.errors)")
      #expect(try names.map { try FileSystem.read(output.appending($0)) } == first)
      let record = output.appending(TuneRecord.fileName)
      let text = try FileSystem.readText(record)
      try FileSystem.write(
        text: text.replacing("\"candidates\":", with: "\"candidates\":1"), to: record)
      let changed = try await BuiltCommand.run(["report", record.string], in: folder)
      #expect(changed.code == 2 && changed.errors.contains("was changed"), "\(changed.errors)")
    }
  }

  @Test(
    "what cannot be tuned is refused with the reason",
    arguments: [
      (["--family", "free-byte"], Int32(64), "did you mean \"free-bytes\"?"),
      (["--training-seeds", "0"], 64, "--training-seeds must be from 1 to 1000"),
      (["--robustness", "1"], 64, "--robustness must be 0, or from 2 to 1000"),
      (["--objective", "blocked: 1"], 2, "stepped runs are no measurement of time"),
      (["--set", "launches.count=201"], 2, "tiny has 201 launches"),
      (["--divergence", "-0.1"], 64, "--divergence"),
      (["--divergence", "nan"], 64, "--divergence must be a number from 0 on, or inf"),
      (["--weight", "tiny"], 64, "is not a name and a value, as in \"chat=3\""),
      (["--weight", "tiny=-1"], 64, "--weight tiny must be a number from 0 on, not \"-1\""),
      (["--weight", "tiny=nan"], 64, "--weight tiny must be a number from 0 on"),
      (["--weight", "tiny=1", "--weight", "tiny=2"], 64, "--weight tiny is given twice"),
      (["--weight", "tiny=0"], 2, "all weights are zero"),
      (["--weight", "tinny=1"], 2, "did you mean \"tiny\"?"),
      (["--engine", "null", "--training-seeds", "1"], 2, "there is nothing to compact"),
      (
        ["--objective", "max-size: 1 kB", "--training-seeds", "1"], 2,
        "no schedule of seed 1 meets the limits: at most 1.00 kB are allowed"
      ),
    ])
  func refused(options: [String], code: Int32, reason: String) async throws {
    try await BuiltCommand.withTiny(Self.scenario) { folder in
      let outcome = try await tune(options, in: folder)
      #expect(outcome.code == code, "\(outcome.errors)")
      #expect(
        (outcome.errors + outcome.output).contains(reason), "\(outcome.errors) \(outcome.output)")
    }
  }

  @Test("with one launch there is nothing to decide, and that is stated")
  func oneLaunch() async throws {
    let text = Self.scenario.replacing("{ count: 7, gap: 8 h }", with: "1")
      .replacing("[2, 5]", with: "1")
    try await BuiltCommand.withTiny(text) { folder in
      let outcome = try await tune([], in: folder)
      #expect(outcome.code == 2)
      #expect(
        outcome.errors.contains("tiny has one launch, so there is nothing to decide"),
        "\(outcome.errors)")
    }
  }

  @Test("interrupted, it ends with exit code 130, and the same command runs the rest")
  func interrupted() async throws {
    try await BuiltCommand.withTiny(Self.scenario) { folder in
      let outcome = try await BuiltCommand.interruptedAndRepeated(
        "tune tiny.yml --training-seeds 30 --held-out-seeds 1 --family free-bytes -q --output out",
        when: "[ -d out/tiny-tune/training/native-tiny-seed-2 ]", in: folder)
      #expect(
        outcome.errorText.contains("interrupted: what has ended is in"), "\(outcome.errorText)")
      #expect(outcome.errorText.contains("of an earlier run are used"), "\(outcome.errorText)")
    }
  }

  @Test("a seed with a run that fails is an error, not a seed less")
  func failedSeed() async throws {
    let text = Self.scenario.replacing("  - never", with: "  - broken = exec: ./broken")
    try await BuiltCommand.withTiny(text) { folder in
      let outcome = try await BuiltCommand.script(
        """
        printf '#!/bin/sh\nexit 3\n' > broken
        chmod +x broken
        "$lab" tune tiny.yml --training-seeds 1 --held-out-seeds 2 --family free-bytes --allow-exec -q --output out
        echo "code $?"
        """, in: folder)
      #expect(outcome.outputText.contains("code 2"), "\(outcome.outputText)")
      #expect(outcome.errorText.contains("native, tiny, seed 2: "), "\(outcome.errorText)")
      #expect(!FileSystem.exists(folder.appending("out/tiny-tune/\(TuneRecord.fileName)")))
    }
  }

  @Test("scenarios count by their weights, and the worst of their mixtures is rendered again")
  func mixture() async throws {
    try await BuiltCommand.withTiny(Self.scenario) { folder in
      let other = Self.scenario.replacing("scenario: tiny", with: "scenario: other")
        .replacing("delete: 60 %", with: "delete: 20 %")
      try FileSystem.write(text: other, to: folder.appending("other.yml"))
      let outcome = try await BuiltCommand.run(
        [
          "tune", "tiny.yml", "other.yml", "--training-seeds", "2", "--held-out-seeds", "2",
          "--family", "free-bytes", "--weight", "other=3", "--divergence", "inf", "--output", "out",
        ], in: folder)
      #expect(outcome.code == 0, "\(outcome.errors)")
      let output = folder.appending("out/tiny-and-1-more-tune")
      let record = try TuneRecord(
        json: try FileSystem.read(output.appending(TuneRecord.fileName)))
      #expect(record.mixture == WorkloadMixture(maxDivergence: nil, weights: ["other": 3]))
      let engine = try #require(record.engines.first)
      #expect(engine.workloads.map(\.scenario) == ["tiny", "other"])
      let policy = engine.families[0].policy
      // The regret of each scenario, from its runs.
      let regrets = engine.workloads.indices.map { workload in
        let own = engine.runs.filter { $0.workload == workload && $0.policy == policy }
        let optimum = own.reduce(0.0) { $0 + Double($1.optimum.units) }
        return (own.reduce(0.0) { $0 + Double($1.cost.units) } - optimum) / optimum
      }
      let result = try #require(TuneAnalysis(record).engines[0].result(of: policy))
      let regret = try #require(result.regret)
      #expect(abs(regret - (regrets[0] + 3 * regrets[1]) / 4) < 1e-9)
      let robustness = try #require(result.robustness)
      #expect(robustness.mixture == regrets.max() && robustness.worst == regrets.max())
      let page = try FileSystem.readText(output.appending("tune.md"))
      #expect(page.contains("other 3") && page.contains("the worst workload alone"))
      let again = try await BuiltCommand.run(["report", "\(output)/tune.json"], in: folder)
      #expect(again.code == 0, "\(again.errors)")
      #expect(try FileSystem.readText(output.appending("tune.md")) == page)
    }
  }

  @Test("killed at random moments and repeated, it comes to the same files")
  func killed() async throws {
    try await BuiltCommand.withTiny(Self.scenario) { folder in
      let options =
        "--training-seeds 2 --held-out-seeds 2 --family free-bytes --family multiple -q --output"
      let command = "\"$lab\" tune tiny.yml \(options)"
      let began = Clock.monotonicNanoseconds()
      let whole = try await BuiltCommand.script("exec \(command) whole", in: folder)
      let milliseconds = Int(Clock.monotonicNanoseconds() - began) / 1_000_000
      try #require(whole.ending == .exited(0), "\(whole.errorText)")
      var random = SeededRandom(seed: testSeed(23))
      let killed = KilledCommand(
        command: "\(command) killed", folder: folder,
        journal: "killed/tiny-tune/training/native-tiny-seed-1/run.journal"
      ) { _ in max(2, milliseconds) }
      let outcome = try await killed.run(maxKills: 5, &random)
      #expect(outcome.kills > 0, "seed \(random.seed)")
      for name in ["tune.csv", "plots/policies-1.svg"] {
        let files = try ["whole", "killed"].map {
          try FileSystem.read(folder.appending("\($0)/tiny-tune/\(name)"))
        }
        #expect(files[0] == files[1], "seed \(random.seed): \(name)")
      }
    }
  }
}
