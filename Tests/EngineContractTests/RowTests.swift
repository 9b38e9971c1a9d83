// Rows in and out: what is written is what is read, in key order, now and after closing.
import EngineInterface
import TestSupport
import Testing

@Suite("Every engine keeps rows")
struct RowTests {
  @Test(
    "a row is read as written, replaced, and gone once deleted", arguments: EngineUnderTest.all)
  func lifeOfARow(_ test: EngineUnderTest) throws {
    try test.withSession { session, _ in
      try session.write { try $0.put(7, [1, 2, 3]) }
      try #expect(session.read { try $0.value(7) } == [1, 2, 3])
      try session.write { try $0.put(7, [4]) }
      try #expect(session.read { try $0.value(7) } == [4])
      try #expect(session.write { try $0.delete(0, 7) })
      try #expect(session.read { try $0.value(7) } == nil)
      try #expect(!session.write { try $0.delete(0, 7) })
    }
  }

  @Test(
    "negative and extreme keys are kept apart and scanned in signed order",
    arguments: EngineUnderTest.all)
  func keyOrder(_ test: EngineUnderTest) throws {
    let keys: [Int64] = [
      .min, .min + 1, -4_294_967_296, -256, -2, -1, 0, 1, 255, 256, 65_536, 4_294_967_296,
      .max - 1, .max,
    ]
    try test.withSession { session, _ in
      try session.write { transaction in
        for key in keys.reversed() { try transaction.put(key, Array("\(key)".utf8)) }
      }
      try session.read { snapshot in
        try #expect(snapshot.rows() == keys.map { Row(key: $0, value: Array("\($0)".utf8)) })
        try #expect(snapshot.rows(from: -3, limit: 3).map(\.key) == [-2, -1, 0])
        try #expect(snapshot.rows(from: .max).map(\.key) == [.max])
        try #expect(snapshot.rows(from: 0, limit: 0).isEmpty)
        try #expect(snapshot.count(0) == keys.count)
        for key in keys { try #expect(snapshot.value(key) == Array("\(key)".utf8)) }
      }
    }
  }

  @Test("empty values and values of 1 MB are kept whole", arguments: EngineUnderTest.all)
  func valueSizes(_ test: EngineUnderTest) throws {
    var random = SeededRandom(seed: testSeed())
    let sizes = [0, 1, 7, 8, 255, 256, 1000, 2040, 4000, 4096, 8192, 65_537, 1_000_000]
    let values = sizes.map { random.bytes($0) }
    try test.withSession { session, _ in
      try session.write { transaction in
        for (key, value) in values.enumerated() { try transaction.put(Int64(key), value) }
      }
      try session.read { snapshot in
        for (key, value) in values.enumerated() {
          try #expect(snapshot.value(Int64(key)) == value, "\(sizes[key]) bytes")
        }
      }
    }
  }

  @Test("tables do not see each other's rows", arguments: EngineUnderTest.all)
  func tables(_ test: EngineUnderTest) throws {
    try test.withSession(tables: ["a", "b", "odd \"name\""]) { session, _ in
      try session.write { transaction in
        for table in 0..<3 { try transaction.put(1, [UInt8(table)], table: table) }
        _ = try transaction.delete(1, 1)
      }
      try session.read { snapshot in
        try #expect(snapshot.value(1, table: 0) == [0])
        try #expect(snapshot.value(1, table: 1) == nil)
        try #expect(snapshot.value(1, table: 2) == [2])
        try #expect(snapshot.count(1) == 0)
      }
    }
  }

  @Test(
    "random work leaves what a dictionary holds, also after closing and opening",
    arguments: EngineUnderTest.all, Durability.allCases)
  func modeled(_ test: EngineUnderTest, _ durability: Durability) throws {
    let tables = ["first", "second"]
    var workload = Workload(seed: testSeed(3), tables: tables.count)
    try withTemporaryFolder { folder in
      for launch in 1...3 {
        let session = try test.open(folder, tables: tables, durability: durability)
        for _ in 0..<60 { try workload.commit(session, operations: 20) }
        try session.read { snapshot in
          for table in 0..<2 {
            try #expect(
              snapshot.rows(table: table) == workload.rows(table),
              "launch \(launch), \(workload.seedText)")
            try #expect(snapshot.count(table) == workload.model[table].count)
          }
        }
        try session.close()
      }
      let session = try test.open(folder, tables: tables)
      try session.read { snapshot in
        for table in 0..<2 { try #expect(snapshot.rows(table: table) == workload.rows(table)) }
      }
      try session.close()
    }
  }

  @Test("a rolled-back transaction leaves nothing", arguments: EngineUnderTest.all)
  func rollBack(_ test: EngineUnderTest) throws {
    try test.withSession { session, _ in
      try session.write { try $0.put(1, [1]) }
      let transaction = try session.beginWrite()
      try transaction.put(1, [2])
      try transaction.put(2, [3])
      try #expect(transaction.value(2) == [3])
      transaction.rollBack()
      transaction.rollBack()
      try #expect(session.read { try $0.rows() } == [Row(key: 1, value: [1])])
      // The next writer is let in.
      try session.write { try $0.put(3, [3]) }
      try #expect(session.read { try $0.count(0) } == 2)
    }
  }

  @Test("a transaction that is dropped is rolled back", arguments: EngineUnderTest.all)
  func dropped(_ test: EngineUnderTest) throws {
    try test.withSession { session, _ in
      func abandon() throws {
        let transaction = try session.beginWrite()
        try transaction.put(1, [1])
      }
      try abandon()
      try session.write { try $0.put(2, [2]) }
      try #expect(session.read { try $0.rows() } == [Row(key: 2, value: [2])])
    }
  }
}
