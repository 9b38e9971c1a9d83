// Sweeps as a user makes them: points, tables, the best policy, mistakes, and sweeps that are killed.
import Foundation
import RecordModel
import ReportRendering
import RunJournal
import SystemIO
import TestSupport
import Testing

@Suite("Sweeps, as a user makes them", .timeLimit(.minutes(HangGuard.minutes)))
struct SweepCommandTests {
  private static let scenario = """
    scenario: tiny
    question: What does a sweep of a small scenario come to?
    parameters: { limit: 20 kB, share: 50 % }
    data:
      Item: { rows: 200, value: { size: 100 B } }
    clients:
      writer: { kind: writer, transaction: { update: 5 } }
    phases:
      - trim: { delete: 90 %, launches: 1 }
      - work: { commits: 10, run: [writer] }
    launches: 3
    engines: [native]
    policies:
      - never
      - small = on-launch: totalBytes > $limit && usedBytes / totalBytes < $share
    sample: { every: 5 commits }

    """

  private func sweep(
    _ vary: [String], _ options: [String] = [], in folder: FilePath
  ) async throws -> BuiltCommand.Outcome {
    try await BuiltCommand.run(
      ["sweep", "tiny.yml"] + vary.flatMap { ["--vary", $0] } + ["--output", "out"] + options,
      in: folder)
  }

  /// The columns of the table by name, without the row of names.
  private static func columns(_ folder: FilePath) throws -> [String: [String]] {
    let text = try FileSystem.readText(folder.appending("out/tiny-sweep/sweep.csv"))
    let rows = text.split(whereSeparator: \.isNewline).map {
      $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }
    let names = try #require(rows.first)
    return Dictionary(
      uniqueKeysWithValues: names.indices.map { index in
        (names[index], rows.dropFirst().map { $0[index] })
      })
  }

