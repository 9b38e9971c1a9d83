// Baselines and the gate as CI calls them: files in, one exit code out.
import RecordModel
import SystemIO
import Testing

@Suite("The gate")
struct GateTests {
  /// A run of the small scenario and its baseline, once for all tests of the body.
  private func withRun(
    _ body: (_ folder: FilePath, _ gate: ([String]) async throws -> BuiltCommand.Outcome)
      async throws -> Void
  ) async throws {
    try await BuiltCommand.withFolder { folder in
      try FileSystem.write(text: RunTests.small, to: folder.appending("small.yml"))
      let run = try await BuiltCommand.run(
        ["run", "small.yml", "--repetitions", "1", "--policy", "never", "--output", "Reports"],
        in: folder)
      #expect(run.code == 0, "\(run.errors)")
      let saved = try await BuiltCommand.run(["baseline", "save"], in: folder)
      #expect(saved.code == 0, "\(saved.errors)")
      #expect(saved.output == ".compaction-lab/baselines/small.csv: saved, 3 cells\n")
      try await body(folder) { try await BuiltCommand.run(["gate"] + $0, in: folder) }
    }
  }

  private static let file = ".compaction-lab/baselines/small.csv"

  /// Puts other values into lines of the baseline, by what they begin with.
  private static func edit(
    _ folder: FilePath, _ prefix: String, _ change: (String) throws -> String
  ) throws {
    let path = folder.pushing(FilePath(file))
    var found = 0
    let lines = try FileSystem.readText(path).split(
      separator: "\r\n", omittingEmptySubsequences: false
    ).map { line in
      guard line.hasPrefix(prefix) else { return String(line) }
      found += 1
      return prefix + (try change(String(line.dropFirst(prefix.count))))
    }
    #expect(found == 1, "\(prefix)")
    // As a run of other figures would have saved it: with its own check.
    let check = try #require(lines.firstIndex { $0.hasPrefix(",,,,check,") })
    let rest = lines[..<check].joined(separator: "\r\n") + "\r\n"
    var digest = SampleDigest()
    digest.feed(rest.utf8)
    try FileSystem.write(text: rest + ",,,,check,\(digest.hex)\r\n", to: path)
  }

