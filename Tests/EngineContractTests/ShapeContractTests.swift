// What engines with objects of their own do with links, lists, embedded objects and indexes, and what all others refuse.
import EngineInterface
import MetricModel
import SystemIO
import TestSupport
import Testing

@Suite("Rows with more than bytes")
struct ShapeContractTests {
  private static let shaped = EngineUnderTest.all.filter {
    $0.engine.capabilities.shapes.isSupported
  }
  private static let plain = EngineUnderTest.all.filter {
    !$0.engine.capabilities.shapes.isSupported
  }

  private func options(
    _ shape: RowShape, on engine: EngineUnderTest, migrations: [RowMigration] = []
  ) -> SessionOptions {
    var options = SessionOptions(
      tables: ["rows"], automaticCompaction: !engine.engine.capabilities.never.isSupported)
    options.shapes = [shape]
    options.migrations = migrations
    return options
  }

  private func withSession(
    _ shape: RowShape, on engine: EngineUnderTest,
    _ body: (any EngineSession) throws -> Void
  ) throws {
    try withTemporaryFolder { folder in
      let session = try engine.engine.open(folder, options(shape, on: engine)).session
      try body(session)
      try session.close()
    }
  }

  private func write(
    _ session: any EngineSession, _ body: (any ShapedTransaction) throws -> Void
  ) throws {
    let transaction = try #require(try session.beginWrite() as? any ShapedTransaction)
    do { try body(transaction) } catch {
      transaction.rollBack()
      throw error
    }
    try transaction.commit()
  }

  private func delete(_ session: any EngineSession, _ key: Int64) throws {
    var found = false
    try write(session) { found = try $0.delete(0, key) }
    #expect(found)
  }

  private func read<Result>(
    _ session: any EngineSession, _ body: (any ShapedSnapshot) throws -> Result
  ) throws -> Result {
    let snapshot = try #require(
      try session.beginSnapshot(label: "reading") as? any ShapedSnapshot)
    defer { snapshot.end() }
    return try body(snapshot)
  }

  private func put(
    _ transaction: any ShapedTransaction, _ key: Int64, _ parts: RowParts
  ) throws {
    try [UInt8](repeating: 7, count: 20).withUnsafeBytes {
      try transaction.put(0, key, $0, parts)
    }
  }

  @Test("links are replaced, and a deleted row leaves the links of others", arguments: shaped)
  func links(_ engine: EngineUnderTest) throws {
    try withSession(.links(3), on: engine) { session in
      try write(session) { transaction in
        for key in 0..<4 {
          try put(transaction, Int64(key), .links(key == 0 ? [0] : [0, Int64(key)]))
        }
        try put(transaction, 1, .links([3, 2, 0]))
      }
      #expect(try read(session) { try $0.parts(0, 1) } == .links([0, 2, 3]))
      try delete(session, 0)
      #expect(try read(session) { try $0.parts(0, 1) } == .links([2, 3]))
      #expect(try read(session) { try $0.parts(0, 2) } == .links([2]))
      #expect(try read(session) { try $0.parts(0, 0) } == nil)
    }
  }

  @Test(
    "a list grows at its end, shrinks at its front, and stays when its row is written",
    arguments: shaped)
  func lists(_ engine: EngineUnderTest) throws {
    try withSession(.list, on: engine) { session in
      try write(session) { transaction in
        try transaction.put(0, 5, UnsafeRawBufferPointer(start: nil, count: 0))
        for element in 0..<300 { try transaction.append(Int64(element) << 33, 0, 5) }
      }
      try write(session) { transaction in
        for _ in 0..<298 { try transaction.removeFirst(0, 5) }
        try [1, 2].withUnsafeBytes { try transaction.put(0, 5, $0) }
      }
      #expect(try read(session) { try $0.parts(0, 5) } == .list([298 << 33, 299 << 33]))
    }
  }

  @Test("a tree is replaced as a whole, and deleted with its row", arguments: shaped)
  func trees(_ engine: EngineUnderTest) throws {
    func nodes(_ byte: UInt8) -> [[UInt8]] { (0..<6).map { [byte, $0] } }
    try withSession(.tree(2), on: engine) { session in
      try write(session) { try put($0, 1, .tree(nodes(1))) }
      let before = try session.spaceUsage().live
      for round in UInt8(2)...5 { try write(session) { try put($0, 1, .tree(nodes(round))) } }
      #expect(try read(session) { try $0.parts(0, 1) } == .tree(nodes(5)))
      // Trees that were replaced are not in use.
      if let before, let after = try session.spaceUsage().live {
        #expect(after.bytes < before.bytes + 2000)
      }
      try delete(session, 1)
      #expect(try read(session) { try $0.parts(0, 1) } == nil)
    }
  }

  @Test("rows are found by the newest values of their indexed columns", arguments: shaped)
  func indexes(_ engine: EngineUnderTest) throws {
    try withSession(.indexes(2), on: engine) { session in
      try write(session) { transaction in
        for key in 0..<20 { try put(transaction, Int64(key), .columns([Int64(key % 3), -9])) }
        try put(transaction, 3, .columns([1, 4]))
      }
      try delete(session, 4)
      #expect(try read(session) { try $0.parts(0, 3) } == .columns([1, 4]))
      #expect(
        try read(session) { try $0.keys(0, column: 0, equalTo: 1) } == [1, 3, 7, 10, 13, 16, 19])
      #expect(try read(session) { try $0.keys(0, column: 1, equalTo: 4) } == [3])
    }
  }

  @Test("what has a shape is found after closing", arguments: shaped)
  func reopening(_ engine: EngineUnderTest) throws {
    try withTemporaryFolder { folder in
      let first = try engine.engine.open(folder, options(.links(2), on: engine)).session
      try write(first) { transaction in
        try put(transaction, 1, .links([]))
        try put(transaction, 2, .links([1, 2]))
      }
      try first.close()
      let second = try engine.engine.open(folder, options(.links(2), on: engine)).session
      #expect(try read(second) { try $0.parts(0, 2) } == .links([1, 2]))
      try second.close()
    }
  }

  @Test(
    "of two tables of one shape both have their rows, or none opens, with the reason that plans have",
    arguments: shaped)
  func twoTables(_ engine: EngineUnderTest) throws {
    var options = options(.list, on: engine)
    options.tables = ["rows", "others"]
    options.shapes = [.list, .list]
    let reason = engine.engine.unsupportedReason(tables: options.tables, shapes: options.shapes)
    try withTemporaryFolder { folder in
      if let reason {
        let error = #expect(throws: EngineError.self) {
          _ = try engine.engine.open(folder, options)
        }
        #expect(error?.code == .unsupported)
        #expect(error?.message.contains(reason) == true)
        return
      }
      let session = try engine.engine.open(folder, options).session
      try write(session) { transaction in
        for table in 0...1 {
          try [UInt8(table)].withUnsafeBytes { try transaction.put(table, 1, $0) }
          try transaction.append(Int64(table), table, 1)
        }
      }
      let lists = try read(session) { [try $0.parts(0, 1), try $0.parts(1, 1)] }
      #expect(lists == [.list([0]), .list([1])])
      try session.close()
    }
  }

  @Test("an engine without objects refuses a table with a shape, and says why", arguments: plain)
  func refusal(_ engine: EngineUnderTest) throws {
    try withTemporaryFolder { folder in
      let error = #expect(throws: EngineError.self) {
        _ = try engine.engine.open(folder, options(.list, on: engine))
      }
      #expect(error?.code == .unsupported)
    }
  }
}
