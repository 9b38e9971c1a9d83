// Rollback journals in place of the log: what they leave beside the file, and whom a commit waits for.
import EngineInterface
import Glibc
import MetricModel
import SystemIO
import TestSupport
import Testing

@testable import SQLiteEngine

@Suite("SQLite with a rollback journal")
struct SQLiteJournalTests {
  static let rollback = JournalMode.allCases.filter { $0 != .writeAhead }

  private func open(
    _ folder: FilePath, _ journal: JournalMode?, keptBytes: Int? = nil, busyTimeout: Int? = 0,
    automatic: Bool = false, compacts: Bool = false
  ) throws -> OpenedSession {
    var options = SessionOptions(tables: ["rows"], automaticCompaction: automatic)
    options.log = LogSettings(keptBytes: keptBytes, journal: journal)
    options.busyTimeout = busyTimeout
    if compacts { options.compactOnLaunch = { _ in true } }
    return try SQLiteEngine().open(folder, options)
  }

  private func put(_ session: any EngineSession, _ keys: Range<Int64>) throws {
    let transaction = try session.beginWrite()
    for key in keys {
      try [UInt8](repeating: 7, count: 1000).withUnsafeBytes { try transaction.put(0, key, $0) }
    }
    try transaction.commit()
  }

  private func journal(_ folder: FilePath) -> FilePath { folder.appending("data.sqlite-journal") }

  @Test(
    "the journal is gone, empty or as long as it was after a commit, and counts as beside the file")
  func left() throws {
    for mode in Self.rollback {
      try withTemporaryFolder { folder in
        let session = try open(folder, mode).session
        try put(session, 0..<500)
        try put(session, 100..<200)
        let exists = FileSystem.exists(journal(folder))
        let bytes = try FileSystem.size(of: [journal(folder)]).bytes
        switch mode {
        case .persist: #expect(bytes > 0)
        case .truncate: #expect(exists && bytes == 0)
        default: #expect(!exists)
        }
        let space = try session.spaceUsage()
        #expect(space.sidecar.bytes == bytes)
        // Nothing has to be moved: the file is as long as its version from the commit on.
        try #expect(FileSystem.size(of: folder.appending("data.sqlite")).bytes == space.file.bytes)
        #expect(!FileSystem.exists(folder.appending("data.sqlite-wal")))
        try session.close()
      }
    }
  }

  @Test(
    "a journal that stays is cut to the limit after each commit, and without one keeps its length")
  func limit() throws {
    for limit in [nil, 4096] {
      try withTemporaryFolder { folder in
        let session = try open(folder, .persist, keptBytes: limit).session
        try put(session, 0..<500)
        try put(session, 0..<500)
        let sidecar = try session.spaceUsage().sidecar.bytes
        #expect(limit.map { sidecar <= $0 } ?? (sidecar > 500_000), "\(sidecar)")
        try session.close()
      }
    }
  }

