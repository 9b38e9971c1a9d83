// The optimum as a user finds it: schedules, regret, checks of predictions, mistakes, and runs that are killed.
import Foundation
import LaunchSchedules
import MetricModel
import Objective
import RecordModel
import ReportRendering
import RunJournal
import SystemIO
import TestSupport
import Testing

@Suite("The optimum, as a user finds it", .timeLimit(.minutes(HangGuard.minutes)))
struct OptimumCommandTests {
  static let scenario = """
    scenario: tiny
    question: When is a small file compacted at the least cost?
    data:
      Item: { rows: 400, value: { size: 200 B } }
    clients:
      writer: { kind: writer, transaction: { insert: 2, update: 3 } }
    phases:
      - trim: { delete: 70 %, launches: [1, 3] }
      - work: { commits: 20, run: [writer] }
    launches: { count: 5, gap: 8 h }
    engines: [native, lmdb, sqlite]
    policies:
      - never
      - every-launch
      - half = on-launch: usedBytes / totalBytes < 50 %
      - automatic
    sample: { every: 5 commits }

    """

  private func optimum(
    _ options: [String] = [], in folder: FilePath
  ) async throws -> BuiltCommand.Outcome {
    try await BuiltCommand.run(
      ["optimum", "tiny.yml", "--output", "out"] + options, in: folder)
  }

  private static func record(_ folder: FilePath) throws -> OptimumRecord {
    try OptimumRecord(
      json: try FileSystem.read(folder.appending("out/tiny-optimum/\(OptimumRecord.fileName)")))
  }

  /// The rows of optimum.csv by column.
  private static func rows(_ folder: FilePath) throws -> [[String: String]] {
    let text = try FileSystem.readText(
      folder.appending("out/tiny-optimum/\(OptimumCSV.fileName)"))
    let lines = text.split(whereSeparator: \.isNewline).map(Self.fields)
    let names = try #require(lines.first)
    return lines.dropFirst().map { Dictionary(uniqueKeysWithValues: zip(names, $0)) }
  }

  /// The fields of a row, of which those in quotes may hold commas.
  private static func fields(_ line: Substring) -> [String] {
    line.split(separator: "\"", omittingEmptySubsequences: false).enumerated().reduce([""]) {
      fields, part in
      guard part.offset.isMultiple(of: 2) else {
        return fields.dropLast() + [fields[fields.count - 1] + part.element]
      }
      let parts = part.element.split(separator: ",", omittingEmptySubsequences: false)
        .map(String.init)
      return fields.dropLast() + [fields[fields.count - 1] + parts[0]] + parts.dropFirst()
    }
  }

