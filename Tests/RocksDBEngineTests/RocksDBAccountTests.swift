// The account of a session, which reads the rows of changed tables only, beside one that reads all.
import EngineInterface
import EngineTestSupport
import SystemIO
import TestSupport
import Testing

@testable import RocksDBEngine

@Suite("The account of a RocksDB session", .enabled(if: hasRocksDB))
struct RocksDBAccountTests {
  /// A change of one table, of both, or none.
  private enum Step: CaseIterable {
    case fill, overwriteFirst, deleteFromSecond, rollBack, changeBoth, emptyFirst

    func carryOut(in session: any EngineSession) throws {
      switch self {
      case .fill: for table in 0..<2 { try put(0..<300, bytes: 400, table, session) }
      case .overwriteFirst: try put(0..<100, bytes: 900, 0, session)
      case .deleteFromSecond: try delete(0..<200, 1, session)
      case .rollBack:
        let transaction = try session.beginWrite()
        for key in Int64(0)..<50 { _ = try transaction.delete(0, key) }
        transaction.rollBack()
      case .changeBoth:
        try put(300..<400, bytes: 100, 0, session)
        try put(300..<350, bytes: 50, 1, session)
      case .emptyFirst: try delete(0..<400, 0, session)
      }
    }

    private func put(
      _ keys: Range<Int64>, bytes: Int, _ table: TableIndex, _ session: any EngineSession
    ) throws {
      let value = [UInt8](repeating: 7, count: bytes)
      try session.write { transaction in
        for key in keys { try value.withUnsafeBytes { try transaction.put(table, key, $0) } }
      }
    }

    private func delete(
      _ keys: Range<Int64>, _ table: TableIndex, _ session: any EngineSession
    ) throws {
      try session.write { transaction in
        for key in keys { _ = try transaction.delete(table, key) }
      }
    }
  }

  @Test("is the one that reads all rows, after each change of one of two tables")
  func changedTables() throws {
    try withTemporaryFolder { folder in
      let session = try RocksDBEngine().open(
        folder, SessionOptions(tables: ["first", "second"])
      ).session
      for step in Step.allCases {
        try step.carryOut(in: session)
        let complete = try SpaceAccount().usage(of: session.rocks)
        try #expect(session.spaceUsage() == complete, "after \(step)")
      }
      try session.close()
    }
  }
}
