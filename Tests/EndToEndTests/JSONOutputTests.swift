// The JSON output of commands: nothing but JSON, with the numbers of the text.
import Foundation
import MetricModel
import StorageEngine
import SystemIO
import Testing

@Suite("Output as JSON")
struct JSONOutputTests {
  private func object(_ words: [String], code: Int32 = 0) async throws -> [String: Any] {
    let outcome = try await BuiltCommand.run(words + ["--format", "json"])
    #expect(outcome.code == code, "\(outcome.errors)")
    let found = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8))
    return try #require(found as? [String: Any])
  }

  private func list(_ words: [String], _ key: String, code: Int32 = 0) async throws -> [[String:
    Any]]
  {
    let object = try await object(words, code: code)
    return try #require(object[key] as? [[String: Any]])
  }

  @Test("available and missing engines have the same keys")
  func engines() async throws {
    let outcome = try await BuiltCommand.run(
      ["engines", "--format", "json"],
      environment: ["COMPACTION_LAB_REALM": "/nowhere/librealm.so"])
    let json = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any]
    let engines = try #require(json?["engines"] as? [[String: Any]])
    #expect(engines.map { $0["id"] as? String }.contains("native"))
    let absent = try #require(engines.first { $0["id"] as? String == "realm-core" })
    #expect(absent["available"] as? Bool == false)
    #expect((absent["reason"] as? String)?.contains("/nowhere/librealm.so") == true)
    for engine in engines {
      #expect(
        engine.keys.sorted() == [
          "automatic", "available", "exactSpace", "id", "onLaunch", "reason", "spaceNote",
          "summary", "version",
        ])
    }
  }

  @Test("scenarios have the commits that a run records")
  func scenarios() async throws {
    let path = "Scenarios/dispatch-queue-pinning.yml"
    let scenarios = try await list(["scenarios", path], "scenarios")
    let scenario = try #require(scenarios.first)
    #expect(scenarios.count == 1)
    #expect(scenario["path"] as? String == path)
    let arms = try #require(scenario["arms"] as? [[String: Any]])
    #expect(arms.map { $0["name"] as? String } == ["late-drain", "never-drained", "explicit-pool"])
    try await BuiltCommand.withFolder { folder in
      let record = try await ExplainTests.record(of: "dispatch-queue-pinning.yml", in: folder)
      let commits = record.cells.compactMap { $0.repetitions.first?.exact.commits }.max()
      #expect(scenario["commits"] as? Int == commits)
    }
  }

  @Test("policies and variables list every form, variable and unit")
  func tables() async throws {
    let policies = try await list(["policies"], "policies")
    #expect(policies.map { $0["text"] as? String }.contains("on-launch: <predicate>"))
    let variables = try await list(["variables"], "variables")
    #expect(variables.map { $0["name"] as? String } == ObservedVariable.all.map(\.name))
    #expect(try await object(["variables"])["units"] as? [String] != nil)
    let text = try await BuiltCommand.run(["variables"])
    for variable in ObservedVariable.all { #expect(text.output.contains(variable.meaning)) }
    #expect(try await BuiltCommand.run(["policies"]).output.contains("every-launch  "))
  }

  /// A database of 2,000 rows of which three in four were deleted.
  private func makeDatabase(_ path: FilePath) throws {
    let database = try Database.open(
      path: path, options: DatabaseOptions(durability: .none, automaticCompaction: nil))
    for deletes in [false, true] {
      let transaction = try database.beginWrite()
      let table = try transaction.table("items")
      for key in Int64(0)..<2000 {
        if deletes {
          if key % 4 > 0 { _ = try transaction.delete(table, key) }
        } else {
          let value = [UInt8](repeating: 7, count: 600)
          try value.withUnsafeBytes { try transaction.put(table, key, $0) }
        }
      }
      try transaction.commit()
    }
    try database.close()
  }

  @Test("inspect gives every part of the file to the byte, and what a predicate would decide")
  func inspect() async throws {
    try await BuiltCommand.withFolder { folder in
      let path = folder.appending("x.db")
      try makeDatabase(path)
      let found = try await object(["inspect", path.string, "--predicate", "totalBytes > 1 MB"])
      let space = try #require(found["space"] as? [String: Int])
      #expect(space["file"] == (try FileSystem.size(of: path).bytes))
      let parts = ["live", "free", "pinned", "pending", "overhead"]
      #expect(parts.reduce(0) { $0 + (space[$1] ?? 0) } == space["file"])
      let tables = try #require(found["tables"] as? [[String: Any]])
      #expect(tables.map { $0["rows"] as? Int } == [500])
      let decisions = try #require(found["decisions"] as? [[String: Any]])
      #expect(decisions.map { $0["compact"] as? Bool } == [true])
      #expect((found["compactedBytes"] as? Int ?? 0) < (space["file"] ?? 0))
      #expect((found["slots"] as? [Any])?.count == 2)
    }
  }

  @Test("verify lists sound and damaged files together, with exit code 1")
  func verify() async throws {
    try await BuiltCommand.withFolder { folder in
      let (sound, damaged) = (folder.appending("sound.db"), folder.appending("damaged.db"))
      try makeDatabase(sound)
      var bytes = try FileSystem.read(sound)
      for offset in stride(from: 12_288, to: bytes.count, by: 512) { bytes[offset] ^= 0xFF }
      try FileSystem.write(bytes, to: damaged)
      let files = try await list(["verify", sound.string, damaged.string], "files", code: 1)
      #expect(files.map { $0["sound"] as? Bool } == [true, false])
      #expect(files.first?["rows"] as? Int == 500)
      #expect((files.first?["findings"] as? [String])?.isEmpty == true)
      #expect((files.last?["findings"] as? [String])?.isEmpty == false)
    }
  }

  @Test("validate reads standard input as -, with the same messages")
  func standardInput() async throws {
    let valid = try await BuiltCommand.run(["validate", "-"], input: RunTests.small)
    #expect(valid.code == 0, "\(valid.errors)")
    #expect(valid.output == "<stdin>: valid\n")
    let broken = RunTests.small.replacing("launches: 3", with: "launchez: 3")
    let invalid = try await BuiltCommand.run(["validate", "-"], input: broken)
    #expect(invalid.code == 2)
    #expect(invalid.errors.contains("<stdin>:15:1: unknown key \"launchez\""))
    let explained = try await BuiltCommand.run(["explain", "-"], input: RunTests.small)
    #expect(explained.output.hasPrefix("small\n"))
    #expect(try await BuiltCommand.run(["validate", "-", "-"], input: RunTests.small).code == 2)
  }

  @Test("completion scripts, the version and help are printed")
  func otherOutput() async throws {
    for shell in ["bash", "zsh", "fish"] {
      let outcome = try await BuiltCommand.run(["--generate-completion-script", shell])
      #expect(outcome.code == 0 && outcome.output.contains("compaction-lab"))
    }
    let version = try await BuiltCommand.run(["--version"]).output
    #expect(version.wholeMatch(of: #/0\.1\.0 \(.*commit ([0-9a-f]{40}.*|unknown)\)\n/#) != nil)
    #expect(try await BuiltCommand.run(["help", "run"]).output.contains("--repetitions"))
  }
}
