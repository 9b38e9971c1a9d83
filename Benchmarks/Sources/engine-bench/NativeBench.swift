// The storage engine of this project, by its public calls.
import StorageEngine

final class NativeBench: BenchEngine {
  let name = "native"
  private let path: String
  private var database: Database
  private var table: Table?

  init(folder: String) throws {
    path = folder + "/native.db"
    database = try Database.open(path: .init(path))
  }

  var files: [String] { [path] }

  func load(rows: Int, value: UnsafeRawBufferPointer) throws {
    let transaction = try database.beginWrite()
    let table = try transaction.table("rows")
    for key in 0..<rows { try transaction.put(table, Int64(key), value) }
    try transaction.commit()
    self.table = table
  }

  func setDurable(_ isDurable: Bool) throws {
    try database.close()
    database = try Database.open(
      path: .init(path), options: DatabaseOptions(durability: isDurable ? .full : .none))
  }

  func update(_ keys: [Int64], value: UnsafeRawBufferPointer) throws {
    let transaction = try database.beginWrite()
    for key in keys { try transaction.put(table!, key, value) }
    try transaction.commit()
  }

  func read(_ keys: [Int64]) throws -> UInt64 {
    let snapshot = try database.beginSnapshot()
    defer { snapshot.end() }
    let table = table!
    var total: UInt64 = 0
    for key in keys {
      guard try snapshot.get(table, key, { total &+= sum($0) }) else {
        throw BenchError(description: "native: row \(key) is missing")
      }
    }
    return total
  }

  func close() throws { try database.close() }
}
