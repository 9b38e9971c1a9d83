// The write transaction, on the one connection that writes.
import CDuckDB
import EngineInterface
import SystemIO

/// The connection that writes, with its statements.
final class Writer {
  private let connection: Connection
  let begin: Statement
  let commit: Statement
  let rollBack: Statement
  let inserts: [Statement]
  let deletes: [Statement]
  let rows: [Statement]

  init(_ instance: DuckDBInstance, tables: [String]) throws(EngineError) {
    connection = try Connection(instance)
    var inserts: [Statement] = []
    var deletes: [Statement] = []
    var rows: [Statement] = []
    for table in tables.map(sqlName) {
      inserts.append(try connection.prepare("INSERT INTO \(table) VALUES ($1, $2)"))
      deletes.append(try connection.prepare("DELETE FROM \(table) WHERE key = $1"))
      rows.append(try connection.prepare("SELECT value FROM \(table) WHERE key = $1"))
    }
    (self.inserts, self.deletes, self.rows) = (inserts, deletes, rows)
    begin = try connection.prepare("BEGIN")
    commit = try connection.prepare("COMMIT")
    rollBack = try connection.prepare("ROLLBACK")
  }

  /// Commits, and returns whether the database is usable. It is not where the commit is durable and the checkpoint that came
  /// with it failed.
  func commitTransaction() throws(EngineError) -> Bool {
    do throws(EngineError) {
      try commit.run()
      return true
    } catch {
      if error.message.contains("COMMIT succeeded and is durable") { return false }
      _ = try? rollBack.run()
      throw error
    }
  }
}

/// The one write transaction.
final class DuckDBTransaction: EngineTransaction {
  private var writer: Writer?
  private let session: DuckDBSession
  private let thread = SystemThread.currentID

  init(_ writer: Writer, session: DuckDBSession) {
    self.writer = writer
    self.session = session
  }

  deinit { rollBack() }

  /// Replaces the row by a deletion and an insertion: `INSERT OR REPLACE` takes several times as long.
  func put(
    _ table: TableIndex, _ key: Int64, _ value: UnsafeRawBufferPointer
  ) throws(EngineError) {
    let writer = open
    writer.deletes[table].bind(key, at: 1)
    try writer.deletes[table].run()
    let insert = writer.inserts[table]
    insert.bind(key, at: 1)
    insert.bind(value, at: 2)
    try insert.run()
  }

  func delete(_ table: TableIndex, _ key: Int64) throws(EngineError) -> Bool {
    let statement = open.deletes[table]
    statement.bind(key, at: 1)
    return try statement.countChangedRows() > 0
  }

  func read(
    _ table: TableIndex, _ key: Int64, _ body: (UnsafeRawBufferPointer) -> Void
  ) throws(EngineError) -> Bool {
    try readRow(open.rows[table], key, body)
  }

  func commit() throws(EngineError) {
    let begin = session.reportsCheckpoints ? Clock.monotonicNanoseconds() : 0
    defer { session.writeEnded() }
    if try takeOpen().commitTransaction() {
      session.committed(since: begin)
    } else {
      session.checkpointFailed()
    }
  }

  func rollBack() {
    guard writer != nil else { return }
    _ = try? takeOpen().rollBack.run()
    session.writeEnded()
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
