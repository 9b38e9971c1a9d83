// Databases of engines whose files no command reads: they are named by their content, with the command that measures them.
import SystemIO
import TestSupport
import Testing

@Suite("Databases of engines whose files no command reads")
struct ForeignDatabaseTests {
  private static let commands = ["inspect", "verify", "compact"]

  private func refuses(
    _ path: FilePath, _ words: String, engine: String, hasMark: Bool = true
  ) async throws {
    for command in Self.commands {
      let outcome = try await BuiltCommand.run([command, path.string])
      #expect(outcome.code == 2 && outcome.output.isEmpty, "\(command) \(path)")
      for part in ["\(path) is \(words)", "compaction-lab run SCENARIO --engine \(engine)"] {
        #expect(outcome.errors.contains(part), "\(command) \(path): \(outcome.errors)")
      }
    }
    // Of a file that is only known by its folder there is no more to state.
    guard hasMark else { return }
    let watched = try await BuiltCommand.run(["watch", path.string, "--for", "0 s", "--csv"])
    #expect(watched.output.contains("database, which no command reads"), "\(watched.output)")
  }

  @Test("a folder of RocksDB, and each file in it")
  func rocksDB() async throws {
    try await BuiltCommand.withFolder { folder in
      for (name, text) in [
        ("CURRENT", "MANIFEST-000005\n"), ("IDENTITY", "c5a6…"), ("000004.sst", "rows"),
      ] {
        try FileSystem.write(text: text, to: folder.appending(name))
      }
      try await refuses(folder, "a RocksDB database", engine: "rocksdb")
      try await refuses(
        folder.appending("000004.sst"), "a file in the folder of a RocksDB database",
        engine: "rocksdb", hasMark: false)
    }
  }

  @Test("a folder of WiredTiger, and the file of a table, also when it was copied elsewhere")
  func wiredTiger() async throws {
    try await BuiltCommand.withFolder { folder in
      let home = folder.appending("data")
      try FileSystem.makeFolders(home)
      for (name, text) in [
        ("WiredTiger", "WiredTiger\nWiredTiger 11.3.1"), ("WiredTiger.turtle", "version"),
      ] {
        try FileSystem.write(text: text, to: home.appending(name))
      }
      let table: [UInt8] = [0x41, 0xD8, 0x01, 0x00, 1, 0, 0, 0]
      try FileSystem.write(table, to: home.appending("rows.wt"))
      try FileSystem.write(table, to: folder.appending("copied.wt"))
      try await refuses(home, "a WiredTiger database", engine: "wiredtiger")
      for file in [home.appending("rows.wt"), folder.appending("copied.wt")] {
        try await refuses(file, "a file of a WiredTiger database", engine: "wiredtiger")
      }
    }
  }

  @Test("a file of DuckDB")
  func duckDB() async throws {
    try await BuiltCommand.withFolder { folder in
      let file = folder.appending("data.duckdb")
      try FileSystem.write([UInt8](repeating: 7, count: 8) + Array("DUCK".utf8), to: file)
      try await refuses(file, "a DuckDB database", engine: "duckdb")
    }
  }

  @Test("a folder with CURRENT alone, as LevelDB has it, is a folder like others")
  func levelDB() async throws {
    try await BuiltCommand.withFolder { folder in
      try FileSystem.write(text: "MANIFEST-000005\n", to: folder.appending("CURRENT"))
      let outcome = try await BuiltCommand.run(["inspect", folder.string])
      #expect(outcome.code == 2)
      #expect(outcome.errors.contains("is a folder; name the database file in it"))
    }
  }

  @Test("of a file of SQLite, verify and compact name the command that reads it")
  func readFormat() async throws {
    try await BuiltCommand.withFolder { folder in
      let file = folder.appending("app.db")
      try FileSystem.write(Array("SQLite format 3\0".utf8), to: file)
      for command in ["verify", "compact"] {
        let outcome = try await BuiltCommand.run([command, file.string])
        #expect(outcome.code == 2)
        #expect(outcome.errors.contains("compaction-lab inspect reads this one too"))
      }
    }
  }
}
