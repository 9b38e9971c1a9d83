// The commands that look into a database file, and compact it.
import EngineInterface
import Engines
import StorageEngine
import SystemIO
import Testing

@Suite("Commands for database files")
struct DatabaseFileTests {
  @Test("inspect shows slots, tables, map, free list, pins and decisions, and changes nothing")
  func inspect() async throws {
    try await BuiltCommand.withFolder { folder in
      let file = folder.appending("data")
      try SampleDatabase.make(file)
      let bytes = try FileSystem.read(file)
      let svg = folder.appending("map.svg")
      let outcome = try await BuiltCommand.run([
        "inspect", file.string, "--svg", svg.string, "--predicate", "totalBytes > 100 kB",
        "--predicate", "usedBytes / totalBytes > 90 %",
      ])
      #expect(outcome.code == 0, "\(outcome.errors)")
      for part in [
        "format version", "slot A", "slot B", "newest", "closed at version 4", "items  int64   500",
        "live ", "map: one character", "free list: ", "pins: none",
        "automatic: would begin with the next commit",
        "on-launch: totalBytes > 100 kB: would compact: ", ": would not compact: ", "compacted: ",
      ] {
        #expect(outcome.output.contains(part), "\(part) is missing in:\n\(outcome.output)")
      }
      let picture = try FileSystem.readText(svg)
      #expect(picture.hasPrefix("<svg ") && picture.hasSuffix("</svg>\n"))
      #expect(try FileSystem.read(file) == bytes)
      #expect(try FileSystem.list(folder) == ["data", "map.svg"])
    }
  }

  @Test("an invalid predicate is rejected with the column of the mistake")
  func brokenPredicate() async throws {
    try await BuiltCommand.withFolder { folder in
      let file = folder.appending("data")
      try SampleDatabase.make(file)
      let outcome = try await BuiltCommand.run(
        ["inspect", file.string, "--predicate", "totalByte > 1"])
      #expect(outcome.code == 2)
      #expect(outcome.errors.contains("did you mean \"totalBytes\"?"))
    }
  }

