// Runs that keep their database files, and copies of a file that is in use.
import StorageEngine
import SystemIO
import TestSupport
import Testing

@Suite("Database files of a run")
struct KeepFilesTests {
  private static let scenario = """
    scenario: kept
    question: What is in the files?
    data:
      Item: { rows: 500, value: { size: 200 B } }
    clients:
      writer: { kind: writer, transaction: { update: 5 } }
    arms:
      - plain: { summary: as it is }
      - locked: { summary: under a key, encrypted: true }
    phases:
      - work: { delete: 50 %, commits: 10, run: [writer] }
    launches: 2
    engines: [native, lmdb, "null"]
    policies: [never, "on-launch: totalBytes > 1 GB", "on-launch: totalBytes > 2 GB"]
    """

  @Test("run --keep-files keeps files that inspect, verify and compact can open")
  func kept() async throws {
    try await BuiltCommand.withFolder { folder in
      let (file, kept) = (folder.appending("kept.yml"), folder.appending("files"))
      try FileSystem.write(text: Self.scenario, to: file)
      let run = [
        "run", file.string, "--schedule", "stepped", "--repetitions", "2", "--output",
        folder.appending("out").string,
        "--keep-files", kept.string,
      ]
      let outcome = try await BuiltCommand.run(run)
      #expect(outcome.code == 0, "\(outcome.errors)\(outcome.output)")
      #expect(outcome.output.contains("database files: \(kept)/kept\n"), "\(outcome.output)")
      let native = kept.pushing("kept/native")
      #expect(
        try FileSystem.list(native)
          == ["never", "on-launch-totalBytes-1-GB", "on-launch-totalBytes-2-GB"])
      #expect(try FileSystem.list(native.pushing("never/plain")) == ["data.native"])
      #expect(
        try FileSystem.list(native.pushing("never/locked")) == ["data.native", "encryption.key"])
      #expect(try FileSystem.list(kept.pushing("kept/lmdb/never/plain")) == ["data.mdb"])
      let plain = native.pushing("never/plain/data.native").string
      let locked = native.pushing("never/locked/data.native").string
      let key = ["--key-file", native.pushing("never/locked/encryption.key").string]
      for arguments in [
        ["inspect", plain], ["verify", plain], ["compact", plain], ["inspect", locked] + key,
        ["verify", locked] + key,
      ] {
        let looked = try await BuiltCommand.run(arguments)
        #expect(looked.code == 0, "\(arguments): \(looked.errors)\(looked.output)")
      }
      let verified = try await BuiltCommand.run(["verify", plain])
      #expect(verified.output.contains(" 125 rows in "), "\(verified.output)")
      let bytes = try FileSystem.read(FilePath(plain))
      let again = try await BuiltCommand.run(run)
      #expect(again.code == 2)
      #expect(again.errors.contains("holds other content (kept)"), "\(again.errors)")
      #expect(try FileSystem.read(FilePath(plain)) == bytes)
    }
  }

  @Test("record and replay --keep-files keep files with the same rows")
  func tracedRuns() async throws {
    try await BuiltCommand.withFolder { folder in
      let (file, trace) = (folder.appending("kept.yml"), folder.appending("kept.trace").string)
      try FileSystem.write(text: Self.scenario, to: file)
      let output = ["--output", folder.appending("out").string, "--keep-files"]
      let record = ["record", file.string, trace, "--engine", "native"]
      let replay = ["replay", trace, "--comparator", "none"]
      for (arguments, name) in [(record, "kept"), (replay, "kept-replayed")] {
        let kept = folder.appending("\(name)-files")
        let outcome = try await BuiltCommand.run(arguments + output + [kept.string])
        #expect(outcome.code == 0, "\(outcome.errors)")
        let database = kept.pushing(
          FilePath("\(name)/native/never/plain/data.native"))
        let verified = try await BuiltCommand.run(["verify", database.string])
        #expect(verified.output.contains(" 125 rows in "), "\(verified.output)\(verified.errors)")
      }
    }
  }

  /// A database of 200 rows that others may open too.
  private func openShared(_ path: FilePath) throws -> Database {
    let database = try Database.open(path: path)
    for _ in 0..<3 { try commit(database) }
    return database
  }

  private func commit(_ database: Database) throws {
    let transaction = try database.beginWrite()
    let table = try transaction.table("items")
    for key in Int64(0)..<200 {
      try [UInt8](repeating: UInt8(key), count: 300).withUnsafeBytes {
        try transaction.put(table, key, $0)
      }
    }
    try transaction.commit()
  }

  @Test(
    "compact --copy copies a file that another process is writing, and leaves the file unchanged")
  func liveFile() async throws {
    try await BuiltCommand.withFolder { folder in
      let (file, copy) = (folder.appending("data"), folder.appending("copy"))
      let database = try openShared(file)
      let version = database.version
      let bytes = try FileSystem.read(file)
      let outcome = try await BuiltCommand.run(["compact", file.string, "--copy", copy.string])
      #expect(outcome.code == 0, "\(outcome.errors)")
      #expect(try FileSystem.read(file) == bytes)
      #expect(try FileSystem.list(folder) == ["copy", "data", "data.lock"])
      let verified = try await BuiltCommand.run(["verify", copy.string])
      #expect(verified.output.contains("sound: version \(version), 200 rows"))
      try commit(database)
      #expect(database.version == version + 1)
      try database.close()
      #expect(try await BuiltCommand.run(["verify", file.string]).code == 0)
    }
  }

  @Test(
    "damage is reported with the hint that a copied file in use looks damaged, and how to copy one")
  func copiedWhileWritten() async throws {
    try await BuiltCommand.withFolder { folder in
      let file = folder.appending("data")
      let database = try openShared(file)
      let before = try FileSystem.read(file)
      for _ in 0..<3 { try commit(database) }
      let after = try FileSystem.read(file)
      try database.close()
      // The front as it was at last, and what lies behind as it was at first: a copy that took its time, backwards.
      let copy = folder.appending("copy")
      try FileSystem.write(Array(after.prefix(12288)) + before.dropFirst(12288), to: copy)
      for command in ["inspect", "verify", "compact"] {
        let outcome = try await BuiltCommand.run([command, copy.string])
        let text = outcome.output + outcome.errors
        #expect(outcome.code == (command == "verify" ? 1 : 2), "\(text)")
        #expect(text.contains("fails"), "\(text)")
        #expect(text.contains("copied while it was being written"), "\(command): \(text)")
        #expect(text.contains("compaction-lab compact FILE --copy NEW"), "\(command): \(text)")
        #expect(try FileSystem.list(folder) == ["copy", "data"])
      }
    }
  }
}
