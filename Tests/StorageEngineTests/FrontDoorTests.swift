// The example at `Database`, and the transactions that end with a closure.
import SystemIO
import TestSupport
import Testing

@testable import StorageEngine

@Suite("Transactions with closures")
struct FrontDoorTests {
  private struct Abandoned: Error {}

  @Test("the example in the documentation of Database does what it shows")
  func example() throws {
    let bench = try Workbench()
    let path = bench.path()
    let database = try Database.open(path: path)
    try database.write { transaction in
      let notes = try transaction.table("notes")
      try Array("Buy milk".utf8).withUnsafeBytes { try transaction.put(notes, 1, $0) }
    }
    let note = try database.read { snapshot in
      var text = ""
      guard let notes = snapshot.table("notes") else { return text }
      _ = try snapshot.get(notes, 1) { text = String(decoding: $0, as: UTF8.self) }
      return text
    }
    try database.close()
    #expect(note == "Buy milk")
    let text = try Repository.text("Sources/StorageEngine/Database.swift")
    let test = try Repository.text("Tests/StorageEngineTests/FrontDoorTests.swift")
    let shown = text.split(separator: "\n").drop { !$0.hasPrefix("/// ```swift") }.dropFirst()
      .prefix { !$0.hasPrefix("/// ```") }.map { $0.dropFirst(4) }
    #expect(shown.count == 12)
    for line in shown { #expect(test.contains("    \(line)\n"), "not executed: \(line)") }
  }

  @Test("an error in a write transaction leaves nothing of it, and the next one can begin")
  func rollsBack() throws {
    let bench = try Workbench()
    let database = try bench.open()
    try database.write { transaction, table in try transaction.put(table, 1, [1]) }
    let version = database.version
    #expect(throws: Abandoned.self) {
      try database.write { (transaction: WriteTransaction) in
        _ = try transaction.delete(try transaction.table("rows"), 1)
        throw Abandoned()
      }
    }
    #expect(database.version == version)
    let count = try database.write { (transaction: WriteTransaction) in
      try transaction.count(try transaction.table("rows"))
    }
    #expect(count == 1)
    #expect(database.version == version + 1)
  }

  @Test("a transaction that its closure has ended is not committed again")
  func endedInside() throws {
    let bench = try Workbench()
    let database = try bench.open()
    let version = database.version
    try database.write { (transaction: WriteTransaction) in transaction.rollBack() }
    #expect(database.version == version)
    try database.write { (transaction: WriteTransaction) in try transaction.commit() }
    #expect(database.version == version + 1)
  }

  @Test("a snapshot ends with its closure, even if that throws")
  func readEnds() throws {
    let bench = try Workbench()
    let database = try bench.open()
    let pins = try database.read(label: "mine") { _ in database.oldestPins().map(\.label) }
    #expect(pins == ["mine"])
    #expect(throws: Abandoned.self) { try database.read { _ in throw Abandoned() } }
    #expect(database.oldestPins() == [])
    try database.close()
  }
}
