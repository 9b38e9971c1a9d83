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

  @Test(
    "promtool accepts the metrics of foreign and native files",
    .enabled(if: ChildProcess.findExecutable("promtool") != nil, "there is no promtool"))
  func promtool() async throws {
    try await BuiltCommand.withFolder { folder in
      let native = folder.appending("native")
      try SampleDatabase.make(native)
      for path in [try ForeignFile.make(in: folder), native] {
        let outcome = try await BuiltCommand.script(
          "\"$lab\" inspect '\(path)' --format prometheus > metrics; promtool check metrics < metrics",
          in: folder)
        #expect(outcome.ending.isSuccess, "\(outcome.outputText)\(outcome.errorText)")
        // What it only dislikes is printed, without an exit code.
        #expect(outcome.outputText + outcome.errorText == "")
      }
    }
  }

  @Test("the map is in the text and, with --svg, in a picture")
  func map() async throws {
    try await BuiltCommand.withFolder { folder in
      let path = try ForeignFile.make(in: folder)
      let svg = folder.appending("map.svg")
      let outcome = try await BuiltCommand.run(["inspect", path.string, "--svg", svg.string])
      #expect(outcome.code == 0, "\(outcome.errors)")
      #expect(outcome.output.contains("\nmap: one character is "), "\(outcome.output)")
      #expect(outcome.output.hasSuffix("\nmap: \(svg)\n"), "\(outcome.output)")
      let picture = String(decoding: try FileSystem.read(svg), as: UTF8.self)
      #expect(picture.hasPrefix("<svg ") && picture.contains("pulled.realm, Realm file"))
    }
  }

  @Test("an app's closure is evaluated as it stands in the app")
  func closure() async throws {
    try await BuiltCommand.withFolder { folder in
      let path = try ForeignFile.make(in: folder)
      let size = try FileSystem.size(of: path).bytes
      let closures = [
        "{ totalBytes, usedBytes in totalBytes > 1000 && Double(usedBytes) / Double(totalBytes) < 2.0 }",
        "^BOOL(NSUInteger totalBytes, NSUInteger usedBytes) {\n"
          + "  return (totalBytes > 1000) && ((double)usedBytes / totalBytes) < 2.0;\n}",
      ]
      #expect(size > 1000)
      for closure in closures {
        let outcome = try await BuiltCommand.run(["inspect", path.string, "--predicate", closure])
        #expect(outcome.code == 0, "\(outcome.errors)")
        #expect(outcome.output.contains(": would compact: "), "\(outcome.output)")
      }
    }
  }

  @Test("an encrypted file needs its key, and a plain one refuses it")
  func encrypted() async throws {
    try await BuiltCommand.withFolder { folder in
      let path = try ForeignFile.make(in: folder)
      let key = folder.appending("key")
      try FileSystem.write((0..<64).map { UInt8($0) }, to: key)
      let plain = try await BuiltCommand.run(["inspect", path.string, "--key-file", key.string])
      #expect(plain.code == 2 && plain.errors.contains("needs no --key-file"), "\(plain.errors)")
      let noise = folder.appending("noise")
      var random = SeededRandom(seed: testSeed())
      try FileSystem.write(random.bytes(16384), to: noise)
      let wrong = try await BuiltCommand.run(["inspect", noise.string, "--key-file", key.string])
      #expect(wrong.code == 2, "\(wrong.output)")
      #expect(wrong.errors.contains("no page is authentic under this one"), "\(wrong.errors)")
    }
  }

  @Test("formats that are not read are refused with the reason")
  func refused() async throws {
    try await BuiltCommand.withFolder { folder in
      let path = try ForeignFile.make(in: folder)
      var bytes = try FileSystem.read(path)
      (bytes[20], bytes[21]) = (9, 9)
      try FileSystem.write(bytes, to: path)
      let old = try await BuiltCommand.run(["inspect", path.string])
      #expect(old.code == 2 && old.errors.contains("is a Realm file of file format 9"))
    }
  }
}
