// Checkpoints within commits: each that moves pages is reported with its times, and reporting changes no byte.
import EngineInterface
import MetricModel
import Synchronization
import SystemIO
import TestSupport
import Testing

@testable import SQLiteEngine

@Suite("SQLite's checkpoints within commits")
struct CommitCheckpointTests {
  /// What was reported of one database.
  private final class Reports: Sendable {
    private let spans = Mutex<[(begin: UInt64, end: UInt64)]>([])

    func add(_ begin: UInt64, _ end: UInt64) { spans.withLock { $0.append((begin, end)) } }
    var all: [(begin: UInt64, end: UInt64)] { spans.withLock { $0 } }
  }

  private func open(
    _ folder: FilePath, checkpointPages: Int?, _ reports: Reports?
  ) throws -> any EngineSession {
    var options = SessionOptions(tables: ["rows"])
    options.log = checkpointPages.map { LogSettings(checkpointPages: $0) }
    if let reports { options.onCheckpoint = { reports.add($0, $1) } }
    return try SQLiteEngine().open(folder, options).session
  }

  private func put(_ session: any EngineSession, _ key: Int64) throws {
    let transaction = try session.beginWrite()
    try [UInt8](repeating: UInt8(truncatingIfNeeded: key), count: 1000).withUnsafeBytes {
      try transaction.put(0, key % 400, $0)
    }
    try transaction.commit()
  }

  @Test(
    "files are as long after every commit, and equal to the byte in the end, with reports and without",
    arguments: [nil, 0, 30] as [Int?])
  func sameBytes(_ pages: Int?) throws {
    func run(_ reports: Reports?) throws -> (lengths: [Int], file: [UInt8]) {
      try withTemporaryFolder { folder in
        let session = try open(folder, checkpointPages: pages, reports)
        var lengths: [Int] = []
        var held: (any EngineSnapshot)?
        for key in Int64(0)..<1500 {
          // A reader for a while, which lets only a part of the log be moved.
          if key == 700 { held = try session.beginSnapshot(label: "reader") }
          if key == 900 { held?.end() }
          try put(session, key)
          for name in ["data.sqlite", "data.sqlite-wal"] {
            lengths.append(try FileSystem.size(of: [folder.appending(name)]).bytes)
          }
        }
        try session.close()
        return (lengths, try FileSystem.read(folder.appending("data.sqlite")))
      }
    }
    let reports = Reports()
    let (with, without) = (try run(reports), try run(nil))
    #expect(with.lengths == without.lengths)
    #expect(with.file == without.file)
    #expect(reports.all.isEmpty == (pages == 0))
  }

  @Test("each is reported within the commit that made it, and no commit that moved pages is missed")
  func times() throws {
    try withTemporaryFolder { folder in
      let reports = Reports()
      let session = try open(folder, checkpointPages: 30, reports)
      let file = folder.appending("data.sqlite")
      var (reported, grown) = (0, 0)
      for key in Int64(0)..<400 {
        let before = (reports.all.count, try FileSystem.size(of: [file]).bytes)
        let begin = Clock.monotonicNanoseconds()
        try put(session, key)
        let end = Clock.monotonicNanoseconds()
        let new = reports.all.dropFirst(before.0)
        #expect(new.count <= 1)
        #expect(new.allSatisfy { begin <= $0.begin && $0.begin < $0.end && $0.end <= end })
        // Pages of new rows make the file longer only as they are moved.
        let hasGrown = try FileSystem.size(of: [file]).bytes > before.1
        #expect(!hasGrown || new.count == 1, "commit \(key)")
        reported += new.count
        grown += hasGrown ? 1 : 0
      }
      #expect(grown > 3 && reported >= grown && reported < 400 / 5)
      try session.close()
    }
  }

  @Test("one that a reader keeps from moving any page is not reported")
  func held() throws {
    try withTemporaryFolder { folder in
      let reports = Reports()
      let session = try open(folder, checkpointPages: 30, reports)
      for key in Int64(0)..<100 { try put(session, key) }
      let snapshot = try session.beginSnapshot(label: "reader")
      // Up to the reader's version pages can be moved once.
      for key in Int64(0)..<60 { try put(session, key) }
      let first = reports.all.count
      for key in Int64(0)..<100 { try put(session, key) }
      #expect(reports.all.count == first)
      snapshot.end()
      try put(session, 1)
      #expect(reports.all.count == first + 1)
      try session.close()
    }
  }
}
