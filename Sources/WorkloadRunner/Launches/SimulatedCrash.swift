// A launch that ends as if its process were killed. The files are copied while a write transaction is half done; the copy
// takes the place of the original, which is then let go of in peace: one process goes through all launches, and what a
// killed one leaves are its files.
import EngineInterface
import SystemIO

struct Crash {
  /// Rows that the unfinished transaction overwrites in each table.
  private static let rows = 200

  private let folder: FilePath
  private let recorder: Recorder

  init(_ folder: FilePath, _ recorder: Recorder) {
    self.folder = folder
    self.recorder = recorder
  }

  /// Ends the session, and leaves the files as they were before its end.
  func end(
    _ session: any EngineSession, _ tables: [TableState], _ values: inout [ValueWriter]
  ) throws {
    let transaction = try begun(session)
    do {
      for (index, table) in tables.enumerated() {
        guard let transaction else { break }
        for rank in 0..<min(Self.rows, table.keys.count) {
          try transaction.put(table.index, table.keys.key(rank: rank), values[index].next())
        }
        // A row that nobody committed: it must not be there afterwards.
        try transaction.put(table.index, Int64.max, values[index].next())
      }
    } catch {
      transaction?.rollBack()
      throw error
    }
    let (killed, living) = (
      FilePath(folder.string + ".killed"), FilePath(folder.string + ".living")
    )
    try recorder.notCounting {
      do {
        try FileSystem.copyTree(folder, to: killed)
      } catch {
        transaction?.rollBack()
        throw error
      }
      transaction?.rollBack()
      try session.close()
      try FileSystem.rename(folder, to: living)
      try FileSystem.rename(killed, to: folder)
      try FileSystem.removeTree(living)
    }
  }

  /// nil where so many versions are held that nobody may write: then the process dies without a transaction.
  private func begun(_ session: any EngineSession) throws(EngineError) -> (any EngineTransaction)? {
    do throws(EngineError) {
      return try session.beginWrite()
    } catch {
      if error.code == .snapshotsHeld { return nil }
      throw error
    }
  }

  /// Holds the database after a crash to the rows that were committed before it.
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
