// The two sides of a comparison: the same database twice, once behind the harness's interface, once by the calls that a
// program makes which knows its library.
import CAdapterBench
import EngineInterface
import StorageEngine
import SystemIO

/// One open database.
protocol Side: AnyObject {
  /// Rows 0 ..< rows in one transaction.
  func load(rows: Int, value: UnsafeRawBufferPointer) throws
  /// Commits of so many puts each. The value begins with the commit's number, so that it is always another.
  func commit(_ keys: [Int64], puts: Int, value: UnsafeMutableRawBufferPointer) throws
  /// Reads rows, so many in each read transaction, every byte of each; answers what they come to.
  func read(_ keys: [Int64], inSnapshot: Int) throws -> UInt64
  func close() throws
}

struct BenchError: Error, CustomStringConvertible {
  let description: String
}

/// Through the harness's interface, as its clients use it.
final class AdapterSide: Side {
  private let session: any EngineSession

  init(_ engine: any Engine, in folder: FilePath, _ durability: Durability) throws {
    session = try engine.open(
      folder, SessionOptions(tables: ["rows"], durability: durability)
    ).session
  }

  func load(rows: Int, value: UnsafeRawBufferPointer) throws {
    let transaction = try session.beginWrite()
    for key in 0..<Int64(rows) { try transaction.put(0, key, value) }
    try transaction.commit()
  }

  func commit(_ keys: [Int64], puts: Int, value: UnsafeMutableRawBufferPointer) throws {
    for number in 0..<keys.count / puts {
      value.storeBytes(of: UInt64(number), as: UInt64.self)
      let transaction = try session.beginWrite()
      for place in number * puts..<(number + 1) * puts {
        try transaction.put(0, keys[place], UnsafeRawBufferPointer(value))
      }
      try transaction.commit()
    }
  }

  func read(_ keys: [Int64], inSnapshot: Int) throws -> UInt64 {
    var sum: UInt64 = 0
    for first in stride(from: 0, to: keys.count, by: inSnapshot) {
      let snapshot = try session.beginSnapshot(label: "reads")
      defer { snapshot.end() }
      for place in first..<min(first + inSnapshot, keys.count) {
        let found = try snapshot.read(0, keys[place]) { sum &+= touch($0) }
        guard found else { throw BenchError(description: "row \(keys[place]) is missing") }
      }
    }
    return sum
  }

  func close() throws { try session.close() }
}

/// In C, by the library's own interface.
final class DirectSide: Side {
  private let library: direct_library
  private let database: OpaquePointer

  init(
    _ library: UnsafePointer<direct_library>, named name: String, at path: FilePath,
    _ durability: Durability, isKept: Bool
  ) throws {
    self.library = library.pointee
    let opened = name.withCString { name in
      path.string.withCString { path in
        var settings = direct_settings(
          library: name, path: path, durable: durability == .full ? 1 : 0, kept: isKept ? 1 : 0)
        return library.pointee.open(&settings)
      }
    }
    guard let opened else { throw Self.failure }
    database = opened
  }

  private static var failure: BenchError {
    BenchError(description: String(cString: direct_failure()))
  }

  private func check(_ answer: Int32) throws {
    if answer != 0 { throw Self.failure }
  }

  func load(rows: Int, value: UnsafeRawBufferPointer) throws {
    try check(library.load(database, rows, value.baseAddress, value.count))
  }

  func commit(_ keys: [Int64], puts: Int, value: UnsafeMutableRawBufferPointer) throws {
    try check(
      library.commit(database, keys, puts, keys.count / puts, value.baseAddress, value.count))
  }

  func read(_ keys: [Int64], inSnapshot: Int) throws -> UInt64 {
    var sum: UInt64 = 0
    try check(library.read(database, keys, keys.count, inSnapshot, &sum))
    return sum
  }

  func close() throws { library.close(database) }
}

/// The storage engine of this package by its public calls: for it there is no C.
final class NativeSide: Side {
  private let database: Database
  private let table: Table

  init(at path: FilePath, _ durability: Durability) throws {
    var options = DatabaseOptions(durability: durability == .full ? .full : .none)
    options.automaticCompaction = nil
    database = try Database.open(path: path, options: options)
    let transaction = try database.beginWrite()
    table = try transaction.table("rows")
    try transaction.commit()
  }

  func load(rows: Int, value: UnsafeRawBufferPointer) throws {
    let transaction = try database.beginWrite()
    for key in 0..<Int64(rows) { try transaction.put(table, key, value) }
    try transaction.commit()
  }

  func commit(_ keys: [Int64], puts: Int, value: UnsafeMutableRawBufferPointer) throws {
    for number in 0..<keys.count / puts {
      value.storeBytes(of: UInt64(number), as: UInt64.self)
      let transaction = try database.beginWrite()
      for place in number * puts..<(number + 1) * puts {
        try transaction.put(table, keys[place], UnsafeRawBufferPointer(value))
      }
      try transaction.commit()
    }
  }

  func read(_ keys: [Int64], inSnapshot: Int) throws -> UInt64 {
    var sum: UInt64 = 0
    for first in stride(from: 0, to: keys.count, by: inSnapshot) {
      let snapshot = try database.beginSnapshot(label: "reads")
      defer { snapshot.end() }
      for place in first..<min(first + inSnapshot, keys.count) {
        let found = try snapshot.get(table, keys[place]) { sum &+= touch($0) }
        guard found else { throw BenchError(description: "row \(keys[place]) is missing") }
      }
    }
    return sum
  }

  func close() throws { try database.close() }
}

/// The loop over a row's bytes that all sides call.
@inline(__always)
private func touch(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
  direct_touch(bytes.baseAddress, bytes.count)
}