  @Test("two axes are crossed, and a policy without the varied limit is run once for each size")
  func grid() async throws {
    try await BuiltCommand.withTiny(Self.scenario) { folder in
      let outcome = try await sweep(
        ["limit=10 kB, 1 MB", "data.Item.rows=100..400 log 3"], in: folder)
      #expect(outcome.code == 0, "\(outcome.errors)")
      // Per size: never once, and the rule at both limits.
      #expect(outcome.output.contains("9 runs"), "\(outcome.output)")
      let columns = try Self.columns(folder)
      #expect(columns["status"] == Array(repeating: "measured", count: 12))
      let points = zip(columns["limit_bytes"] ?? [], columns["data.Item.rows"] ?? [])
        .map { "\($0) \($1)" }
      let expected = ["10000", "1000000"].flatMap { limit in
        ["100", "200", "400"].map { "\(limit) \($0)" }
      }
      #expect(points == expected.flatMap { [$0, $0] })
      let names = try FileSystem.list(folder.appending("out/tiny-sweep"))
      #expect(names == ["plots", "sweep-times.csv", "sweep.csv", "sweep.json", "sweep.md"])
      #expect(
        try FileSystem.list(folder.appending("out/tiny-sweep/plots"))
          == ["heat-map.svg", "lines-1-limit.svg", "lines-2-data-Item-rows.svg"])
      let record = try SweepRecord(
        json: try FileSystem.read(folder.appending("out/tiny-sweep/sweep.json")))
      #expect(record.points.count == 6 && record.groups.count == 3)
    }
  }

  @Test("values by Sobol's sequence share its points")
  func sobol() async throws {
    try await BuiltCommand.withTiny(Self.scenario) { folder in
      let outcome = try await sweep(
        ["limit=10 kB..1 MB sobol 4", "share=30 %..70 % sobol 4"], in: folder)
      #expect(outcome.code == 0, "\(outcome.errors)")
      let columns = try Self.columns(folder)
      #expect(columns["point"] == ["1", "1", "2", "2", "3", "3", "4", "4"])
      func halves(_ name: String) -> [String] {
        (columns[name] ?? []).enumerated().filter { $0.offset % 2 == 0 }.map(\.element)
      }
      #expect(halves("limit_bytes") == ["10000", "505000", "752500", "257500"])
      #expect(halves("share_percent") == ["30", "50", "40", "60"])
      let uneven = try await sweep(
        ["limit=10 kB..1 MB sobol 4", "share=30 %..70 % sobol 8"], in: folder)
      #expect(uneven.code == 64, "\(uneven.errors)")
    }
  }

  @Test("the best policy is the one with the limit that the file reaches")
  func best() async throws {
    // However slow the machine is, no launch takes as long.
    let (row, page) = try await bestRow("objective: { max-launch: 1 h }")
    #expect(row.contains("100 kB") && row.contains("small (limit=100 kB)"), "\(page)")
  }

  @Test("if a limit of the objective excludes what costs less, the table says that it is a limit")
  func excluded() async throws {
    let (row, page) = try await bestRow("objective: { max-launch: 1 h, max-rewritten: 1 kB }")
    #expect(row.contains("never: no policy within the limits costs clearly less"), "\(page)")
  }

  /// Returns the row of the table of best policies, and the page that it is on.
  private func bestRow(_ objective: String) async throws -> (row: Substring, page: String) {
    try await BuiltCommand.withTiny(Self.scenario + objective + "\n") { folder in
      let outcome = try await sweep(
        ["limit=100 kB, 1 GB"],
        ["--set", "data.Item.rows=20_000", "--set", "phases.work.commits=300"], in: folder)
      #expect(outcome.code == 0, "\(outcome.errors)")
      let page = try FileSystem.readText(folder.appending("out/tiny-sweep/sweep.md"))
      let row = page.split(separator: "\n").first { $0.hasPrefix("| native |") } ?? ""
      return (row, page)
    }
  }

  @Test(
    "a mistake in what is varied ends the command before anything runs, and names what was meant",
    arguments: [
      ("limt=10 kB, 1 MB", 2, "called \"limt\"; did you mean \"limit\"?"),
      ("data.Item.row=1, 2", 2, "did you mean \"data.Item.rows\"?"),
      ("phases.wrk.commits=1..2 lin 2", 2, "did you mean \"phases.work.commits\"?"),
      ("data.Item.rows=many, few", 2, "data.Item.rows: expected a whole number"),
      ("data.Item.rows=1 MB, 2 MB", 2, "data.Item.rows: expected a whole number"),
      ("limit=uniform, sequential", 2, "where $limit is uniform by --vary"),
      ("data.Item.rows=-4, 7", 2, "data.Item.rows: -4 is out of range"),
      ("launches=0..3 lin 4", 2, "launches: 0 is out of range"),
      ("data.Item.rows=1e3..1e30 log 3", 64, "is too large"), ("limit", 64, "--vary"),
    ])
  func mistakes(text: String, code: Int32, words: String) async throws {
    try await BuiltCommand.withTiny(Self.scenario) { folder in
      let outcome = try await sweep([text], in: folder)
      #expect(outcome.code == code && outcome.errors.contains(words), "\(outcome.errors)")
      #expect(!FileSystem.exists(folder.appending("out")))
    }
  }

  /// The number of kills; with `JOURNAL_KILLS` of a sweep of 1,000 cells, and else of a short one.
  private static let kills =
    ProcessInfo.processInfo.environment["JOURNAL_KILLS"].flatMap { Int($0) }
  private static let points = kills == nil ? 50 : 500

  /// A sweep with two cells a point, to which the name of the output folder is added.
  private static let command =
    "\"$lab\" sweep tiny.yml --vary 'data.Item.rows=100..\(99 + points) lin \(points)' -q --output"

  /// Makes the sweep without interruption, in the folder `whole`.
  private func makeWhole(in folder: FilePath) async throws {
    let outcome = try await BuiltCommand.script("exec \(Self.command) whole", in: folder)
    try #require(outcome.ending == .exited(0), "\(outcome.errorText)")
  }

  private func expectWhole(_ name: String, in folder: FilePath, _ comment: Comment) throws {
    let (first, second) = (
      folder.appending("whole/tiny-sweep"), folder.appending("\(name)/tiny-sweep")
    )
    for file in [SweepCSV.fileName, "plots/lines-1-data-Item-rows.svg"] {
      let (one, other) = (
        try FileSystem.read(first.appending(file)), try FileSystem.read(second.appending(file))
      )
      #expect(one == other, "\(file), \(comment)")
    }
    #expect(
      try FileSystem.readText(second.appending(SweepCSV.fileName)).split(
        whereSeparator: \.isNewline
      ).count == 2 * Self.points + 1)
  }

  @Test(
    "a sweep killed at random moments and repeated has the table of one that was not, byte for byte"
  )
  func killed() async throws {
    try await BuiltCommand.withTiny(Self.scenario) { folder in
      let kills = Self.kills ?? 8
      let began = Clock.monotonicNanoseconds()
      try await makeWhole(in: folder)
      let milliseconds = Int(Clock.monotonicNanoseconds() - began) / 1_000_000
      var random = SeededRandom(seed: testSeed(22))
      print("sweep of \(2 * Self.points) cells, killed \(kills) times: SEED=\(random.seed)")
      // The random ones together take about as long as the whole sweep.
      let killed = KilledCommand(
        command: "\(Self.command) killed", folder: folder,
        journal: "killed/tiny-sweep/run.journal"
      ) { _ in
        max(2, 2 * milliseconds / kills)
      }
      let outcome = try await killed.run(maxKills: kills, &random)
      #expect(outcome.kills > 0 && outcome.resumptions > 0, "seed \(random.seed)")
      #expect(!FileSystem.exists(folder.appending("killed/tiny-sweep/\(Journal.fileName)")))
      try expectWhole("killed", in: folder, "seed \(random.seed)")
    }
  }

  @Test("a sweep in seven shards, on one processor or two, has the table of one sweep")
  func sharded() async throws {
    try await BuiltCommand.withTiny(Self.scenario) { folder in
      try await makeWhole(in: folder)
      let outcome = try await BuiltCommand.script(
        """
        for i in 1 2 3 4 5 6 7; do
          processors=$(command -v taskset > /dev/null && echo taskset -c 0-$((i % 2)))
          $processors \(Self.command) parts --shard $i/7 || exit
        done
        "$lab" merge parts --output merged
        """, in: folder)
      try #require(outcome.ending == .exited(0), "\(outcome.errorText)")
      try expectWhole("merged", in: folder, "seven shards")
    }
  }

  @Test(
    "report renders the files of a sweep again, byte for byte, and with another figure other pictures"
  )
  func rendered() async throws {
    try await BuiltCommand.withTiny(Self.scenario) { folder in
      let made = try await sweep(["limit=10 kB, 1 MB"], ["--policy", "small"], in: folder)
      #expect(made.code == 0, "\(made.errors)")
      let output = folder.appending("out/tiny-sweep")
      let names = [
        SweepCSV.fileName, SweepCSV.timesFileName, "sweep.md", "plots/lines-1-limit.svg",
      ]
      func contents() throws -> [[UInt8]] {
        try names.map { try FileSystem.read(output.appending($0)) }
      }
      let first = try contents()
      for name in names { try FileSystem.removeFile(output.appending(name)) }
      let again = try await BuiltCommand.run(["report", "out"], in: folder)
      #expect(again.code == 0 && again.output.contains("sweep.md"), "\(again.errors)")
      let second = try contents()
      #expect(first == second)
      let other = try await BuiltCommand.run(
        ["report", "out", "--figure", "high_water_bytes"], in: folder)
      #expect(other.code == 0, "\(other.errors)")
      let third = try contents()
      #expect(first[0] == third[0] && first[3] != third[3])
      // A changed record is not rendered.
      let record = output.appending(SweepRecord.fileName)
      let text = try FileSystem.readText(record)
      try FileSystem.write(
        text: text.replacing("\"operations\" : ", with: "\"operations\" : 1"), to: record)
      let changed = try await BuiltCommand.run(["report", "out"], in: folder)
      #expect(changed.code == 2, "\(changed.output)")
      #expect(changed.errors.contains("--accept-changed"), "\(changed.errors)")
      let accepted = try await BuiltCommand.run(["report", "out", "--accept-changed"], in: folder)
      #expect(accepted.code == 0 && accepted.errors.contains("changed after the run: sweep.json"))
      let page = try FileSystem.readText(output.appending("sweep.md"))
      #expect(page.contains("These figures were not measured."), "\(page)")
    }
  }

  @Test("chosen policies, arms and sizes are those of a run, and validate checks what --set makes")
  func choices() async throws {
    try await BuiltCommand.withTiny(Self.scenario) { folder in
      let sized = try await sweep(
        ["limit=10 kB, 1 MB"], ["--policy", "small", "--comparator", "none", "--size", "middle"],
        in: folder)
      #expect(sized.code == 0 && sized.output.contains("2 runs"), "\(sized.errors)")
      let record = try SweepRecord(
        json: try FileSystem.read(folder.appending("out/tiny-sweep/sweep.json")))
      #expect(record.groups.map { $0.scenario.tables[0].rows } == [600])
      let arm = try await sweep(["limit=10 kB, 1 MB"], ["--arm", "defalt"], in: folder)
      #expect(arm.code == 2 && arm.errors.contains("did you mean \"default\"?"), "\(arm.errors)")
      for (value, code) in [("40 kB", Int32(0)), ("uniform", 2)] {
        let checked = try await BuiltCommand.run(
          ["validate", "tiny.yml", "--set", "limit=\(value)"], in: folder)
        #expect(checked.code == code, "\(checked.errors)")
      }
    }
  }

  @Test(
    "rows for which the disk has no space are refused with both figures before anything runs",
    .enabled("a small file system can be mounted", SmallFileSystem.isAvailable))
  func tooLarge() async throws {
    try await BuiltCommand.withTiny(Self.scenario) { folder in
      let outcome = try await BuiltCommand.script(
        """
        mkdir work && mount -t tmpfs -o size=1m tmpfs work || exit 11
        "$lab" run tiny.yml --set data.Item.rows=20_000 --work-folder work --output out; code=$?
        umount work
        exit $code
        """, in: folder)
      #expect(outcome.ending == .exited(2), "\(outcome.outputText)")
      let error = outcome.errorText
      #expect(error.contains("the rows that a cell begins with have 2.00 MB"), "\(error)")
      #expect(error.contains("1.05 MB of free space"), "\(error)")
      #expect(!FileSystem.exists(folder.appending("out")))
    }
  }

  @Test("the number of cells at a time changes no exact figure")
  func jobs() async throws {
    try await BuiltCommand.withTiny(Self.scenario) { folder in
      var tables: [[UInt8]] = []
      for jobs in ["1", "4"] {
        let outcome = try await sweep(
          ["data.Item.rows=100..109 lin 10"], ["--jobs", jobs, "--no-resume"], in: folder)
        #expect(outcome.code == 0, "\(outcome.errors)")
        tables.append(try FileSystem.read(folder.appending("out/tiny-sweep/sweep.csv")))
      }
      #expect(tables[0] == tables[1])
    }
  }
}
