// Watching files that grow, are replaced and removed meanwhile.
import RecordModel
import StorageEngine
import SystemIO
import TestSupport
import Testing

@Suite("Watching files, as a user finds it", .timeLimit(.minutes(HangGuard.minutes)))
struct WatchCommandTests {
  private static func rows(_ text: String) throws -> [Sample] {
    try SampleCSV.read(text).flatMap(\.rows)
  }

  @Test("a file that is removed or replaced is a row of samples.csv, not an end")
  func replaced() async throws {
    try await BuiltCommand.withFolder { folder in
      try SampleDatabase.make(folder.appending("data"))
      let outcome = try await BuiltCommand.script(
        """
        cp data copy
        "$lab" watch data --every '20 ms' --csv > rows & run=$!
        await $run '[ $(wc -l < rows) -ge 3 ]'
        rm data
        await $run 'grep -q removed rows'
        mv copy data
        await $run 'grep -q appeared rows'
        cp data other && mv other data
        await $run 'grep -q replaced rows'
        kill -INT $run
        wait $run
        """, in: folder)
      #expect(outcome.ending == .exited(130), "\(outcome.errorText)")
      let text = try FileSystem.readText(folder.appending("rows"))
      #expect(text.hasPrefix(SampleCSV.header))
      let rows = try Self.rows(text)
      let size = try #require(rows.first?.observation.space.file)
      #expect(size.bytes > 1_000_000 && rows.first?.observation.space.live?.bytes ?? 0 > 0)
      for row in rows {
        let isGone = row.events == "removed" || row.events == "missing"
        #expect(row.observation.space.file == (isGone ? .zero : size), "\(row.events)")
      }
      let events = rows.map(\.events).filter { !$0.isEmpty && $0 != "missing" }
      #expect(events == ["removed", "appeared", "replaced"])
    }
  }

  @Test("a snapshot of another process is a held version, with the versions since")
  func held() async throws {
    try await BuiltCommand.withFolder { folder in
      let path = folder.appending("data")
      try SampleDatabase.make(path)
      let database = try Database.open(path: path, options: DatabaseOptions(durability: .none))
      let snapshot = try database.beginSnapshot(label: "held")
      for _ in 0..<3 {
        let transaction = try database.beginWrite()
        _ = try transaction.delete(try transaction.table("items"), 0)
        try transaction.commit()
      }
      let outcome = try await BuiltCommand.run(
        ["watch", "data", "--every", "10 ms", "--for", "20 ms", "--csv"], in: folder)
      #expect(outcome.code == 0, "\(outcome.errors)")
      let row = try #require(try Self.rows(outcome.output).first)
      #expect(row.observation.pins == 1 && row.observation.oldestPinLag == 3)
      #expect(row.observation.liveVersions == 2 && row.events == "")
      snapshot.end()
      try database.close()
    }
  }

  @Test("a limit that is passed ends it with exit code 1 and the values that passed it")
  func limit() async throws {
    try await BuiltCommand.withFolder { folder in
      try SampleDatabase.make(folder.appending("data"))
      let outcome = try await BuiltCommand.run(
        ["watch", "data", "--limit", "totalBytes > 1 GB", "--limit", "totalBytes > 1 MB"],
        in: folder)
      #expect(outcome.code == 1)
      #expect(outcome.errors.contains("limit passed: data: totalBytes"), "\(outcome.errors)")
      #expect(outcome.output.contains("00:00:00  data: "), "\(outcome.output)")
      #expect(outcome.output.contains("no reader"), "\(outcome.output)")
    }
  }

  @Test(
    "what is no interval, duration or limit is refused",
    arguments: [
      (["--every", "0 s"], "--every: must be from 0.01 s"),
      (["--every", "-1 s"], "--every"),
      (["--every", "5"], "--every: \"5\" is no duration"),
      (["--every", "20 MB"], "--every: \"20 MB\" is no duration"),
      (["--for", "soon"], "--for"),
      (["--limit", "totalByte > 1 MB"], "did you mean \"totalBytes\"?"),
    ])
  func refused(options: [String], reason: String) async throws {
    try await BuiltCommand.withFolder { folder in
      let outcome = try await BuiltCommand.run(["watch", "data"] + options, in: folder)
      #expect(outcome.code == 64, "\(outcome.output)")
      #expect(outcome.errors.contains(reason), "\(outcome.errors)")
    }
  }
}
