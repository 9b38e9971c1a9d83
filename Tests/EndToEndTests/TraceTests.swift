// `record`, `replay` and `trace` as a user calls them, on the real engines.
import SystemIO
import Testing

@Suite("Traces on the command line")
struct TraceTests {
  /// The rows of samples.csv.
  private static func rows(_ folder: FilePath) throws -> [Substring] {
    let text = try FileSystem.readText(folder.appending("samples.csv"))
    return Array(text.split(separator: "\r\n").dropFirst())
  }

  @Test(
    "the replay of a stepped recording has the exact columns of the recorded run, and of a plain one",
    arguments: ["native", "lmdb", "sqlite"], ["automatic", "every-launch"])
  func exact(_ engine: String, _ policy: String) async throws {
    guard !(engine == "lmdb" && policy == "automatic") else { return }
    try await BuiltCommand.withFolder { folder in
      let file = folder.appending("small.yml")
      try FileSystem.write(text: RunTests.small, to: file)
      let trace = folder.appending("small.trace").string
      let options = ["--engine", engine, "--policy", policy, "--output", folder.string]
      let alone = options + ["--comparator", "none"]
      let plain = try await BuiltCommand.run(["run", file.string, "--repetitions", "1"] + alone)
      #expect(plain.code < 2, "\(plain.errors)")
      let recorded = try await BuiltCommand.run(["record", file.string, trace] + options)
      #expect(recorded.code == 0, "\(recorded.errors)")
      let replayed = try await BuiltCommand.run(["replay", trace] + alone)
      #expect(replayed.code == 0, "\(replayed.errors)")
      let rows = try Self.rows(folder.appending("small-recorded"))
      #expect(rows.count > 3)
      #expect(try Self.rows(folder.appending("small-replayed")) == rows)
      let arms = try Self.rows(folder.appending("small"))
      #expect(arms.starts(with: rows))
    }
  }

  @Test("a trace of one engine is replayed on others and under other policies, with a report")
  func elsewhere() async throws {
    try await BuiltCommand.withFolder { folder in
      let file = folder.appending("small.yml")
      try FileSystem.write(text: RunTests.small, to: file)
      let trace = folder.appending("small.trace").string
      let recorded = try await BuiltCommand.run([
        "record", file.string, trace, "--schedule", "threads", "--output", folder.string,
      ])
      #expect(recorded.code == 0, "\(recorded.errors)")
      let replayed = try await BuiltCommand.run([
        "replay", trace, "--engine", "sqlite", "--engine", "null", "--policy", "never", "--policy",
        "on-launch: totalBytes > 1 kB", "--speed", "1000", "--output", folder.string,
      ])
      #expect(replayed.code == 0, "\(replayed.errors)")
      #expect(replayed.output.contains("sqlite"))
      let report = folder.appending("small-replayed").appending("report.md")
      #expect(try FileSystem.readText(report).contains("recorded on native"))
      let again = try await BuiltCommand.run(["record", file.string, trace])
      #expect(again.code == 2 && again.errors.contains("exists already"))
    }
  }

  @Test("a trace is summarized, converted to JSON lines and back, and refused if it is damaged")
  func forms() async throws {
    try await BuiltCommand.withFolder { folder in
      let file = folder.appending("small.yml")
      try FileSystem.write(text: RunTests.small, to: file)
      let trace = folder.appending("small.trace")
      let (lines, back) = (folder.appending("small.jsonl"), folder.appending("back.trace"))
      _ = try await BuiltCommand.run([
        "record", file.string, trace.string, "--output", folder.string,
      ])
      let summary = try await BuiltCommand.run(["trace", trace.string])
      #expect(summary.code == 0 && summary.output.contains("a sound trace"), "\(summary.errors)")
      #expect(
        try await BuiltCommand.run(["trace", trace.string, "--to", lines.string]).code == 0)
      #expect(try await BuiltCommand.run(["trace", lines.string, "--to", back.string]).code == 0)
      #expect(try FileSystem.read(back) == FileSystem.read(trace))
      let first = try FileSystem.readText(lines).prefix { $0 != "\n" }
      #expect(first.hasPrefix("{\"header\":{") && first.hasSuffix("\"trace\":1}"))

      var bytes = try FileSystem.read(trace)
      bytes[bytes.count / 2] ^= 0x10
      let damaged = folder.appending("damaged.trace")
      try FileSystem.write(bytes, to: damaged)
      let refused = try await BuiltCommand.run(["trace", damaged.string])
      #expect(refused.code == 1)
      #expect(refused.errors.contains(": record ") && refused.errors.contains("is damaged: "))
      let replayed = try await BuiltCommand.run([
        "replay", damaged.string, "--output", folder.appending("none").string,
      ])
      #expect(replayed.code == 2 && replayed.errors.contains("is damaged: "))
      #expect(!FileSystem.exists(folder.appending("none")))
      let stranger = try await BuiltCommand.run(["trace", file.string])
      #expect(stranger.code == 2 && stranger.errors.contains("is not a trace"))
    }
  }
}
