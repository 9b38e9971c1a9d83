// The two sides, with the same keys in the same order, in as many transactions: rows that the engine is given as bytes,
// and objects. A row has the bytes of its object's record, and no index beside it; the class has none either.
//
// create, add: the engine puts a row, whose bytes are made for it; an object's bytes are made of its values, and its primary
// key is looked for, since another object may have it. find, read: the engine looks for the row and reads the number in it,
// whether or not it was read before; an object is made, or is there. update: the engine puts the whole row.
import BenchSupport
import Foundation
import ObjectStore
import StorageEngine

/// Rows of the bytes that an object's record has.
final class RowSide {
  private let bench: ObjectBench
  private let database: Database
  private var sum = 0

  init(_ bench: ObjectBench, _ url: URL) {
    self.bench = bench
    database = try! Database.open(path: .init(url.path))
  }

  deinit { try? database.close() }

  /// A record: three ends, two numbers and the text.
  private func row(_ key: Int, _ amount: Int) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 2 + 12 + 16 + bench.text)
    bytes.withUnsafeMutableBytes { raw in
      raw.storeBytes(of: UInt64(key), toByteOffset: 14, as: UInt64.self)
      raw.storeBytes(of: UInt64(amount), toByteOffset: raw.count - 8, as: UInt64.self)
    }
    return bytes
  }

  func nanosecondsEach(_ work: ObjectBench.Work) throws -> Double {
    switch work {
    case .create: return try put(from: 0)
    case .add: return try put(from: bench.rows)
    case .update: return try put(from: 0)
    case .find, .read:
      let snapshot = try database.beginSnapshot()
      defer { snapshot.end() }
      guard let table = snapshot.table("rows") else { return .nan }
      let keys = bench.keys()
      return try ObjectBench.each(keys.count) {
        for key in keys {
          _ = try snapshot.get(table, key) { value in
            sum &+= value.loadUnaligned(fromByteOffset: value.count - 8, as: Int.self)
          }
        }
      }
    case .scan:
      let snapshot = try database.beginSnapshot()
      defer { snapshot.end() }
      guard let table = snapshot.table("rows") else { return .nan }
      return try ObjectBench.each(2 * bench.rows) {
        _ = try snapshot.scan(table) { _, value in
          sum &+= value.loadUnaligned(fromByteOffset: value.count - 8, as: Int.self)
        }
      }
    }
  }

  private func put(from first: Int) throws -> Double {
    try ObjectBench.each(bench.rows) {
      for portion in bench.portions(from: first) {
        let transaction = try database.beginWrite()
        let table = try transaction.table("rows")
        for key in portion {
          try row(key, 1).withUnsafeBytes { try transaction.put(table, Int64(key), $0) }
        }
        try transaction.commit()
      }
    }
  }
}

/// The same as objects of a realm.
final class ObjectSide {
  private let bench: ObjectBench
  private let realm: Realm
  private let text: String
  private var sum = 0

  init(_ bench: ObjectBench, _ url: URL) {
    self.bench = bench
    text = String(repeating: "x", count: bench.text)
    realm = try! Realm(configuration: .init(fileURL: url, objectTypes: [Item.self]))
  }

  func nanosecondsEach(_ work: ObjectBench.Work) throws -> Double {
    switch work {
    case .create:
      return try inTransactions(from: 0) { key in
        realm.create(Item.self, value: ["id": key, "name": text, "amount": 1])
      }
    case .add:
      return try inTransactions(from: bench.rows) { key in
        let item = Item()
        item.id = key
        item.name = text
        item.amount = 1
        realm.add(item)
      }
    case .update:
      let items = Array(realm.objects(Item.self).where { $0.id < bench.rows })
      return try inTransactions(from: 0) { key in items[key].amount = 2 }
    case .find:
      let keys = bench.keys()
      return ObjectBench.each(keys.count) {
        for key in keys {
          sum &+= realm.object(ofType: Item.self, forPrimaryKey: Int(key))?.amount ?? 0
        }
      }
    case .read:
      let items = Array(realm.objects(Item.self).where { $0.id < bench.rows })
      let keys = bench.keys()
      return ObjectBench.each(keys.count) {
        for key in keys { sum &+= items[Int(key)].amount }
      }
    case .scan:
      return ObjectBench.each(2 * bench.rows) {
        for item in realm.objects(Item.self) { sum &+= item.amount }
      }
    }
  }

  private func inTransactions(from first: Int, _ body: (Int) -> Void) throws -> Double {
    try ObjectBench.each(bench.rows) {
      for portion in bench.portions(from: first) {
        try realm.write { for key in portion { body(key) } }
      }
    }
  }
}