  @Test("a run that matches its baseline passes in one line, and saving it again changes nothing")
  func passes() async throws {
    try await withRun { folder, gate in
      let outcome = try await gate(["--github"])
      #expect(outcome.code == 0)
      // The peak on disk of each cell is measured where a file system can be mounted for it.
      let cells = try ShardTests.record(folder.appending("Reports/small")).cells
      let peaks = cells.count { $0.repetitions.allSatisfy { $0.exact.peakDisk != nil } }
      #expect(cells.count == 3 && (peaks == 0 || peaks == 3))
      #expect(
        outcome.output
          == "gate: pass: \(36 + peaks) exact figures of 3 cells in 1 scenario equal the baseline.\n"
      )
      let again = try await BuiltCommand.run(["baseline", "save"], in: folder)
      #expect(again.output == "\(Self.file): unchanged, 3 cells\n")
      let list = try await BuiltCommand.run(["baseline", "list"], in: folder)
      #expect(list.output == "small: 3 cells, engines lmdb, native, sqlite, seed 3\n")
    }
  }

  @Test(
    "one byte more in one figure fails with scenario, engine, policy, figure and where the curves diverge"
  )
  func oneByte() async throws {
    try await withRun { folder, gate in
      try Self.edit(folder, "sqlite,never,default,3,high_water_bytes,") { value in
        String(try #require(Int(value)) - 1)
      }
      try Self.edit(folder, "sqlite,never,default,3,curve,1:") { hashes in
        // The sixth sample of the base was another.
        let other = hashes.dropFirst(20).hasPrefix("0000") ? "ffff" : "0000"
        return String(hashes.prefix(20)) + other + String(hashes.dropFirst(24))
      }
      try Self.edit(folder, "sqlite,never,default,3,curve digest,") { String($0.reversed()) }
      let outcome = try await gate(["--junit", "j.xml", "--json", "g.json", "--markdown", "g.md"])
      #expect(outcome.code == 1)
      let samples = try FileSystem.readText(folder.appending("Reports/small/samples.csv"))
        .split(separator: "\r\n").filter { $0.hasPrefix("sqlite,never,default,") }
        .map { $0.split(separator: ",", omittingEmptySubsequences: false) }
      let location =
        "the curves diverge at sample 6: launch \(samples[5][4]), phase \(samples[5][5]), commit \(samples[5][6])"
      for name in ["small · sqlite · never · default", "high_water_bytes", "(+1 B", location] {
        #expect(outcome.output.contains(name), "\(name) in \(outcome.output)")
        for file in ["j.xml", "g.md"] {
          #expect(try FileSystem.readText(folder.appending(file)).contains(name), "\(file)")
        }
      }
      #expect(try FileSystem.readText(folder.appending("g.json")).contains("\"exitCode\" : 1"))
      try FileSystem.write(
        text: "metric high_water_bytes engine sqlite allow 1 B\n", to: folder.appending("t.txt"))
      let allowed = try await gate(["--thresholds", "t.txt"])
      #expect(allowed.code == 0)
      #expect(allowed.output.contains("1 differ within their thresholds"))
    }
  }

  @Test("a figure below the baseline asks to save it again, with its own exit code")
  func better() async throws {
    try await withRun { folder, gate in
      try Self.edit(folder, "native,never,default,3,final_bytes,") { value in
        String(try #require(Int(value)) + 1)
      }
      let outcome = try await gate([])
      #expect(outcome.code == 3)
      #expect(outcome.output.contains("save the baseline again"))
      let compared = try await BuiltCommand.run(["baseline", "compare"], in: folder)
      #expect(compared.code == 3 && compared.output.contains("(-1 B"))
    }
  }

  @Test(
    "a missing baseline, an interrupted run, a partial run and invalid files have their own exit codes"
  )
  func codes() async throws {
    try await withRun { folder, gate in
      #expect(try await gate(["--baselines", "elsewhere"]).code == 4)
      #expect(try await gate(["Nowhere"]).code == 2)
      #expect(try await gate(["--unknown"]).code == 64)
      try FileSystem.write(text: "metric nonsense any\n", to: folder.appending("t.txt"))
      let wrong = try await gate(["--thresholds", "t.txt"])
      #expect(wrong.code == 2 && wrong.errors.contains("t.txt:1: there is no metric \"nonsense\""))
      let less = try await BuiltCommand.run(
        ["run", "small.yml", "--repetitions", "1", "--policy", "never", "--engine", "native"],
        in: folder)
      #expect(less.code == 0)
      let partial = try await gate([])
      #expect(partial.code == 2 && partial.output.contains("lmdb · never · default"))
      #expect(try await gate(["--partial"]).code == 0)
    }
  }

  @Test("runs with many seeds are one baseline, and are compared in pairs of seeds")
  func seeds() async throws {
    try await BuiltCommand.withFolder { folder in
      try FileSystem.write(text: RunTests.small, to: folder.appending("small.yml"))
      let run = try await BuiltCommand.run(
        [
          "run", "small.yml", "--repetitions", "1", "--policy", "never", "--engine", "native",
          "--seeds", "6",
        ], in: folder)
      #expect(run.code == 0, "\(run.errors)")
      #expect(
        try FileSystem.list(folder.appending("Reports/small")) == (3...8).map { "seed-\($0)" })
      let saved = try await BuiltCommand.run(["baseline", "save"], in: folder)
      #expect(saved.output.contains("6 cells"))
      for seed in 3...8 {
        try Self.edit(folder, "native,never,default,\(seed),time_weighted_bytes,") { value in
          String(try #require(Int(value)) - 10 - seed)
        }
      }
      let gate = try await BuiltCommand.run(["gate"], in: folder)
      #expect(gate.code == 1)
      #expect(
        gate.output.contains(
          "small · native · never · default: time_weighted_bytes over 6 seeds 1.0"))
      #expect(gate.output.contains("6 seeds differ"))
    }
  }

  @Test("a comparison from another machine, or a noisy one, gives no verdict on times")
  func machine() async throws {
    try await withRun { folder, gate in
      let compared = try await BuiltCommand.run(
        [
          "compare-builds", "--base", "true", "--head", "true", "--tolerance", "90", "--json",
          "c.json", "--report", "c.md",
        ], in: folder)
      #expect([0, 5].contains(compared.code), "\(compared.errors)")
      let here = try await gate(["--comparison", "c.json"])
      #expect(here.code == compared.code, "\(here.output)")
      let text = try FileSystem.readText(folder.appending("c.json"))
      let line = try #require(text.split(separator: "\n").first { $0.contains("\"processor\"") })
      try FileSystem.write(
        text: text.replacing(line, with: "    \"processor\" : \"abacus\","),
        to: folder.appending("c.json"))
      let other = try await gate(["--comparison", "c.json"])
      #expect(other.code == 5)
      #expect(other.output.contains("made on another machine: processor was abacus, is"))
    }
  }
}

@Suite("History")
struct HistoryCommandTests {
  @Test("the commit that changed an exact figure is named, with the curve")
  func named() async throws {
    try await BuiltCommand.withFolder { folder in
      try FileSystem.write(text: RunTests.small, to: folder.appending("small.yml"))
      let larger = RunTests.small.replacing("update: 5", with: "update: 6")
      try FileSystem.write(text: larger, to: folder.appending("larger.yml"))
      for (commit, file) in [("aaa", "small"), ("bbb", "small"), ("ccc", "larger")] {
        let run = try await BuiltCommand.run(
          [
            "run", "\(file).yml", "--repetitions", "1", "--policy", "never", "--engine", "native",
            "--output", commit,
          ], in: folder)
        #expect(run.code == 0, "\(run.errors)")
        let added = try await BuiltCommand.run(
          ["history", "add", commit, "--commit", commit, "--branch", "feature/x"], in: folder)
        #expect(added.code == 0 && added.output.contains("figures of \(commit) added"))
      }
      let found = try await BuiltCommand.run(
        ["history", "detect", "--branch", "feature/x", "--metric", "operations"], in: folder)
      #expect(found.code == 0)
      #expect(
        found.output.contains("ccc: small · native · never · default: operations is changed, exact")
      )
      #expect(found.output.contains("previous commit: bbb"))
      #expect(!found.output.contains("bbb: small"))
      let none = try await BuiltCommand.run(["history", "detect"], in: folder)
      #expect(none.code == 2 && none.errors.contains("begin it with history add"))
    }
  }
}
