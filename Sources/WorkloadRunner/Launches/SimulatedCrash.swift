// Ends a launch as if its process were killed. The files are copied in the middle of a write transaction; then the
// transaction is rolled back, the database is closed, and the copy replaces it. So one process runs all launches, and each
// crash leaves the files that a killed process would leave.
import EngineInterface
import SystemIO

struct SimulatedCrash {
  /// Rows that the unfinished transaction overwrites in each table.
  private static let rows = 200

  private let folder: FilePath
  private let recorder: Recorder

  init(_ folder: FilePath, _ recorder: Recorder) {
    self.folder = folder
    self.recorder = recorder
  }

  /// Closes the session, and leaves the files as they were before.
  func end(
    _ session: any EngineSession, _ tables: [TableState], _ values: inout [ValueWriter]
  ) throws {
    let transaction = try beginTransaction(session)
    do {
      for (index, table) in tables.enumerated() {
        guard let transaction else { break }
        for rank in 0..<min(Self.rows, table.keys.count) {
          try transaction.put(table.index, table.keys.key(rank: rank), values[index].next())
        }
        // A row that is never committed: it must be absent afterwards.
        try transaction.put(table.index, Int64.max, values[index].next())
      }
    } catch {
      transaction?.rollBack()
      throw error
    }
    let killed = FilePath(folder.string + ".killed")
    try recorder.excludingWrittenBytes {
      do {
        try FileSystem.copyTree(folder, to: killed)
      } catch {
        transaction?.rollBack()
        throw error
      }
      transaction?.rollBack()
      try session.close()
      try replaceFiles(by: killed)
    }
  }

  /// Replaces what is in the folder, which may be a file system of its own and so cannot be renamed.
  private func replaceFiles(by other: FilePath) throws(SystemError) {
    for name in try FileSystem.list(folder) {
      try FileSystem.removeTree(folder.appending(name))
    }
    for name in try FileSystem.list(other) {
      try FileSystem.moveTree(other.appending(name), to: folder.appending(name))
    }
    try FileSystem.removeTree(other)
  }

  /// Returns nil where so many versions are held that no transaction may begin: then the crash has none.
  private func beginTransaction(_ session: any EngineSession) throws(EngineError) -> (
    any EngineTransaction
  )? {
    do throws(EngineError) {
      return try session.beginWrite()
    } catch {
      if error.code == .snapshotsHeld { return nil }
      throw error
    }
  }

  /// Throws unless the database has exactly the rows that were committed before the crash.
  func check(_ tables: [TableState], of engine: any Engine, in session: any EngineSession) throws {
    guard engine.capabilities.keepsRows else { return }
    let snapshot = try session.beginSnapshot(label: "check after a crash")
    defer { snapshot.end() }
    for table in tables {
      let found = try snapshot.count(table.index)
      let unfinished = try snapshot.read(table.index, Int64.max) { _ in }
      guard found == table.keys.count, !unfinished else {
        throw EngineError(
          engine: engine.id, code: .corrupt,
          message: "after a crash table \(table.spec.name) has \(found) rows of \(table.keys.count)"
            + (unfinished ? ", one of them never committed" : ""))
      }
    }
  }
}
