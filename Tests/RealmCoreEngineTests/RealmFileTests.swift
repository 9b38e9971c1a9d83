// The reader of Realm files, on files made by hand: where the bytes are, and what automatic compaction is at.
import EngineInterface
import MetricModel
import SystemIO
import TestSupport
import Testing

@testable import RealmCoreEngine

@Suite("A Realm file's books are read from its bytes")
struct RealmFileTests {
  private func books(_ bytes: [UInt8]) throws -> RealmBooks? {
    try withTemporaryFolder { folder in
      let path = folder.appending("data.realm")
      try FileSystem.write(bytes, to: path)
      return try RealmFile(path).books()
    }
  }

  @Test(
    "elements of every width are read as they were written",
    arguments: [
      (0, [0, 0, 0]), (1, [1, 0, 1, 1, 0, 0, 0, 1, 1]), (2, [3, 1, 0, 2, 3]), (4, [15, 0, 9]),
      (8, [-128, 127, 0]), (16, [-32768, 32767, 5]), (32, [-2_147_483_648, 2_147_483_647]),
      (64, [Int.min, Int.max, 0, -1]),
    ])
  func widths(bits: Int, elements: [Int]) throws {
    try withTemporaryFolder { folder in
      let path = folder.appending("array")
      let bytes = packed(elements, bits: bits)
      try FileSystem.write([UInt8](repeating: 7, count: 24) + bytes, to: path)
      let array = try #require(try RealmFile(path).array(at: 24))
      #expect((0..<array.count).map { array[$0] } == elements)
      #expect(array.bytes == bytes.count)
    }
  }

  @Test("free space is what the oldest readable version does not see; the parts add up to the file")
  func usage() throws {
    let image = FileImage(free: [(1000, 80, 0), (2000, 160, 5), (4000, 320, 7)])
    let (bytes, booked) = image.bytes()
    let books = try #require(try books(bytes))
    #expect(books.logicalSize == 8192 && books.version == 7)
    for (oldest, free, pinned) in [(7, 560, 0), (6, 240, 320), (4, 80, 480)] {
      let usage = books.usage(oldest: oldest)
      #expect(usage.free == ByteCount(free))
      #expect(usage.pinned == ByteCount(pinned))
      #expect(usage.overhead == ByteCount(booked))
      #expect(usage.live == ByteCount(8192 - 560 - booked))
    }
  }

  @Test("a file that a compaction wrote in one go names its version at its end")
  func streaming() throws {
    let image = FileImage(free: [(1000, 80, 0)])
    let books = try #require(try books(image.bytes(streaming: true).file))
    #expect(books.freeBlocks == [.init(offset: 1000, bytes: 80, freed: 0)])
  }

  @Test(
    "the stage of automatic compaction is in the file",
    arguments: [
      (nil, AutomaticStage.idle), (.chosen(limit: 65536), .evacuating),
      (.array([65536, 0, 3, 4]), .evacuating), (.array([65536, 1000]), .waiting),
      (.array([0, 9]), .blocked),
    ] as [(FileImage.Evacuation?, AutomaticStage)])
  func stages(state: FileImage.Evacuation?, stage: AutomaticStage) throws {
    let image = FileImage(evacuation: state)
    #expect(try books(image.bytes().file)?.evacuation.stage == stage)
  }

  @Test("why automatic compaction is not at work is said with the values that decide")
  func refusals() throws {
    func refusal(_ image: FileImage) throws -> String? {
      try books(image.bytes().file)?.refusal(oldest: 7)
    }
    try #expect(refusal(FileImage()) == "the file has 8.19 kB, less than 1.05 MB")
    var image = FileImage(logicalSize: 3 << 20, free: [(4096, 2 << 20, 7)])
    try #expect(
      refusal(image) == "free space of 2.10 MB is not more than twice the used 1.05 MB")
    image.free[0].1 += 8
    try #expect(refusal(image) == "it begins with the next commit")
    image.evacuation = .array([0, 9])
    try #expect(refusal(image) == "it gave up, and looks again after 9 commits")
    image.evacuation = .array([1 << 20, 0])
    try #expect(refusal(image) == nil)
  }

  @Test("what is no Realm file, or ends too early, has no books")
  func others() throws {
    let whole = FileImage(free: [(1000, 80, 0)]).bytes()
    try #expect(books([]) == nil)
    try #expect(books([UInt8](repeating: 0, count: 8192)) == nil)
    for length in stride(from: 1, to: whole.books, by: 7) {
      try #expect(books(Array(whole.file.prefix(length))) == nil, "\(length) bytes")
    }
  }
}

