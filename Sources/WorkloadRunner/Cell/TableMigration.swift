// Migrates all tables: by the engine's own migration, or row by row in one transaction, as an app does that knows its rows.
import EngineInterface
import MetricModel
import ScenarioModel
import SystemIO

struct TableMigration {
  let setup: CellSetup
  let session: any EngineSession

  /// Carries out the migration as a commit of the run, and checks that it changed every row as it should.
  func carryOut(_ migration: RowMigration) throws {
    let expected = try digests(inverted: migration == .values)
    let start = Clock.monotonicNanoseconds()
    var work = CommittedWork(pace: .rate(PhaseSpec.bulkRate, think: .zero))
    if let migrating = session.capability((any Migrating).self) {
      try migrating.migrate(migration)
      work.operations = setup.tables.reduce(0) { $0 + $1.keys.count }
    } else if migration == .values {
      try rewriteRows(&work)
    } else {
      // An app's new schema version, without any row that changes.
      try session.beginWrite().commit()
    }
    work.nanoseconds = Clock.monotonicNanoseconds() - start
    try setup.recorder.record(commit: work, session)
    guard try digests(inverted: false) == expected else {
      throw EngineError(
        engine: setup.engine.id, code: .corrupt,
        message: "the rows are not as the migration has them")
    }
  }

  private func rewriteRows(_ work: inout CommittedWork) throws {
    let transaction = try session.beginWrite()
    do {
      for table in setup.tables {
        for rank in 0..<table.keys.count {
          try rewrite(table, table.keys.key(rank: rank), transaction, &work)
        }
      }
      try transaction.commit()
    } catch {
      transaction.rollBack()
      throw error
    }
  }

  private func rewrite(
    _ table: TableState, _ key: Int64, _ transaction: any EngineTransaction,
    _ work: inout CommittedWork
  ) throws(EngineError) {
    var row: [UInt8] = []
    let found = try transaction.read(table.index, key) { bytes in row = bytes.map { ~$0 } }
    try table.expect(found, key)
    let written = row.withUnsafeBytes { bytes in
      Result { () throws(EngineError) in try transaction.put(table.index, key, bytes) }
    }
    try written.get()
    work.operations += 1
    work.requestedBytes += MemoryLayout<Int64>.size + row.count
  }

  /// Returns a hash of each table's keys and values, of the inverted values if `inverted`.
  private func digests(inverted: Bool) throws(EngineError) -> [UInt64] {
    let mask: UInt8 = inverted ? 0xFF : 0
    let snapshot = try session.beginSnapshot(label: "checking a migration")
    defer { snapshot.end() }
    var digests: [UInt64] = []
    for table in setup.tables {
      var hash: UInt64 = 0xcbf2_9ce4_8422_2325
      _ = try snapshot.scan(table.index, from: .min, limit: .max) { key, bytes in
        hash = (hash ^ UInt64(bitPattern: key)) &* 0x100_0000_01b3
        for byte in bytes { hash = (hash ^ UInt64(byte ^ mask)) &* 0x100_0000_01b3 }
      }
      digests.append(hash)
    }
    return digests
  }
}
