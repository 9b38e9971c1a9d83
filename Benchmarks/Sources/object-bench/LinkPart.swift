// Links and lists beside the operations on rows that they are made of.
//
// append: the engine changes eight bytes of the owner's row, puts the element's and inserts the backlink's, as an append to
// a list of objects does. follow: the engine looks for the owner's row, then for the row that it links to, and reads a
// number there; the owner is held as an object, so that its row is looked for once.
import BenchSupport
import Foundation
import ObjectStore
import StorageEngine

/// An object with a link and a list.
final class Owner: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var item: Item?
  @Persisted var items: List<Item>
}

struct LinkPart {
  let bench: ObjectBench

  private enum Work: String, CaseIterable {
    case append = "append an object to a list"
    case follow = "follow a link, read one property"
  }

  /// An owner for each hundred objects.
  private var ownerCount: Int { max(1, bench.rows / 100) }

  func run(_ folder: URL) throws {
    var table = RatioTable()
    for round in 0..<bench.rounds {
      let rows = try LinkRows(bench, ownerCount, folder.appendingPathComponent("rows-\(round)"))
      let objects = try LinkObjects(
        bench, ownerCount, folder.appendingPathComponent("objects-\(round).realm"))
      for work in Work.allCases {
        var times = (engine: 0.0, objects: 0.0)
        func measureRows() throws {
          times.engine = try work == .append ? rows.append() : rows.follow()
        }
        // Each goes first as often as the other.
        if round % 2 == 0 { try measureRows() }
        times.objects = try work == .append ? objects.append() : objects.follow()
        if round % 2 == 1 { try measureRows() }
        table.add(work.rawValue, engine: times.engine, objects: times.objects)
      }
      precondition(rows.sum == objects.sum, "Both sides read the same numbers.")
    }
    print(
      "\(bench.rows) objects in the lists of \(ownerCount), \(bench.batch) in a transaction; "
        + "\(bench.rounds) rounds\n")
    table.printRows { _ in "2" }
  }
}

/// The rows that the objects' records, elements and backlinks have.
private final class LinkRows {
  private let bench: ObjectBench
  private let ownerCount: Int
  private let database: Database
  private(set) var sum = 0

  init(_ bench: ObjectBench, _ ownerCount: Int, _ url: URL) throws {
    self.bench = bench
    self.ownerCount = ownerCount
    database = try Database.open(path: .init(url.path))
    let transaction = try database.beginWrite()
    let (items, owners) = (try transaction.table("items"), try transaction.table("owners"))
    for key in 0..<bench.rows {
      var row = [UInt8](repeating: 0, count: 2 + 12 + 16 + bench.text)
      row.withUnsafeMutableBytes {
        $0.storeBytes(of: key, toByteOffset: $0.count - 8, as: Int.self)
      }
      try row.withUnsafeBytes { try transaction.put(items, Int64(key), $0) }
    }
    for key in 0..<ownerCount {
      // Three ends, the number, the link, and the first position and the length of the list.
      var row = [UInt8](repeating: 0, count: 2 + 12 + 8 + 8 + 16)
      row.withUnsafeMutableBytes {
        $0.storeBytes(of: Int64(key * 7 % bench.rows), toByteOffset: 22, as: Int64.self)
      }
      try row.withUnsafeBytes { try transaction.put(owners, Int64(key), $0) }
    }
    try transaction.commit()
  }

  deinit { try? database.close() }

  func append() throws -> Double {
    try ObjectBench.each(bench.rows) {
      for portion in bench.portions(from: 0) {
        let transaction = try database.beginWrite()
        let owners = try transaction.table("owners")
        let elements = try transaction.table("elements", .bytes)
        let backlinks = try transaction.table("backlinks", .bytes)
        for item in portion {
          let owner = item % ownerCount
          var position = 0
          _ = try transaction.change(owners, Int64(owner)) { row in
            position = row.loadUnaligned(fromByteOffset: 38, as: Int.self)
            row.storeBytes(of: position + 1, toByteOffset: 38, as: Int.self)
          }
          let element = Self.bytes(owner, 8) + Self.bytes(position, 6)
          try element.withUnsafeBytes { key in
            try Self.bytes(item, 8).withUnsafeBytes { try transaction.put(elements, key, $0) }
          }
          try (Self.bytes(item, 8) + Self.bytes(owner, 8)).withUnsafeBytes {
            _ = try transaction.insert(backlinks, $0, UnsafeRawBufferPointer(start: nil, count: 0))
          }
        }
        try transaction.commit()
      }
    }
  }

  private static func bytes(_ number: Int, _ count: Int) -> [UInt8] {
    withUnsafeBytes(of: (UInt64(number) | 1 << 47).bigEndian) { Array($0.suffix(count)) }
  }

  func follow() throws -> Double {
    let snapshot = try database.beginSnapshot()
    defer { snapshot.end() }
    guard let items = snapshot.table("items"), let owners = snapshot.table("owners") else {
      return .nan
    }
    let keys = bench.keys().map { $0 % Int64(ownerCount) }
    return try ObjectBench.each(keys.count) {
      for key in keys {
        var item: Int64 = 0
        _ = try snapshot.get(owners, key) {
          item = $0.loadUnaligned(fromByteOffset: 22, as: Int64.self)
        }
        _ = try snapshot.get(items, item) {
          sum &+= $0.loadUnaligned(fromByteOffset: $0.count - 8, as: Int.self)
        }
      }
    }
  }
}

/// The same as objects of a realm.
private final class LinkObjects {
  private let bench: ObjectBench
  private let ownerCount: Int
  private let realm: Realm
  private(set) var sum = 0

  init(_ bench: ObjectBench, _ ownerCount: Int, _ url: URL) throws {
    self.bench = bench
    self.ownerCount = ownerCount
    realm = try Realm(configuration: .init(fileURL: url, objectTypes: [Item.self, Owner.self]))
    let text = String(repeating: "x", count: bench.text)
    let realm = realm
    try realm.write {
      for key in 0..<bench.rows {
        realm.create(Item.self, value: ["id": key, "name": text, "amount": key])
      }
      for key in 0..<ownerCount {
        let owner = Owner()
        owner.id = key
        owner.item = realm.object(ofType: Item.self, forPrimaryKey: key * 7 % bench.rows)
        realm.add(owner)
      }
    }
  }

  func append() throws -> Double {
    let items = Array(realm.objects(Item.self))
    let owners = Array(realm.objects(Owner.self))
    return try ObjectBench.each(bench.rows) {
      for portion in bench.portions(from: 0) {
        try realm.write {
          for item in portion { owners[item % ownerCount].items.append(items[item]) }
        }
      }
    }
  }

  func follow() throws -> Double {
    let owners = Array(realm.objects(Owner.self))
    let keys = bench.keys().map { Int($0) % ownerCount }
    return ObjectBench.each(keys.count) {
      for key in keys { sum &+= owners[key].item?.amount ?? 0 }
    }
  }
}
