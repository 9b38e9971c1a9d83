// The write transaction, on the one connection that writes.
import CSQLite
import EngineInterface
import SystemIO

/// The connection that writes, with its statements.
final class Writer {
  let connection: Connection
  let begin: Statement
  let commit: Statement
  let rollBack: Statement
  let puts: [Statement]
  let deletes: [Statement]
  let rows: [Statement]

  init(_ connection: Connection, tables: [String]) throws(EngineError) {
    self.connection = connection
    var puts: [Statement] = []
    var deletes: [Statement] = []
    var rows: [Statement] = []
    for table in tables.map(quoted) {
      puts.append(
        try connection.prepare("INSERT OR REPLACE INTO \(table) (key, value) VALUES (?1, ?2)"))
      deletes.append(try connection.prepare("DELETE FROM \(table) WHERE key = ?1"))
      rows.append(try connection.prepare("SELECT value FROM \(table) WHERE key = ?1"))
    }
    (self.puts, self.deletes, self.rows) = (puts, deletes, rows)
    // IMMEDIATE takes the write lock now; a plain BEGIN would only fail later, when a change needs it.
    begin = try connection.prepare("BEGIN IMMEDIATE")
    commit = try connection.prepare("COMMIT")
    rollBack = try connection.prepare("ROLLBACK")
  }
}

/// The one write transaction.
final class SQLiteTransaction: EngineTransaction {
  private var writer: Writer?
  private let session: SQLiteSession
  private let thread = SystemThread.currentID

  init(_ writer: Writer, session: SQLiteSession) {
    self.writer = writer
    self.session = session
  }

  deinit { rollBack() }

  func put(
    _ table: TableIndex, _ key: Int64, _ value: UnsafeRawBufferPointer
  ) throws(EngineError) {
    let statement = open.puts[table]
    statement.bind(key, at: 1)
    // Bound without a copy: the statement has run before the bytes may go. No address would mean NULL.
    if let address = value.baseAddress, value.count > 0 {
      _ = statement.sqlite.call.bindBlob64(statement.handle, 2, address, UInt64(value.count), nil)
    } else {
      _ = statement.sqlite.call.bindZeroblob(statement.handle, 2, 0)
    }
    try statement.run()
  }

  func delete(_ table: TableIndex, _ key: Int64) throws(EngineError) -> Bool {
    let statement = open.deletes[table]
    statement.bind(key, at: 1)
    try statement.run()
    return statement.sqlite.call.changes(open.connection.handle) > 0
  }

  func read(
    _ table: TableIndex, _ key: Int64, _ body: (UnsafeRawBufferPointer) -> Void
  ) throws(EngineError) -> Bool {
    try readRow(open.rows[table], key, body)
  }

  func commit() throws(EngineError) {
    let writer = takeOpen()
    do throws(EngineError) {
      try writer.commit.run()
    } catch {
      undo(writer)
      try session.writeEnded(writer, committed: false)
      throw session.describingWait(error)
    }
    try session.writeEnded(writer, committed: true)
  }

  func rollBack() {
    guard writer != nil else { return }
    let writer = takeOpen()
    undo(writer)
    // Only what follows a commit can fail.
    try? session.writeEnded(writer, committed: false)
  }

  private func undo(_ writer: Writer) {
    // After some errors SQLite has rolled back by itself, and ROLLBACK would complain.
    let connection = writer.connection
    if connection.sqlite.call.getAutocommit(connection.handle) == 0 { try? writer.rollBack.run() }
  }

  private var open: Writer {
    guard let writer else { preconditionFailure("A transaction was used after its end.") }
    return writer
  }

  private func takeOpen() -> Writer {
    let ending = open
    precondition(
      thread == SystemThread.currentID, "A write transaction ended on another thread.")
    writer = nil
    return ending
  }
}