@Suite("What Realm Core writes into its log is understood")
struct RealmCoreLogTests {
  @Test(
    "lines about compaction become notices, others nothing",
    arguments: [
      ("Start compaction with limit 319488", .started(limit: 319_488)),
      ("Give up compaction", .abandoned), ("New logical size 319488", .shortened(to: 319_488)),
      ("DB compacted from: 2097152 to 205264 in 900 us", .replaced(from: 2_097_152, to: 205_264)),
      (
        "DB: 45536 Thread 140457734384512: Start compaction with limit 1208320",
        .started(limit: 1_208_320)
      ),
      (
        "DB: 45536 Thread 140457734384512: DB compacted from: 1208320 to 421952 in 3457 us",
        .replaced(from: 1_208_320, to: 421_952)
      ),
      ("DB: 45536 Thread 140457734384512: Open file: /a/New logical size 7", nil),
      ("DB: 45536 Thread 14", nil),
      ("Commit of size 4096 done in 3 us", nil), ("New logical size", nil), ("", nil),
    ] as [(String, RealmCoreNotice?)])
  func lines(_ line: String, notice: RealmCoreNotice?) {
    #expect(RealmCoreNotice(line) == notice)
  }

  @Test("a thread takes its own notices once, in order, and no other's")
  func threads() throws {
    let log = RealmCoreLog()
    "Start compaction with limit 1".withCString { log.add($0) }
    let thread = try SystemThread.start(name: "other") {
      "Give up compaction".withCString { log.add($0) }
    }
    thread.join()
    "New logical size 2".withCString { log.add($0) }
    #expect(log.take() == [.started(limit: 1), .shortened(to: 2)])
    #expect(log.take().isEmpty)
  }
}

@Suite("A lock file tells who reads what")
struct RealmLockFileTests {
  /// A list of 32 entries behind that many bytes of mutexes.
  private func image(
    _ entries: [(version: Int, live: Int, frozen: Int)], newest: Int, before: Int = 432
  ) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: before)
    bytes[6] = 14
    bytes[12] = 3
    bytes += [32, 0, 0, 0, 0, 0, 0, 0, UInt8(newest), 0, 0, 0, 0, 0, 0, 0]
    for index in 0..<32 {
      let entry = index < entries.count ? entries[index] : (version: 0, live: 0, frozen: 0)
      bytes += littleEndian(UInt64(entry.version)) + littleEndian(.max) + littleEndian(.max)
      for count in [entry.live, entry.frozen, 0, 0] {
        bytes += littleEndian(UInt64(count), bytes: 4)
      }
    }
    return bytes
  }

  private func read(_ bytes: [UInt8]) throws -> RealmLockFile? {
    try withTemporaryFolder { folder in
      let path = folder.appending("data.realm.lock")
      try FileSystem.write(bytes, to: path)
      return try RealmLockFile(path)
    }
  }

  @Test(
    "versions are those that a reader holds and the newest, however long the mutexes are",
    arguments: [64, 432, 600])
  func versions(before: Int) throws {
    let entries = [(11, 0, 0), (9, 2, 0), (0, 5, 5), (10, 0, 0), (8, 0, 1)]
    try withTemporaryFolder { folder in
      let path = folder.appending("data.realm.lock")
      try FileSystem.write(image(entries, newest: 0, before: before), to: path)
      let lock = try #require(try RealmLockFile(path))
      try #expect(lock.versions() == [8, 9, 11])
      try #expect(lock.participants() == 3)
    }
  }

  @Test("another layout is none")
  func otherLayout() throws {
    var bytes = image([(1, 0, 0)], newest: 0)
    bytes[6] = 13
    #expect(try read(bytes) == nil)
    bytes[6] = 14
    #expect(try read(bytes) != nil)
    #expect(try read(bytes.dropLast(8)) == nil)
    #expect(try read([]) == nil)
  }
}