  @Test(
    "a commit waits for readers and then gives up, with the file as it was; after them it goes through"
  )
  func blocked() throws {
    for mode in Self.rollback {
      for busyTimeout in [0, 30] {
        try withTemporaryFolder { folder in
          let session = try open(folder, mode, busyTimeout: busyTimeout).session
          try put(session, 0..<100)
          let reader = try session.beginSnapshot(label: "reader")
          let before = try session.spaceUsage()
          let error = #expect(throws: EngineError.self) { try put(session, 100..<200) }
          #expect(error?.code == .busy)
          #expect(
            error?.message.contains("\(busyTimeout) ms were waited for a reader or writer") == true,
            "\(error?.message ?? "")")
          try #expect(reader.count(0) == 100)
          // Readers do not mind each other, nor one who measures.
          let other = try session.beginSnapshot(label: "other")
          try #expect(other.count(0) == 100)
          try #expect(session.spaceUsage().file == before.file)
          other.end()
          reader.end()
          try put(session, 100..<200)
          let after = try session.beginSnapshot(label: "after")
          try #expect(after.count(0) == 200)
          after.end()
          try session.close()
        }
      }
    }
  }

  @Test("a writer with a busy timeout commits once the reader that it waits for has ended")
  func patient() throws {
    try withTemporaryFolder { folder in
      let session = try open(folder, .delete, busyTimeout: 60_000).session
      try put(session, 0..<100)
      let reader = try session.beginSnapshot(label: "reader")
      let transaction = try session.beginWrite()
      try [UInt8](repeating: 1, count: 100).withUnsafeBytes { try transaction.put(0, 100, $0) }
      let ending = try SystemThread.start(name: "reader") { reader.end() }
      try transaction.commit()
      ending.join()
      let after = try session.beginSnapshot(label: "after")
      try #expect(after.count(0) == 101)
      after.end()
      try session.close()
    }
  }

  @Test("with a write-ahead log the same reader blocks no writer")
  func besideLog() throws {
    try withTemporaryFolder { folder in
      let session = try open(folder, .writeAhead).session
      try put(session, 0..<100)
      let reader = try session.beginSnapshot(label: "reader")
      try put(session, 100..<200)
      try #expect(reader.count(0) == 100)
      reader.end()
      try session.close()
    }
  }

  @Test("a writer of another process is waited for as long as one asks, and no longer")
  func otherProcess() throws {
    for mode in JournalMode.allCases {
      try withTemporaryFolder { folder in
        // Two sessions of one process lock each other out as those of two processes do.
        let first = try open(folder, mode).session
        let second = try open(folder, mode, busyTimeout: 20).session
        let writing = try first.beginWrite()
        let error = #expect(throws: EngineError.self) { try second.beginWrite() }
        #expect(error?.code == .busy)
        #expect(error?.message.contains("20 ms were waited") == true, "\(error?.message ?? "")")
        writing.rollBack()
        try put(second, 0..<10)
        try second.close()
        try first.close()
      }
    }
  }

  @Test("a checkpoint is refused, since there is no log")
  func checkpoint() throws {
    try withTemporaryFolder { folder in
      let session = try open(folder, .truncate).session
      let error = #expect(throws: EngineError.self) {
        try session.require((any Checkpointing).self, for: "a checkpoint").checkpoint(.passive)
      }
      #expect(error?.code == .unsupported)
      try session.close()
    }
  }

  @Test(
    "a database goes from any journal to any other with every row, and is refused while others have it"
  )
  func changes() throws {
    for from in JournalMode.allCases {
      for to in JournalMode.allCases {
        try withTemporaryFolder { folder in
          let first = try open(folder, from).session
          try put(first, 0..<50)
          if (from == .writeAhead) != (to == .writeAhead) {
            let reader = try first.beginSnapshot(label: "reader")
            #expect(throws: EngineError.self) { try open(folder, to) }
            reader.end()
          }
          try first.close()
          let second = try open(folder, to).session
          try put(second, 50..<60)
          let snapshot = try second.beginSnapshot(label: "all")
          try #expect(snapshot.count(0) == 60)
          snapshot.end()
          try second.close()
          #expect(!FileSystem.exists(folder.appending("data.sqlite-wal")))
        }
      }
    }
  }

  @Test("compaction at launch cuts the file at once, and counts what it wrote there")
  func launch() throws {
    for mode in Self.rollback {
      try withTemporaryFolder { folder in
        let session = try open(folder, mode).session
        try put(session, 0..<2000)
        let transaction = try session.beginWrite()
        for key in Int64(100)..<2000 { _ = try transaction.delete(0, key) }
        try transaction.commit()
        try session.close()
        let opened = try open(folder, mode, compacts: true)
        guard case .compacted(let before, let after, let rewritten) = opened.launch else {
          Issue.record("\(opened.launch)")
          return
        }
        #expect(5 * after.file < before.file)
        #expect(rewritten == after.file)
        try #expect(
          FileSystem.size(of: folder.appending("data.sqlite")).bytes == after.file.bytes)
        try opened.session.close()
      }
    }
  }

  @Test("of a process that is killed every commit that returned is there, with each journal")
  func killed() async throws {
    for mode in Self.rollback {
      try await withTemporaryFolder { folder in
        let (path, journal) = (folder.string, mode.rawValue)
        await #expect(processExitsWith: .signal(SIGKILL)) {
          [path = path as String, journal = journal as String] in
          var options = SessionOptions(tables: ["rows"])
          options.log = LogSettings(journal: JournalMode(rawValue: journal))
          let session = try SQLiteEngine().open(FilePath(path), options).session
          for key in Int64(0)..<30 {
            let transaction = try session.beginWrite()
            try [UInt8](repeating: 1, count: 900).withUnsafeBytes {
              try transaction.put(0, key, $0)
            }
            try transaction.commit()
          }
          // The file is changed as far as the cache was written, and the journal is hot.
          let open = try session.beginWrite()
          for key in Int64(0)..<5000 {
            try [UInt8](repeating: 2, count: 900).withUnsafeBytes { try open.put(0, key, $0) }
          }
          kill(getpid(), SIGKILL)
        }
        let session = try open(folder, mode).session
        let snapshot = try session.beginSnapshot(label: "after")
        var rows: [Int64] = []
        _ = try snapshot.scan(0, from: .min, limit: .max) { key, bytes in
          rows.append(key)
          #expect(bytes.first == 1)
        }
        #expect(rows == Array(0..<30))
        snapshot.end()
        try session.close()
      }
    }
  }
}
