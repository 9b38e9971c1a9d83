// A file that another engine wrote, inspected by the command.
import Foundation
import SystemIO
import TestSupport
import Testing

/// A Realm file with tables, free space and a list of versions beside it, made by hand.
enum ForeignFile {
  /// Makes `pulled.realm` and its lock file, in which version 5 is held, and returns its path.
  static func make(in folder: FilePath) throws -> FilePath {
    var builder = RealmFileBuilder(seed: 2)
    _ = builder.build()
    let path = folder.appending("pulled.realm")
    try FileSystem.write(builder.bytes, to: path)
    try FileSystem.write(
      RealmFileBuilder.lockFile([(11, 1, 0), (5, 1, 0)]), to: FilePath(path.string + ".lock"))
    return path
  }
}

@Suite("inspect reads files of other engines")
struct ForeignFileTests {
  @Test("text has the cause, decisions and tables, changes nothing, and needs no library")
  func text() async throws {
    try await BuiltCommand.withFolder { folder in
      let path = try ForeignFile.make(in: folder)
      let bytes = try FileSystem.read(path)
      let outcome = try await BuiltCommand.run(
        ["inspect", path.string, "--predicate", "totalBytes > 1 kB"],
        environment: ["COMPACTION_LAB_REALM": "/nowhere/librealm.so"])
      #expect(outcome.code == 0, "\(outcome.errors)")
      for part in [
        "Realm file, file format 24, ", "Why so large: ", "automatic: would not begin: ",
        "on-launch: totalBytes > 1 kB: would compact: ", "compacted: the file would have ",
        "oldest version held 5", "Item",
      ] {
        #expect(outcome.output.contains(part), "\(part) is missing in:\n\(outcome.output)")
      }
      #expect(try FileSystem.read(path) == bytes)
      #expect(try FileSystem.list(folder) == ["pulled.realm", "pulled.realm.lock"])
    }
  }

  @Test("without a condition, those that Realm ships and documents are evaluated for a Realm file")
  func vendorConditions() async throws {
    try await BuiltCommand.withFolder { folder in
      let path = try ForeignFile.make(in: folder)
      let outcome = try await BuiltCommand.run(["inspect", path.string])
      for size in [100, 20, 50] {
        let condition = "on-launch: totalBytes > \(size) MiB && usedBytes / totalBytes < 50 %: "
        #expect(outcome.output.contains(condition), "\(outcome.output)")
      }
    }
  }

  @Test("metrics are of one form for foreign and native files")
  func metrics() async throws {
    try await BuiltCommand.withFolder { folder in
      let native = folder.appending("native")
      try SampleDatabase.make(native)
      for path in [try ForeignFile.make(in: folder), native] {
        let outcome = try await BuiltCommand.run(
          ["inspect", path.string, "--format", "prometheus"])
        #expect(outcome.code == 0, "\(outcome.errors)")
        let size = try FileSystem.size(of: path).bytes
        let format = path == native ? "native" : "realm"
        #expect(
          outcome.output.contains(
            "compaction_lab_file_size_bytes{file=\"\(path)\",format=\"\(format)\"} \(size)\n"))
        #expect(outcome.output.contains("use=\"live\"}"))
      }
    }
  }

  @Test("options of native files, and formats that are not read, are refused with the reason")
  func refused() async throws {
    try await BuiltCommand.withFolder { folder in
      let path = try ForeignFile.make(in: folder)
      let drawn = try await BuiltCommand.run(["inspect", path.string, "--svg", "x.svg"])
      #expect(drawn.code == 2 && drawn.errors.contains("are for native files"))
      var bytes = try FileSystem.read(path)
      (bytes[20], bytes[21]) = (9, 9)
      try FileSystem.write(bytes, to: path)
      let old = try await BuiltCommand.run(["inspect", path.string])
      #expect(old.code == 2 && old.errors.contains("is a Realm file of file format 9"))
    }
  }
}
