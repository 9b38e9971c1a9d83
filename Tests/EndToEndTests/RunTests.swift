import Foundation
import RecordModel
import SystemIO
import Testing

@Suite("Runs, as a user makes them")
struct RunTests {
  /// A scenario of a second, with a pin, a delete phase and three launches.
  static let small = """
    scenario: small
    question: Does a small run leave a whole report?
    description: A reader blocks while a writer goes on; then most rows are deleted.
    source: made for tests
    keywords: [test]
    seed: 3
    data:
      Item: { rows: 2_000, value: { size: 256 B } }
    clients:
      writer: { kind: writer, transaction: { update: 5 } }
      reader: { kind: reader, reads: 1 }
    phases:
      - pinned: { commits: 100, run: [writer, reader] }
      - trim: { delete: 90 %, commits: 50, run: [writer] }
    launches: 3
    engines: [native, lmdb, sqlite]
    policies:
      - never
      - every-launch
    sample: { every: 10 commits }

    """

  static let files = [
    "curves.csv", "events.csv", "plots", "record.json", "repetitions.csv", "report.html",
    "report.md", "samples.csv", "summary.csv", "timings.csv",
  ]

  private func withSmall<R>(_ body: (FilePath, FilePath) async throws -> R) async throws -> R {
    try await BuiltCommand.withFolder { folder in
      let file = folder.appending("small.yml")
      try FileSystem.write(text: Self.small, to: file)
      return try await body(folder, file)
    }
  }

