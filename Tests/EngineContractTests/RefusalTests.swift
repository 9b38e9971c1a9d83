// What an engine must refuse: with a typed error, and with the file as it was.
import EngineInterface
import Glibc
import MetricModel
import SystemIO
import TestSupport
import Testing

@Suite("Every engine refuses what it cannot do, and harms nothing")
struct RefusalTests {
  @Test(
    "closing with a snapshot held fails, and the session stays open", arguments: EngineUnderTest.all
  )
  func closeWithSnapshot(_ test: EngineUnderTest) throws {
    try test.withSession { session, _ in
      try session.write { try $0.put(1, [1]) }
      let snapshot = try session.beginSnapshot(label: "holder")
      let error = #expect(throws: EngineError.self) { try session.close() }
      #expect(error?.code == .snapshotsHeld)
      try #expect(snapshot.value(1) == [1])
      try session.write { try $0.put(2, [2]) }
      snapshot.end()
    }
  }

  @Test("a closed session refuses everything", arguments: EngineUnderTest.all)
  func closed(_ test: EngineUnderTest) throws {
    try withTemporaryFolder { folder in
      let session = try test.open(folder)
      try session.close()
      #expect(throws: EngineError.self) { try session.beginSnapshot(label: "late") }
      #expect(throws: EngineError.self) { try session.beginWrite() }
      #expect(throws: EngineError.self) { try session.spaceUsage() }
      let again = try test.open(folder)
      try again.close()
    }
  }

  @Test(
    "a file of arbitrary bytes is corrupt and stays as it was", arguments: EngineUnderTest.all,
    [1, 100, 4096, 50_000])
  func garbage(_ test: EngineUnderTest, bytes: Int) throws {
    var random = SeededRandom(seed: testSeed(23))
    try refuses(test, random.bytes(bytes))
  }

  @Test("a file of zeros is corrupt and stays as it was", arguments: EngineUnderTest.all)
  func zeros(_ test: EngineUnderTest) throws {
    try refuses(test, [UInt8](repeating: 0, count: 16_384))
  }

  @Test("another engine's file is corrupt and stays as it was", arguments: EngineUnderTest.all)
  func foreign(_ test: EngineUnderTest) throws {
    for other in EngineUnderTest.inOneFile
    where other.engine.mainFile != test.engine.mainFile {
      try refuses(test, try image(of: other))
    }
  }

  @Test("half a file is corrupt and stays as it was", arguments: EngineUnderTest.inOneFile)
  func half(_ test: EngineUnderTest) throws {
    let whole = try image(of: test)
    try refuses(test, Array(whole[..<(whole.count / 2)]))
    try refuses(test, Array(whole[..<(whole.count / 4096 / 3 * 4096)]))
  }

  @Test("a file cut anywhere is refused, or has every row", arguments: EngineUnderTest.inOneFile)
  func cut(_ test: EngineUnderTest) throws {
    let whole = try image(of: test)
    for missing in [1, 511, 4096, 8192, 3 * 4096 + 1] {
      try withTemporaryFolder { folder in
        try FileSystem.write(Array(whole.dropLast(missing)), to: test.file(in: folder))
        let session: any EngineSession
        do {
          session = try test.open(folder)
        } catch let error as EngineError {
          #expect(error.code == .corrupt, "\(missing) bytes missing: \(error)")
          return
        }
        try #expect(session.read { try $0.count(0) } == 2000, "\(missing) bytes missing")
        try #expect(session.read { try $0.rows() }.count == 2000)
        try session.close()
      }
    }
  }

  @Test("a folder that is not there is a typed error", arguments: EngineUnderTest.all)
  func noFolder(_ test: EngineUnderTest) throws {
    try withTemporaryFolder { folder -> Void in
      #expect(throws: EngineError.self) { try test.open(folder.appending("missing")) }
    }
  }

  @Test(
    "a folder or file without permission is permissionDenied",
    .enabled(if: geteuid() != 0, "root may do anything"),
    arguments: EngineUnderTest.all)
  func noPermission(_ test: EngineUnderTest) throws {
    try withTemporaryFolder { folder in
      let session = try test.open(folder)
      try fill(session, rows: 10, bytes: 10)
      try session.close()
      chmod(test.file(in: folder).string, 0o444)
      let file = #expect(throws: EngineError.self) { try test.open(folder) }
      #expect(file?.code == .permissionDenied, "\(String(describing: file))")
      chmod(test.file(in: folder).string, 0o644)
      let empty = folder.appending("empty")
      try FileSystem.makeFolders(empty)
      chmod(empty.string, 0o555)
      let made = #expect(throws: EngineError.self) { try test.open(empty) }
      #expect(made?.code == .permissionDenied, "\(String(describing: made))")
      chmod(empty.string, 0o755)
    }
  }

  /// A closed database of two thousand rows, as bytes.
  private func image(of test: EngineUnderTest) throws -> [UInt8] {
    try withTemporaryFolder { folder in
      let session = try test.open(folder)
      try fill(session, rows: 2000, bytes: 300)
      try session.close()
      return try FileSystem.read(test.file(in: folder))
    }
  }

  private func refuses(_ test: EngineUnderTest, _ bytes: [UInt8]) throws {
    try withTemporaryFolder { folder in
      let file = test.file(in: folder)
      try FileSystem.write(bytes, to: file)
      let error = #expect(throws: EngineError.self, "\(bytes.count) bytes") {
        try test.open(folder)
      }
      #expect(error?.code == .corrupt, "\(String(describing: error))")
      #expect(error?.message.contains(test.engine.mainFile) == true, "\(String(describing: error))")
      try #expect(FileSystem.read(file) == bytes)
      // A callback changes nothing about that, and is not asked.
      let calls = Calls()
      #expect(throws: EngineError.self) {
        try test.engine.open(
          folder,
          SessionOptions(
            tables: ["rows"],
            compactOnLaunch: {
              calls.add($0)
              return true
            }))
      }
      #expect(calls.usages.isEmpty)
      try #expect(FileSystem.read(file) == bytes)
    }
  }
}
