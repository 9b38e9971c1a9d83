// `gate --max-regret` as CI calls it: a release that makes the shipped policy a bad one fails the build.
import RecordFixtures
import RecordModel
import SystemIO
import TestSupport
import Testing

@Suite("The gate's limit of regret", .timeLimit(.minutes(HangGuard.minutes)))
struct RegretGateTests {
  private static let names = ["stays", "edge", "turned"]
  private static let best = OptimumFixture.Outcome(
    "stays", [100, 100, 100, 100], rewritten: [40, 40, 40])
  /// A tenth more than the optimum.
  private static let edge = OptimumFixture.Outcome(
    "edge", [100, 112, 100, 100], rewritten: [40, 40, 40])

  /// A real record, with other figures in it.
  private static func write(
    _ turned: OptimumFixture.Outcome, to file: FilePath, _ real: OptimumRecord
  ) throws {
    var record = real
    record.scenario.policies =
      OptimumFixture.record([], policies: names).scenario.policies
    record.scenario.launches = 4
    let arm = record.cells[0].arm
    record.cells = [OptimumFixture.cell([best, edge, turned], arm: arm)]
    try FileSystem.write(try record.json(), to: file)
  }

  /// Runs an optimum, and calls the body with its record.
  private func withOptimum(
    _ body: (
      FilePath, FilePath, OptimumRecord, _ lab: (String) async throws -> BuiltCommand.Outcome
    )
      async throws -> Void
  ) async throws {
    try await BuiltCommand.withFolder { folder in
      try FileSystem.write(text: OptimumCommandTests.scenario, to: folder.appending("tiny.yml"))
      let made = try await BuiltCommand.run(
        ["optimum", "tiny.yml", "--engine", "native", "--checks", "0", "--output", "out", "-q"],
        in: folder)
      #expect(made.code == 0, "\(made.errors)")
      let file = folder.appending("out/tiny-optimum/\(OptimumRecord.fileName)")
      try await body(folder, file, try OptimumRecord(json: try FileSystem.read(file))) { words in
        // Percentages are one word.
        try await BuiltCommand.run(words.split(separator: " ").map(String.init), in: folder)
      }
    }
  }

  @Test("a policy that turns bad fails; one that stays and one exactly at the limit pass")
  func turned() async throws {
    try await withOptimum { folder, file, real, lab in
      let before = OptimumFixture.Outcome(
        "turned", [100, 100, 100, 100], rewritten: [40, 40, 40])
      try Self.write(before, to: file, real)
      let first = try await lab("gate out --max-regret 10%")
      #expect(first.code == 0, "\(first.errors)")
      #expect(first.output == "gate: pass: all 3 regrets are at most 10 %.\n")
      #expect(try await lab("gate out").code == 4, "without a limit regrets need a baseline")
      let saved = try await lab("baseline save out")
      #expect(saved.output == ".compaction-lab/baselines/tiny.optimum.csv: saved, 3 cells\n")
      #expect(
        try await lab("baseline list").output.hasPrefix("tiny.optimum: 3 cells, engines native"))
      #expect(
        try await lab("baseline show tiny.optimum").output.contains("regret_points"))
      let same = try await lab("gate out --max-regret 10%")
      #expect(
        same.output
          == "gate: pass: 6 exact figures of 3 cells in 1 scenario equal the baseline, and all 3 regrets are at most 10 %.\n"
      )
      #expect(try await lab("history add out --commit aaa").code == 0)

      let after = OptimumFixture.Outcome("turned", [100, 200, 100, 100], rewritten: [0, 40, 40])
      try Self.write(after, to: file, real)
      let turned = try await lab(
        "gate out --max-regret 10% --json g.json --junit j.xml --markdown g.md")
      #expect(turned.code == 1)
      let finding =
        "tiny · native · turned · default: regret 50.0 %, at most 10 %; the costliest decision: did not compact at launch 2"
        + " (totalBytes 200 MB)"
      #expect(turned.output.contains("regression: \(finding)"), "\(turned.output)")
      #expect(turned.output.contains("turned · default: regret_points 0 → 0.06"))
      let json = try FileSystem.readText(folder.appending("g.json"))
      #expect(json.contains("\"isWithin\" : false") && json.contains("\"limit\" : \"10 %\""))
      #expect(try FileSystem.readText(folder.appending("j.xml")).contains("regret 50.0 %"))
      #expect(
        try FileSystem.readText(folder.appending("g.md")).contains(
          "| regret | 50.0 %, at most 10 %"))
      // Without the baseline, and for the policies that stayed, it passes; a little below the edge it does not.
      let kept = "--policy stays --policy edge --baselines none"
      #expect(try await lab("gate out --max-regret 10% \(kept)").code == 0)
      let below = try await lab("gate out --max-regret 9.999% \(kept)")
      #expect(
        below.code == 1 && below.output.contains("edge · default: regret 10.0 %, at most 9.999 %"))
      #expect(try await lab("history add out --commit bbb").code == 0)
      let found = try await lab("history detect --metric regret_points")
      #expect(
        found.output.contains(
          "bbb: tiny · native · turned · default: regret_points is worse, exact"),
        "\(found.output)")
      #expect(try await lab("baseline compare out").code == 1)
    }
  }

  @Test("a real optimum passes a wide limit, and never fails a narrow one")
  func real() async throws {
    try await withOptimum { _, _, _, lab in
      #expect(try await lab("gate out --max-regret 100000000%").code == 0)
      let narrow = try await lab("gate out --max-regret 0% --policy never")
      #expect(
        narrow.code == 1 && narrow.output.contains("tiny · native · never · default: regret "))
    }
  }

  @Test("what cannot be judged is an error, and never a pass")
  func errors() async throws {
    try await withOptimum { _, file, real, lab in
      let unknown = try await lab("gate out --max-regret 10% --policy nevr")
      #expect(unknown.code == 2)
      #expect(
        unknown.errors.contains(
          "out/tiny-optimum: has no policy \"nevr\"; it has: never, every-launch, half, automatic"),
        "\(unknown.errors)")
      for (options, reason) in [
        ("--max-regret 10", "expected a share such as \"10 %\", found \"10\""),
        ("--policy never", "--policy names what --max-regret holds for"),
      ] {
        let wrong = try await lab("gate out \(options)")
        #expect(wrong.code == 64 && wrong.errors.contains(reason), "\(wrong.errors)")
      }
      var absent = real
      absent.cells = [OptimumCell(engine: "native", arm: "default", absence: "it was left out")]
      try FileSystem.write(try absent.json(), to: file)
      let nothing = try await lab("gate out --max-regret 10% --partial")
      #expect(nothing.code == 2)
      #expect(nothing.errors.contains("has no optimum: it was left out"), "\(nothing.errors)")
      let run = try await lab(
        "run tiny.yml --engine native --policy never --schedule stepped --repetitions 1 --output runs"
      )
      #expect(run.code == 0, "\(run.errors)")
      let without = try await lab("gate runs --max-regret 10%")
      #expect(without.code == 2)
      #expect(without.errors.contains("there is no record of an optimum"), "\(without.errors)")
    }
  }
}