  @Test("a run writes the report, its data and its plots; a second run gives the same samples")
  func leavesReport() async throws {
    try await withSmall { folder, file in
      func run(_ name: String, jobs: String) async throws -> FilePath {
        let output = folder.appending(name)
        let outcome = try await BuiltCommand.run([
          "run", file.string, "--schedule", "stepped", "--repetitions", "2", "--jobs", jobs,
          "--output", output.string,
        ])
        #expect(outcome.code == 0, "\(outcome.errors)")
        #expect(outcome.output.contains("report: \(output)/small/report.md"))
        return output.appending("small")
      }
      let (first, second) = (try await run("first", jobs: "1"), try await run("second", jobs: "3"))
      #expect(try FileSystem.list(first) == Self.files)
      let plots = first.appending("plots")
      #expect(try FileSystem.list(plots) == ["growth.svg", "multiples.svg"])
      #expect(
        try FileSystem.read(first.appending("samples.csv"))
          == FileSystem.read(second.appending("samples.csv")))
      let report = try FileSystem.readText(first.appending("report.md"))
      #expect(report.contains("both runs of each cell gave the same bytes"))
      // The policy compacted every engine at the launches after the first.
      let events = try FileSystem.readText(first.appending("events.csv"))
      for engine in ["native", "lmdb", "sqlite"] {
        #expect(events.contains("\r\n\(engine),every-launch,"))
      }
    }
  }

  @Test(
    "by default each cell runs once stepped and repeatedly on real threads, and the exact part is that of a stepped run"
  )
  func bothSchedules() async throws {
    try await withSmall { folder, file in
      func run(_ name: String, _ options: [String]) async throws -> (RunRecord, FilePath) {
        let output = folder.appending(name)
        let outcome = try await BuiltCommand.run(
          ["run", file.string, "--engine", "native", "--engine", "lmdb", "--output", output.string]
            + options)
        #expect(outcome.code == 0, "\(outcome.errors)")
        let small = output.appending("small")
        let json = try FileSystem.read(small.appending(RunRecord.fileName))
        return (try RunRecord(json: Data(json)), small)
      }
      let (both, here) = try await run("both", ["--repetitions", "2"])
      let (stepped, there) = try await run(
        "stepped", ["--schedule", "stepped", "--repetitions", "1", "--peak-disk"])
      #expect(both.provenance.schedule == .both && both.provenance.repetitions == 2)
      for (cell, other) in zip(both.cells, stepped.cells) {
        #expect(cell.repetitions.map(\.index) == [1])
        #expect(cell.repetitions.map(\.exact) == other.repetitions.map(\.exact))
        #expect(cell.threadedRepetitions?.map(\.index) == [2, 3])
        #expect(
          cell.threadedRepetitions?.allSatisfy {
            $0.exact.commits == cell.repetitions[0].exact.commits
          } == true)
        #expect(other.threadedRepetitions == nil)
      }
      let report = try FileSystem.readText(here.appending("report.md"))
      // Where the system allows no disk of a cell's own, the report states that.
      if both.provenance.peakDiskAbsence == nil {
        #expect(both.cells.allSatisfy { ($0.repetitions[0].exact.peakDisk ?? .zero) > .zero })
        #expect(both.cells.allSatisfy { $0.threadedRepetitions?[0].exact.peakDisk == nil })
        #expect(report.contains("Space needed at worst, temporary and half-made files included: `"))
      } else {
        #expect(report.contains("The space needed at worst was not measured: "))
      }
      #expect(report.contains("Times are medians of 2 runs of each cell on real threads"))
      #expect(report.contains("## Real threads beside the exact curves"))
      let rows = try FileSystem.readText(here.appending("summary.csv")).split(separator: "\r\n")
      #expect(rows.contains { $0.contains(",high_water_bytes,") && $0.hasSuffix(",stepped") })
      #expect(rows.contains { $0.contains(",commit_p99_ns,") && $0.hasSuffix(",threads") })
      // Another command takes the exact figures from the stepped runs alone.
      let compared = try await BuiltCommand.run(["compare-curves", here.string, there.string])
      #expect(compared.code == 0, "\(compared.output)\(compared.errors)")
      let baselines = folder.appending("baselines").string
      #expect(
        try await BuiltCommand.run(
          ["baseline", "save", there.string, "--baselines", baselines]).code == 0)
      let gate = try await BuiltCommand.run(["gate", here.string, "--baselines", baselines])
      #expect(gate.code == 0, "\(gate.output)\(gate.errors)")
    }
  }

  @Test(
    "a run of one shipped scenario, also of one in a subfolder, ends with the commands for the rest; others do not",
    arguments: ["small.yml", "pins/small.yml"])
  func nextCommands(_ name: String) async throws {
    try await withSmall { folder, own in
      let shipped = folder.appending("Shipped")
      let file = shipped.appending(name)
      try FileSystem.makeFolders(file.removingLastComponent())
      try FileSystem.write(text: Self.small, to: file)
      try FileSystem.write(text: "{}", to: shipped.appending("scenario.schema.json"))
      func run(_ file: FilePath) async throws -> String {
        try await BuiltCommand.run([
          "run", file.string, "--engine", "null", "--policy", "never", "--repetitions", "1",
          "--output", folder.appending("out-\(file.components.count)").string,
        ]).output
      }
      let output = try await run(file)
      #expect(output.contains("run \(shipped)\n"), "\(output)")
      #expect(output.contains("run \(shipped)/*/ --twice\n"))
      #expect(try await !run(own).contains("next:"))
    }
  }

  @Test("--record-only writes only the data, from which report renders the other files of a run")
  func recordOnly() async throws {
    try await withSmall { folder, file in
      let output = folder.appending("out")
      let outcome = try await BuiltCommand.run([
        "run", file.string, "--record-only", "--repetitions", "1", "--output", output.string,
      ])
      #expect(outcome.code == 0, "\(outcome.errors)")
      #expect(outcome.output.contains("record: \(output)/small/record.json"))
      #expect(!outcome.output.contains("report: "))
      let small = output.appending("small")
      #expect(
        try FileSystem.list(small) == ["events.csv", "record.json", "samples.csv", "timings.csv"])
      #expect(try await BuiltCommand.run(["report", small.string]).code == 0)
      // Runs on real threads were among them.
      #expect(try FileSystem.list(small) == (Self.files + ["interference.csv"]).sorted())
    }
  }

  @Test("report renders the same Markdown again from the record")
  func rendersAgain() async throws {
    try await withSmall { folder, file in
      let output = folder.appending("out")
      _ = try await BuiltCommand.run([
        "run", file.string, "--repetitions", "1", "--engine", "native", "--output", output.string,
      ])
      let report = output.appending("small/report.md")
      let before = try FileSystem.readText(report)
      try FileSystem.removeFile(report)
      let outcome = try await BuiltCommand.run(["report", output.appending("small").string])
      #expect(outcome.code == 0, "\(outcome.errors)")
      #expect(try FileSystem.readText(report) == before)
      // Rows that the run did not measure are no base for a report.
      let samples = output.appending("small/samples.csv")
      let rows = try FileSystem.readText(samples).split(separator: "\r\n")
      try FileSystem.write(text: rows.dropLast(5).joined(separator: "\r\n") + "\r\n", to: samples)
      let edited = try await BuiltCommand.run(["report", output.appending("small").string])
      #expect(edited.code == 2)
      #expect(edited.errors.contains("samples.csv: has "))
    }
  }

  @Test("an output folder with other content is rejected, and the content stays")
  func foreignFolder() async throws {
    try await withSmall { folder, file in
      let output = folder.appending("out/small")
      try FileSystem.makeFolders(output)
      try FileSystem.write(text: "dear", to: output.appending("thesis.txt"))
      let outcome = try await BuiltCommand.run([
        "run", file.string, "--output", folder.appending("out").string,
      ])
      #expect(outcome.code == 2)
      #expect(outcome.errors.contains("thesis.txt"))
      #expect(try FileSystem.list(output) == ["thesis.txt"])
    }
  }

  @Test("an output folder that cannot be written is rejected before anything runs")
  func unwritableOutput() async throws {
    try await withSmall { folder, file in
      let outcome = try await BuiltCommand.run(["run", file.string, "--output", file.string])
      #expect(outcome.code == 2)
      #expect(outcome.errors.contains("--output") && !outcome.errors.contains(": done"))
      #expect(try FileSystem.readText(file) == Self.small)
    }
  }

  @Test("a duplicate cell or report is rejected before anything runs")
  func twice() async throws {
    try await withSmall { folder, file in
      let output = ["--output", folder.appending("out").string]
      let same = folder.appending("same.yml")
      try FileSystem.write(text: Self.small, to: same)
      for (words, code) in [
        (["--engine", "native", "--engine", "native"], 64),
        (["--policy", "never", "--policy", "never"], 2), ([same.string], 2),
      ] {
        let outcome = try await BuiltCommand.run(["run", file.string] + words + output)
        #expect(outcome.code == code, "\(words)")
        #expect(outcome.errors.contains("twice") || outcome.errors.contains(same.string))
        #expect(!FileSystem.exists(folder.appending("out")))
      }
    }
  }

  @Test("an expectation that fails gives exit code 1 and is named")
  func failedExpectation() async throws {
    try await withSmall { folder, file in
      let expectation = """
        expect:
          - { in: pinned, engine: lmdb, that: totalBytes < 1 kB }

        """
      try FileSystem.write(text: Self.small + expectation, to: file)
      let outcome = try await BuiltCommand.run([
        "run", file.string, "--repetitions", "1", "--output", folder.appending("out").string,
      ])
      #expect(outcome.code == 1)
      #expect(outcome.output.contains("totalBytes < 1 kB"))
    }
  }

  @Test("Ctrl-C ends a run with a report of what is done and exit code 130")
  func interrupt() async throws {
    try await withSmall { folder, file in
      let output = folder.appending("out")
      // The shell becomes the command, with its progress on standard output, where this test listens.
      let child = ChildProcess(
        FilePath("/bin/sh"),
        arguments: [
          "-c", "exec \"$0\" \"$@\" 2>&1", BuiltCommand.executable.string, "run", file.string,
          "--repetitions", "500", "--output", output.string,
        ])
      let process = ProcessBox()
      let outcome = try await child.run(
        onStart: { process.id = $0 },
        onOutput: { bytes in
          // After the first repetition that is done, the run is interrupted.
          let isFirst = String(decoding: bytes, as: UTF8.self).contains(": done") && !process.isDone
          if isFirst { kill(process.id, SIGINT) }
          process.isDone = process.isDone || isFirst
        })
      #expect(outcome.ending == .exited(130))
      let record = try FileSystem.readText(output.appending("small/record.json"))
      #expect(record.contains("\"interrupted\" : true"))
      // The journal is left too, for the rest.
      #expect(
        try FileSystem.list(output.appending("small")) == (Self.files + ["run.journal"]).sorted())
    }
  }

  @Test("a full disk fails the cell with the reason, not the whole run, and the code is 2")
  func fullDisk() async throws {
    try await withSmall { folder, file in
      let output = folder.appending("out")
      // The shell's file size limit (in blocks of 512 bytes) stands for a full disk: 400 kB.
      let outcome = try await ChildProcess(
        FilePath("/bin/sh"),
        arguments: [
          "-c", "ulimit -f 800; exec \"$0\" \"$@\"", BuiltCommand.executable.string, "run",
          file.string, "--repetitions", "1", "--output", output.string,
        ]
      ).run()
      #expect(outcome.ending == .exited(2))
      #expect(outcome.errorText.contains("failed"))
      // The native engine's own words: the file and what the system said, each once, and what to do.
      let lines = outcome.errorText.split(separator: "\n")
      let native = try #require(
        lines.first { $0.contains("native · never") && $0.contains("failed") })
      for part in ["data.native", "File too large", "ulimit -f"] {
        #expect(
          native.split(separator: part, omittingEmptySubsequences: false).count == 2, "\(part)")
      }
      #expect(try FileSystem.readText(output.appending("small/report.md")).contains("failed"))
    }
  }

  @Test("the threads schedule runs to its end on every engine")
  func threads() async throws {
    try await withSmall { folder, file in
      let outcome = try await BuiltCommand.run([
        "run", file.string, "--schedule", "threads", "--repetitions", "1", "--output",
        folder.appending("out").string,
      ])
      #expect(outcome.code == 0, "\(outcome.errors)")
    }
  }
}

/// The id of a process, known once it has started.
private final class ProcessBox: @unchecked Sendable {
  var id: Int32 = 0
  var isDone = false
}