  @Test(
    "verify accepts a sound file and names the block and rule of a damaged one, and changes neither"
  )
  func verify() async throws {
    try await BuiltCommand.withFolder { folder in
      let sound = folder.appending("sound")
      try SampleDatabase.make(sound)
      var bytes = try FileSystem.read(sound)
      let first = try await BuiltCommand.run(["verify", sound.string])
      #expect(first.code == 0)
      #expect(first.output.contains("sound: version 4, 500 rows"))
      #expect(try FileSystem.read(sound) == bytes)
      // In a row that the newest commit did not write: opening does not verify it, reading does.
      let row = [UInt8](repeating: 100, count: 600)
      let offset = try #require(
        (0..<bytes.count - 600).first { bytes[$0] == 100 && Array(bytes[$0..<$0 + 600]) == row })
      bytes[offset + 7] ^= 1
      let damaged = folder.appending("damaged")
      try FileSystem.write(bytes, to: damaged)
      let second = try await BuiltCommand.run(["verify", sound.string, damaged.string])
      #expect(second.code == 1)
      #expect(second.output.contains("\(sound): sound"))
      #expect(second.output.contains("\(damaged): TREE-1: "))
      #expect(second.output.contains("offset \(offset) "))
      #expect(try FileSystem.read(damaged) == bytes)
      try FileSystem.write(Array(bytes.prefix(bytes.count / 2)), to: damaged)
      let third = try await BuiltCommand.run(["verify", damaged.string])
      #expect(third.code == 1)
      #expect(third.output.contains("cannot be opened"))
      let looked = try await BuiltCommand.run(["inspect", damaged.string])
      #expect(looked.code == 2)
      #expect(looked.output.contains("slot A"))
    }
  }

  @Test(
    "compact shrinks the file to the size that the dry run predicted; the dry run changes no byte")
  func compact() async throws {
    try await BuiltCommand.withFolder { folder in
      let file = folder.appending("data")
      try SampleDatabase.make(file)
      let bytes = try FileSystem.read(file)
      let dry = try await BuiltCommand.run(["compact", "--dry-run", file.string])
      #expect(dry.code == 0, "\(dry.errors)")
      #expect(dry.output.contains("time                  about "))
      #expect(try FileSystem.read(file) == bytes)
      #expect(try FileSystem.list(folder) == ["data"])
      let copy = folder.appending("copy")
      let copying = try await BuiltCommand.run(
        ["compact", file.string, "--copy", copy.string])
      #expect(copying.code == 0, "\(copying.errors)")
      #expect(try FileSystem.read(file) == bytes)
      let again = try await BuiltCommand.run(
        ["compact", file.string, "--copy", copy.string])
      #expect(again.code == 2)
      #expect(again.errors.contains("exists; a copy never replaces a file"))
      let outcome = try await BuiltCommand.run(["compact", file.string])
      #expect(outcome.code == 0, "\(outcome.errors)")
      let size = try FileSystem.size(of: file).bytes
      #expect(size < bytes.count / 3)
      #expect(try FileSystem.size(of: copy).bytes == size)
      var digits = String(String(size).reversed())
      for index in [3, 7] where index < digits.count {
        digits.insert(",", at: digits.index(digits.startIndex, offsetBy: index))
      }
      #expect(dry.output.contains("afterwards       \(String(digits.reversed())) B"))
      for path in [file, copy] {
        #expect(try await BuiltCommand.run(["verify", path.string]).code == 0)
      }
      #expect(try FileSystem.list(folder) == ["copy", "data"])
    }
  }

  @Test("a file that would not get shorter is left unchanged, unless --force is given")
  func nothingToGain() async throws {
    try await BuiltCommand.withFolder { folder in
      let file = folder.appending("data")
      try SampleDatabase.make(file)
      #expect(try await BuiltCommand.run(["compact", file.string]).code == 0)
      let (bytes, identity) = (try FileSystem.read(file), try FileIdentity(of: file))
      let dry = try await BuiltCommand.run(["compact", "--dry-run", file.string])
      #expect(dry.code == 0)
      #expect(dry.output.contains("nothing to gain"), "\(dry.output)")
      let outcome = try await BuiltCommand.run(["compact", file.string])
      #expect(outcome.code == 0)
      #expect(outcome.output.contains("nothing to gain"), "\(outcome.output)")
      #expect(outcome.output.contains("--force"), "\(outcome.output)")
      #expect(try FileSystem.read(file) == bytes)
      #expect(try FileIdentity(of: file) == identity)
      let forced = try await BuiltCommand.run(["compact", "--force", file.string])
      #expect(forced.code == 0)
      #expect(forced.output.contains(" written in "), "\(forced.output)")
      #expect(try FileIdentity(of: file) != identity)
      #expect(try FileSystem.list(folder) == ["data"])
      let both = try await BuiltCommand.run(["compact", "x", "--force", "--copy", "y"])
      #expect(both.code == 64)
    }
  }

  @Test(
    "a compaction that fails leaves the file unchanged and nothing beside it, as the dry run predicted"
  )
  func failedCompaction() async throws {
    try await BuiltCommand.withFolder { folder in
      let file = folder.appending("data")
      try SampleDatabase.make(file)
      var bytes = try FileSystem.read(file)
      // In a row that still exists: opening does not verify it, reading does.
      let row = [UInt8](repeating: 100, count: 600)
      let offset = try #require(
        (0..<bytes.count - 600).first { bytes[$0] == 100 && Array(bytes[$0..<$0 + 600]) == row })
      bytes[offset + 7] ^= 1
      try FileSystem.write(bytes, to: file)
      var errors: Set<String> = []
      for arguments in [["compact", "--dry-run"], ["compact"]] {
        let outcome = try await BuiltCommand.run(arguments + [file.string])
        #expect(outcome.code == 2, "\(outcome.output)")
        #expect(outcome.errors.contains("fails the checksum"), "\(outcome.errors)")
        errors.insert(outcome.errors)
        #expect(try FileSystem.list(folder) == ["data"])
        #expect(try FileSystem.read(file) == bytes)
      }
      #expect(errors.count == 1, "\(errors)")
    }
  }

  @Test("where no file may grow, no lock file is left behind")
  func limitedLockFile() async throws {
    try await BuiltCommand.withFolder { folder in
      try SampleDatabase.make(folder.appending("data"))
      let outcome = try await BuiltCommand.script(
        "ulimit -f 0; exec \"$lab\" compact data --force", in: folder)
      #expect(outcome.ending == .exited(2), "\(outcome.ending)")
      #expect(outcome.errorText.contains("data.lock"), "\(outcome.errorText)")
      #expect(try FileSystem.list(folder) == ["data"])
    }
  }

  @Test("a skipped compaction leaves the lock file of a database that other processes have open")
  func lockFileOfOthers() async throws {
    try await BuiltCommand.withFolder { folder in
      let file = folder.appending("data")
      try SampleDatabase.make(file)
      let database = try Database.open(path: file)
      for arguments in [["compact", "--dry-run"], ["compact"]] {
        let outcome = try await BuiltCommand.run(arguments + [file.string])
        #expect(outcome.code == 2, "\(outcome.output)")
        #expect(try FileSystem.list(folder) == ["data", "data.lock"])
      }
      try database.close()
      #expect(try FileSystem.list(folder) == ["data"])
    }
  }

  @Test("an encrypted file needs its key, from a file; its copy is encrypted too")
  func encrypted() async throws {
    try await BuiltCommand.withFolder { folder in
      let file = folder.appending("data")
      let key = (0..<64).map { UInt8($0 * 3) }
      try SampleDatabase.make(file, EncryptionKey(key))
      let keyFile = folder.appending("key")
      try FileSystem.write(key, to: keyFile)
      let withKey = ["--key-file", keyFile.string]
      let size = try FileSystem.size(of: file).bytes
      for command in [["inspect"], ["verify"], ["compact", "--dry-run"]] {
        let without = try await BuiltCommand.run(command + [file.string])
        #expect(without.code == 2, "\(command): \(without.output)")
        let with = try await BuiltCommand.run(command + [file.string] + withKey)
        #expect(with.code == 0, "\(command): \(with.output) \(with.errors)")
      }
      let copy = folder.appending("copy").string
      let copying = try await BuiltCommand.run(["compact", file.string, "--copy", copy] + withKey)
      #expect(copying.code == 0, "\(copying.errors)")
      #expect(try await BuiltCommand.run(["verify", copy]).code == 2)
      #expect(try await BuiltCommand.run(["verify", copy] + withKey).code == 0)
      let compacting = try await BuiltCommand.run(["compact", file.string] + withKey)
      #expect(compacting.code == 0, "\(compacting.errors)")
      #expect(try FileSystem.size(of: file).bytes < size)
      try FileSystem.write([1, 2, 3], to: keyFile)
      let short = try await BuiltCommand.run(["verify", copy] + withKey)
      #expect(short.code == 2)
      #expect(short.errors.contains("is 3 bytes long"))
    }
  }

  @Test("a file that is no native database is rejected with its format, and left unchanged")
  func wrongFiles() async throws {
    try await BuiltCommand.withFolder { folder in
      let files: [(String, [UInt8], String)] =
        [
          (
            "text", Array("hello, this is a text\n".utf8),
            "does not begin with the magic number of a database"
          ),
          ("empty", [], "is empty"),
        ]
        + EngineCatalog.entries.compactMap { entry in
          entry.fileMark.map { mark in
            let bytes = [UInt8](repeating: 3, count: mark.offset) + mark.bytes + [1, 2, 3]
            return (entry.id.rawValue, bytes, "is \(mark.title)")
          }
        }
      for (name, bytes, words) in files {
        let file = folder.appending(name)
        try FileSystem.write(bytes, to: file)
        for command in ["inspect", "verify", "compact"] {
          let outcome = try await BuiltCommand.run([command, file.string])
          #expect(outcome.code == 2, "\(command) \(name)")
          #expect(outcome.errors.contains(words), "\(command) \(name): \(outcome.errors)")
          #expect(try FileSystem.read(file) == bytes)
        }
      }
      for command in ["inspect", "verify", "compact"] {
        let missing = try await BuiltCommand.run([command, folder.appending("no").string])
        #expect(missing.code == 2)
        #expect(missing.errors.contains("no such file"))
        let isFolder = try await BuiltCommand.run([command, folder.string])
        #expect(isFolder.code == 2)
        #expect(isFolder.errors.contains("is a folder"))
      }
      #expect(try FileSystem.list(folder) == files.map(\.0).sorted())
      let both = try await BuiltCommand.run(["compact", "x", "--dry-run", "--copy", "y"])
      #expect(both.code == 64)
    }
  }
}