  @Test(
    "on three engines predictions hold to the byte, and no schedule is cheaper than the optimum")
  func threeEngines() async throws {
    try await BuiltCommand.withTiny(Self.scenario) { folder in
      let outcome = try await optimum(["--checks", "3"], in: folder)
      #expect(outcome.code == 0, "\(outcome.errors)")
      let names = try FileSystem.list(folder.appending("out/tiny-optimum"))
      #expect(
        names == ["launch-matrix.csv", "optimum.csv", "optimum.json", "optimum.md", "plots"])
      let record = try Self.record(folder)
      #expect(record.cells.map(\.engine) == ["native", "lmdb", "sqlite"])
      for cell in record.cells {
        let renewal = try #require(cell.renewal)
        #expect(renewal.difference == nil, "\(cell.engine)")
        // Every launch, and three that were drawn.
        #expect(renewal.schedules >= 4)
      }
      let rows = try Self.rows(folder)
      for engine in ["native", "lmdb", "sqlite"] {
        let own = rows.filter { $0["engine"] == engine && $0["work_price_factor"] == "1" }
        // LMDB has no automatic compaction.
        let automatic = engine == "lmdb" ? [] : ["automatic"]
        #expect(
          own.map { $0["policy"] ?? "" } == ["optimum", "never", "every-launch", "half"] + automatic
        )
        for row in own where row["policy"] != "automatic" {
          #expect(Double(row["regret"] ?? "") ?? -1 >= 0, "\(row)")
        }
      }
      #expect(rows.count == 3 * (5 + 4 + 5))
    }
  }

  @Test("with moments in the background, the optimum is the cheapest of all schedules, really run")
  func moments() async throws {
    let text = Self.scenario.replacing(
      "count: 5, gap: 8 h", with: "count: 3, gap: 8 h, background: [idle, charging at 50 %]"
    )
    .replacing(
      "  - automatic", with: "  - plugged = on-launch: isCharging && usedBytes / totalBytes < 90 %")
    try await BuiltCommand.withTiny(text) { folder in
      // Three launches and four moments between them; the first launch makes the database.
      let outcome = try await optimum(
        ["--engine", "native", "--engine", "sqlite", "--checks", "57"], in: folder)
      #expect(outcome.code == 0, "\(outcome.errors)")
      let record = try Self.record(folder)
      #expect(record.cells.count == 2)
      for var cell in record.cells {
        #expect(cell.renewal?.difference == nil)
        let objective = Objective()
        let all = OptimumResult(cell, objective)
        #expect(all.basis == .everySchedule)
        let really = try #require(all.rankings.first?.best.schedule)
        cell.runs.removeAll { $0.purpose == .check }
        let predicted = OptimumResult(cell, objective)
        #expect(predicted.basis == .renewal)
        #expect(predicted.rankings.first?.best.schedule?.cost == really.cost)
        #expect(predicted.rankings.first?.best.schedule?.schedule == really.schedule)
      }
      let page = try FileSystem.readText(folder.appending("out/tiny-optimum/optimum.md"))
      #expect(page.contains("charging before "), "\(page)")
      #expect(page.contains("A compaction in the background holds up no launch."))
      let rows = try Self.rows(folder).filter { $0["policy"] == "plugged" }
      #expect(rows.allSatisfy { $0["compacted_at"]?.contains("charging before") == true })
    }
  }

  @Test("report renders the files again, byte for byte; another objective gives other costs")
  func rendered() async throws {
    try await BuiltCommand.withTiny(Self.scenario) { folder in
      let made = try await optimum(["--engine", "native", "--checks", "0"], in: folder)
      #expect(made.code == 0, "\(made.errors)")
      let output = folder.appending("out/tiny-optimum")
      let names = ["optimum.md", "optimum.csv", "launch-matrix.csv", "plots/schedules-1.svg"]
      func contents() throws -> [[UInt8]] {
        try names.map { try FileSystem.read(output.appending($0)) }
      }
      let first = try contents()
      for name in names { try FileSystem.removeFile(output.appending(name)) }
      let again = try await BuiltCommand.run(["report", "out"], in: folder)
      #expect(again.code == 0 && again.output.contains("optimum.md"), "\(again.errors)")
      let second = try contents()
      #expect(first == second)
      let dear = try await BuiltCommand.run(
        ["report", "out", "--objective", "space: 1, rewritten: 1000"], in: folder)
      #expect(dear.code == 0, "\(dear.errors)")
      #expect(try Self.rows(folder)[0]["compacted_at"] == "none")
      #expect(try FileSystem.read(output.appending("launch-matrix.csv")) == first[2])
      // A changed record is not rendered.
      let record = output.appending(OptimumRecord.fileName)
      let text = try FileSystem.readText(record)
      try FileSystem.write(
        text: text.replacing("\"purpose\":\"matrix\"", with: "\"purpose\":\"check\""), to: record)
      let changed = try await BuiltCommand.run(["report", "out"], in: folder)
      #expect(changed.code == 2, "\(changed.output)")
      #expect(changed.errors.contains("--accept-changed"), "\(changed.errors)")
      try FileSystem.write(
        text: text.replacing("\"isAutomatic\":true", with: "\"isAutomatic\":false"), to: record)
      let accepted = try await BuiltCommand.run(["report", "out", "--accept-changed"], in: folder)
      #expect(accepted.code == 0 && accepted.errors.contains("changed after the run: optimum.json"))
      let page = try FileSystem.readText(output.appending("optimum.md"))
      #expect(page.contains("These figures were not measured."), "\(page)")
    }
  }

  @Test("a limit that no schedule meets is an error with the least that there is, and a report")
  func unmetLimit() async throws {
    try await BuiltCommand.withTiny(Self.scenario) { folder in
      let outcome = try await optimum(
        ["--engine", "sqlite", "--checks", "0", "--objective", "max-size: 1 kB"], in: folder)
      #expect(outcome.code == 2, "\(outcome.errors)")
      let message =
        "no schedule meets the limits: at most 1.00 kB by max-size, but the files reach"
      #expect(outcome.errors.contains("tiny: sqlite · default: \(message)"), "\(outcome.errors)")
      let page = try FileSystem.readText(folder.appending("out/tiny-optimum/optimum.md"))
      #expect(page.contains(message), "\(page)")
    }
  }

  @Test("a limit that only one of two engines can meet is an error that names the other")
  func unmetOnOneEngine() async throws {
    try await BuiltCommand.withTiny(Self.scenario) { folder in
      let made = try await optimum(
        ["--engine", "native", "--engine", "lmdb", "--checks", "0"], in: folder)
      #expect(made.code == 0, "\(made.errors)")
      // The smallest high-water mark of any policy on each engine: a limit between them.
      let least = try ["native", "lmdb"].map { engine in
        try #require(
          Self.rows(folder).filter { $0["engine"] == engine }
            .compactMap { $0["high_water_bytes"].flatMap(Int.init) }.min())
      }
      let (small, large) = least[0] < least[1] ? ("native", "lmdb") : ("lmdb", "native")
      let limit = (least[0] + least[1]) / 2
      let outcome = try await optimum(
        [
          "--engine", "native", "--engine", "lmdb", "--checks", "0", "--objective",
          "max-size: \(limit) B",
        ], in: folder)
      #expect(outcome.code == 2, "\(outcome.output)")
      #expect(outcome.errors.contains("tiny: \(large) · default: no schedule meets the limits"))
      #expect(!outcome.errors.contains("tiny: \(small) · default"), "\(outcome.errors)")
      #expect(outcome.output.contains("\(small) · default: optimum: compact"), "\(outcome.output)")
    }
  }

  @Test("a scenario that kills compactions has no launch matrix: a clear error before any run")
  func killedCompactions() async throws {
    let text = Self.scenario.replacing("gap: 8 h }", with: "gap: 8 h, compaction-killed: 2 to 5 }")
    try await BuiltCommand.withTiny(text) { folder in
      for command in ["optimum", "tune"] {
        let outcome = try await BuiltCommand.run(
          [command, "tiny.yml", "--engine", "native", "--output", "out"], in: folder)
        #expect(outcome.code == 2, "\(command): \(outcome.output)")
        #expect(
          outcome.errors.contains("tiny kills compactions (compaction-killed)"),
          "\(command): \(outcome.errors)")
        #expect(!FileSystem.exists(folder.appending("out/tiny-optimum")), "\(command)")
      }
    }
  }

  @Test(
    "what cannot be ranked is refused with the reason",
    arguments: [
      (["--objective", "space: -1"], Int32(64), "expected a price such as 0.5, found \"-1\""),
      (["--objective", "space: nan"], 64, "expected a price such as 0.5, found \"nan\""),
      (["--objective", "space: 0, rewritten: 0"], 64, "all prices are zero"),
      (["--objective", "rewriten: 1"], 64, "did you mean \"rewritten\"?"),
      (["--objective", "blocked: 1"], 64, "stepped runs are no measurement of time"),
      (["--set", "launches.count=201"], 2, "tiny has 201 launches"),
      (["--engine", "null"], 2, "there is nothing to compact"),
    ])
  func refused(options: [String], code: Int32, reason: String) async throws {
    try await BuiltCommand.withTiny(Self.scenario) { folder in
      let outcome = try await optimum(options, in: folder)
      #expect(outcome.code == code, "\(outcome.errors)")
      #expect((outcome.errors + outcome.output).contains(reason), "\(outcome.errors)")
    }
  }

  @Test("with one launch there is nothing to decide, and that is stated")
  func oneLaunch() async throws {
    let text = Self.scenario.replacing("{ count: 5, gap: 8 h }", with: "1")
      .replacing("[1, 3]", with: "1")
    try await BuiltCommand.withTiny(text) { folder in
      let outcome = try await optimum(in: folder)
      #expect(outcome.code == 2)
      #expect(
        outcome.errors.contains("tiny has one launch, so there is nothing to decide"),
        "\(outcome.errors)")
    }
  }

  @Test("killed at random moments and repeated, it comes to the same files")
  func killed() async throws {
    try await BuiltCommand.withTiny(Self.scenario) { folder in
      let kills = 6
      let command = "\"$lab\" optimum tiny.yml --engine native --engine sqlite -q --output"
      let began = Clock.monotonicNanoseconds()
      let whole = try await BuiltCommand.script("exec \(command) whole", in: folder)
      let milliseconds = Int(Clock.monotonicNanoseconds() - began) / 1_000_000
      try #require(whole.ending == .exited(0), "\(whole.errorText)")
      var random = SeededRandom(seed: testSeed(22))
      let killed = KilledCommand(
        command: "\(command) killed", folder: folder, journal: "killed/tiny-optimum/run.journal"
      ) { _ in
        max(2, milliseconds)
      }
      let outcome = try await killed.run(maxKills: kills, &random)
      #expect(outcome.kills > 0 && outcome.resumptions > 0, "seed \(random.seed)")
      let (first, second) = (
        folder.appending("whole/tiny-optimum"), folder.appending("killed/tiny-optimum")
      )
      #expect(!FileSystem.exists(second.appending(Journal.fileName)))
      for name in ["optimum.csv", "launch-matrix.csv", "plots/schedules-1.svg"] {
        let (one, other) = (
          try FileSystem.read(first.appending(name)), try FileSystem.read(second.appending(name))
        )
        #expect(one == other, "seed \(random.seed): \(name)")
      }
    }
  }

  @Test("interrupted, it ends with exit code 130, and the same command runs the rest")
  func interrupted() async throws {
    try await BuiltCommand.withTiny(Self.scenario) { folder in
      let outcome = try await BuiltCommand.interruptedAndRepeated(
        "optimum tiny.yml --engine native -q --output out",
        when: "[ $(wc -l < out/tiny-optimum/run.journal) -ge 2 ]", in: folder)
      #expect(outcome.errorText.contains("resumes the optimum"), "\(outcome.errorText)")
    }
  }
}
