import FileFormats
import SystemIO
import TestSupport
import Testing

@Suite("Realm files are read from their bytes")
struct RealmReportTests {
  private func report(_ bytes: [UInt8], lock: [UInt8]? = nil) throws -> FileReport {
    let sides = lock.map { [".lock": MemorySource($0)] } ?? [:]
    return try DatabaseFileReader.report(of: SourceFamily(memory: MemorySource(bytes), sides))
  }

  private func check(
    _ report: FileReport, _ expected: RealmFileBuilder.Expected, _ note: Comment
  ) {
    #expect(report.format == .realm, note)
    #expect(report.space.logical == expected.logical, note)
    #expect(report.space.live == .exact(expected.live), note)
    #expect(report.space.history == .exact(expected.history), note)
    #expect(report.space.overhead == .exact(expected.overhead), note)
    #expect(report.space.free == .exact(expected.free), note)
    #expect(report.space.pinned == .exact(expected.pinned), note)
    #expect(report.space.unreachable == .exact(expected.lost), note)
    #expect(report.problems.isEmpty, "\(report.problems.texts), \(note)")
    let tables = Dictionary(uniqueKeysWithValues: report.trees.list.map { ($0.name, $0.bytes) })
    #expect(tables == expected.tables, note)
    let parts = report.space.parts.dropLast().compactMap(\.measure.exactValue).reduce(0, +)
    #expect(parts == report.space.logical, note)
  }

  @Test(
    "200 files with tables, history, free and lost space: every byte has the use that it was given")
  func figures() throws {
    for index in 0..<200 {
      let seed = testSeed() &* 1000 &+ UInt64(index)
      var builder = RealmFileBuilder(seed: seed)
      let isStreaming = index % 5 == 4
      let expected = builder.build(format: [22, 23, 24][index % 3], isStreaming: isStreaming)
      let report = try report(builder.bytes)
      check(report, expected, "seed \(seed)")
      #expect(report.versions.newest == (isStreaming ? nil : 11))
      #expect(report.freePieces.bytes == expected.free)
    }
  }

  @Test("versions that the lock file lists as read hold back what newer ones freed")
  func pinned() throws {
    for oldest in 1...11 {
      var builder = RealmFileBuilder(seed: testSeed() &+ UInt64(oldest))
      let expected = builder.build(oldest: oldest)
      let lock = RealmFileBuilder.lockFile([(11, 1, 0), (oldest, 1, 2), (20, 0, 0)])
      let report = try report(builder.bytes, lock: lock)
      check(report, expected, "oldest \(oldest)")
      #expect(report.versions.oldestHeld == UInt64(oldest))
      #expect(report.versions.readers == 4)
    }
  }

  @Test("a lock file without participants holds nothing back")
  func noParticipants() throws {
    var builder = RealmFileBuilder(seed: testSeed())
    let expected = builder.build()
    let lock = RealmFileBuilder.lockFile([(3, 1, 0)], participants: 0)
    let report = try report(builder.bytes, lock: lock)
    check(report, expected, "no participants")
    #expect(report.versions.oldestHeld == nil && report.versions.readers == 0)
  }

  @Test(
    "other file formats are named and refused, with what to do",
    arguments: [(9, "Realm Core 14"), (20, "Realm Core 14"), (25, "newer than 14")])
  func refused(format: Int, advice: String) throws {
    var builder = RealmFileBuilder(seed: testSeed())
    _ = builder.build(format: UInt8(format))
    do throws(FileFormatError) {
      _ = try DatabaseFileReader.report(of: SourceFamily(memory: MemorySource(builder.bytes)))
      Issue.record("no error")
    } catch {
      #expect("\(error)".contains("file format \(format)") && "\(error)".contains(advice))
    }
  }

  @Test("what is no database is not recognized, and the reason is stated")
  func unrecognized() throws {
    for bytes in [[], [UInt8](repeating: 7, count: 4096), Array("T-DB".utf8)] {
      #expect(throws: FileFormatError.self) { try self.report(bytes) }
    }
  }

  @Test("automatic compaction is not begun in a file without its state")
  func evacuation() throws {
    for (state, text) in [
      (nil, "not begun"), (.chosen(limit: 65536), "moves data below 65536 B"),
      (.array([65536, 1000]), "waits until the space from 65536 B on is free"),
      (.array([0, 9]), "gave up, and looks again after 9 commits"),
    ] as [(RealmFileImage.Evacuation?, String)] {
      let image = RealmFileImage(evacuation: state)
      let report = try report(image.bytes().file)
      let fact = report.facts.first { $0.key == "automaticCompaction" }
      guard case .text(let value) = fact?.value else {
        Issue.record("no fact")
        continue
      }
      #expect(value.hasPrefix(text))
    }
  }

  @Test("arrays that form a cycle are reported, and end the walk")
  func cycle() throws {
    var bytes = [UInt8](repeating: 0, count: 8192)
    func place(_ array: [UInt8], at offset: Int) {
      bytes.replaceSubrange(offset..<offset + array.count, with: array)
    }
    place(Array("T-DB".utf8) + [24, 24, 0, 0], at: 16)
    place(littleEndian(1024), at: 0)
    let references = { packed($0, bits: 32, hasReferences: true) }
    place(references([2048, 3072, 2 * 8192 + 1]), at: 1024)
    place(references([4096]), at: 3072)
    place(references([5120, 5120]), at: 4096)
    place(references([4096]), at: 5120)
    let report = try report(bytes)
    #expect(report.problems.texts.contains { $0.contains("cycle") })
  }

  @Test("10,000 damaged Realm files and lock files")
  func damage() {
    let seed = testSeed(1)
    print("damage of 50 Realm files: SEED=\(seed)")
    for index in 0..<50 {
      var builder = RealmFileBuilder(seed: seed &* 77 &+ UInt64(index))
      _ = builder.build(isStreaming: index % 5 == 4)
      let trial = DamageTrial(
        main: builder.bytes,
        sides: [".lock": RealmFileBuilder.lockFile([(11, 1, 0), (7, 1, 1)])])
      trial.run(200, seed: seed &+ UInt64(index) << 32)
    }
  }

  @Test("what follows the version in a file of 10 GB is its tail, and is not read")
  func tail() throws {
    try withTemporaryFolder { folder in
      var builder = RealmFileBuilder(seed: testSeed())
      let expected = builder.build()
      let path = folder.appending("large.realm")
      try FileSystem.write(builder.bytes, to: path)
      try LargeFileTests.extend(path)
      let report = try DatabaseFileReader.report(of: path)
      check(report, expected, "10 GB")
      #expect(report.space.tail == LargeFileTests.bytes - expected.logical)
    }
  }
}
