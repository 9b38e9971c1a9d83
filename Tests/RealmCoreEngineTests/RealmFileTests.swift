// The reader of Realm files, on files made by hand: where the bytes are, and what automatic compaction is at.
import EngineInterface
import MetricModel
import SystemIO
import TestSupport
import Testing

@testable import FileFormats
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

  @Test("free space is what the oldest readable version does not see; the parts add up to the file")
  func usage() throws {
    let image = RealmFileImage(free: [(1000, 80, 0), (2000, 160, 5), (4000, 320, 7)])
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

  @Test(
    "the stage of automatic compaction is in the file",
    arguments: [
      (nil, AutomaticStage.idle), (.chosen(limit: 65536), .evacuating),
      (.array([65536, 0, 3, 4]), .evacuating), (.array([65536, 1000]), .waiting),
      (.array([0, 9]), .blocked),
    ] as [(RealmFileImage.Evacuation?, AutomaticStage)])
  func stages(state: RealmFileImage.Evacuation?, stage: AutomaticStage) throws {
    let image = RealmFileImage(evacuation: state)
    #expect(try books(image.bytes().file)?.evacuation.stage == stage)
  }

  @Test("why automatic compaction is not at work is said with the values that decide")
  func refusals() throws {
    func refusal(_ image: RealmFileImage) throws -> String? {
      try books(image.bytes().file)?.refusal(oldest: 7)
    }
    try #expect(refusal(RealmFileImage()) == "the file has 8.19 kB, less than 1.05 MB")
    var image = RealmFileImage(logicalSize: 3 << 20, free: [(4096, 2 << 20, 7)])
    try #expect(
      refusal(image) == "free space of 2.10 MB is not more than twice the used 1.05 MB")
    image.free[0].1 += 8
    try #expect(refusal(image) == "it begins with the next commit")
    image.evacuation = .array([0, 9])
    try #expect(refusal(image) == "it gave up, and looks again after 9 commits")
    image.evacuation = .array([1 << 20, 0])
    try #expect(refusal(image) == nil)
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
