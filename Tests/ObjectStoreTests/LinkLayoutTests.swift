// How links and collections lie in the file, to the byte, and that files without them are as they were.
import Foundation
import StorageEngine
import Testing

@testable import ObjectStore

@Suite("The layout of links and collections")
struct LinkLayoutTests {
  private let folder: RealmFolder
  private let realm: Realm

  init() throws {
    folder = try RealmFolder()
    realm = try folder.open(linkedClasses)
  }

  /// The rows of a table of bytes.
  private func rows(_ name: String) throws -> [(key: [UInt8], value: [UInt8])] {
    let snapshot = try realm.instance.coordinator.database.beginSnapshot()
    defer { snapshot.end() }
    return try snapshot.rows(try #require(snapshot.table(name)), prefix: [])
  }

  /// The bytes of all keys and values of a table.
  private func size(_ name: String) throws -> Int {
    try rows(name).reduce(0) { $0 + $1.key.count + $1.value.count }
  }

  /// The number of bytes that a column has in the record of the only row.
  private func recordBytes(_ object: ObjectBase, _ name: String) throws -> Int {
    let row = try #require(object.row)
    let column = try #require(row.info.schema.column(name))
    var count = -1
    _ = try realm.instance.get(row.info.table, row.key) { bytes in
      count = (try? ObjectRecord(bytes)?.column(row.info.positions[column.index])?.count) ?? 0
    }
    return count
  }

  @Test("a link to an integer key takes 8 bytes and its way back 16; nil takes none")
  func integerLink() throws {
    let keeper = Keeper()
    try realm.write { realm.add(keeper) }
    #expect(try recordBytes(keeper, "pet") == 0)
    #expect(try size("Keeper.pet.backlinks") == 0)
    try realm.write { keeper.pet = Pet() }
    #expect(try recordBytes(keeper, "pet") == 8)
    #expect(try size("Keeper.pet.backlinks") == 16)
  }

  @Test(
    "a link to a key of n bytes takes n, or one more from 8 on; its way back twice as much and one",
    arguments: [(1, 1), (7, 7), (8, 9), (17, 18)])
  func byteLink(_ keyLength: Int, _ linkLength: Int) throws {
    let page = Page()
    page.title = String(repeating: "x", count: keyLength - 1)
    page.parent = page
    try realm.write { realm.add(page) }
    #expect(try recordBytes(page, "parent") == linkLength)
    #expect(try size("Page.parent.backlinks") == 1 + keyLength + linkLength)
  }

  @Test("a list of n values takes 16 bytes and n times 14 and the value; an empty one none")
  func list() throws {
    let shelf = Shelf()
    try realm.write { realm.add(shelf) }
    #expect(try recordBytes(shelf, "ints") == 0)
    try realm.write { shelf.ints.append(objectsIn: 0..<100) }
    #expect(try recordBytes(shelf, "ints") == 16)
    // A UUID's key has 17 bytes, and one for its length; an integer's has 8.
    #expect(try size("Shelf.ints") == 100 * (18 + 6 + 8))
    let keeper = Keeper()
    keeper.tags.append(objectsIn: ["a", "bcd"])
    keeper.remarks.append(objectsIn: [nil, "bcd"])
    try realm.write { realm.add(keeper) }
    #expect(try size("Keeper.tags") == 2 * 14 + 1 + 3)
    #expect(try size("Keeper.remarks") == 2 * 14 + 1 + 4)
  }

  @Test(
    "a list of n links takes 22 bytes for each and 16 for each object in it, 4 more if it is there again"
  )
  func listOfLinks() throws {
    let keeper = Keeper()
    keeper.pets.append(objectsIn: (0..<10).map { _ in Pet() })
    try realm.write { realm.add(keeper) }
    #expect(try size("Keeper.pets") == 10 * 22)
    #expect(try size("Keeper.pets.backlinks") == 10 * 16)
    try realm.write { keeper.pets.append(keeper.pets[0]) }
    #expect(try size("Keeper.pets.backlinks") == 10 * 16 + 4)
    try realm.write { keeper.pets.remove(at: 0) }
    #expect(try size("Keeper.pets.backlinks") == 10 * 16)
  }

  @Test(
    "sets and maps take 8 bytes, and for each element the owner's key, one byte, and the element")
  func setsAndMaps() throws {
    let keeper = Keeper()
    keeper.scores.insert(objectsIn: 0..<10)
    keeper.ratings["abc"] = 1
    keeper.petsByName["x"] = .some(nil)
    try realm.write { realm.add(keeper) }
    #expect(try recordBytes(keeper, "scores") == 8 && recordBytes(keeper, "ratings") == 8)
    #expect(try size("Keeper.scores") == 10 * (8 + 1 + 8))
    #expect(try size("Keeper.ratings") == 8 + 1 + 3 + 8)
    #expect(try size("Keeper.petsByName") == 8 + 1 + 1 + 0)
    try realm.write { keeper.friends.insert(keeper) }
    #expect(try size("Keeper.friends") == 8 + 1 + 8)
    #expect(try size("Keeper.friends.backlinks") == 16)
  }

  @Test("an embedded object takes its record, a link and the way back")
  func embedded() throws {
    let keeper = Keeper()
    keeper.home = Address()
    try realm.write { realm.add(keeper) }
    #expect(try recordBytes(keeper, "home") == 8)
    #expect(try size("Keeper.home.backlinks") == 16)
    let address = try #require(keeper.home?.row)
    var record = 0
    _ = try realm.instance.get(address.info.table, address.key) { record = $0.count }
    // Two columns, one of which is an empty list, and the other an empty string.
    #expect(record == 2 + 4 * 2)
  }

  @Test("a list grows and shrinks at both ends without another element being moved")
  func ends() throws {
    let keeper = Keeper()
    keeper.tags.append(objectsIn: ["a", "b", "c"])
    func keys() throws -> [String: [UInt8]] {
      Dictionary(
        uniqueKeysWithValues: try rows("Keeper.tags").map {
          (String(decoding: $0.value, as: UTF8.self), $0.key)
        })
    }
    try realm.write { realm.add(keeper) }
    let before = try keys()
    try realm.write {
      keeper.tags.insert("first", at: 0)
      keeper.tags.append("last")
    }
    let after = try keys()
    #expect(before.allSatisfy { after[$0.key] == $0.value })
    #expect(Array(keeper.tags) == ["first", "a", "b", "c", "last"])
    try realm.write {
      keeper.tags.removeFirst()
      keeper.tags.removeLast()
    }
    #expect(try keys() == before)
  }

  @Test(
    "an element appended to a long list replaces a path of blocks, and versions share all others")
  func sharing() throws {
    let shelf = Shelf()
    shelf.ints.append(objectsIn: 0..<20_000)
    try realm.write { realm.add(shelf) }
    let database = realm.instance.coordinator.database
    // The space of the version before is reusable after two more commits.
    for _ in 0..<2 { try realm.write { shelf.some += 1 } }
    let frozen = realm.freeze()
    try realm.write { shelf.ints.append(-1) }
    let pinned = database.usage().pinned
    #expect(pinned > 0 && pinned < 24_000, "\(pinned) of \(database.usage().live)")
    #expect(database.usage().live > 640_000)
    #expect(frozen.objects(Shelf.self)[0].ints.count == 20_000 && shelf.ints.count == 20_001)
  }

  @Test("a file without links has the rows that it always had: no counter of links, no new words")
  func scalarClasses() throws {
    let realm = try folder.open([Note.self], "scalar.realm")
    try realm.write { realm.create(Note.self, value: ["text": "a", "order": 1]) }
    let snapshot = try realm.instance.coordinator.database.beginSnapshot()
    defer { snapshot.end() }
    let meta = try #require(snapshot.table(SchemaTable.name))
    let rows = try snapshot.rows(meta, prefix: [])
    #expect(
      rows.map { String(decoding: $0.key, as: UTF8.self) } == [
        "class.Note", "next.Note", "version",
      ])
    let description =
      #"{"columns":[{"isIndexed":false,"isOptional":false,"isPrimaryKey":false,"kind":4,"name":"text"},"#
      + #"{"isIndexed":false,"isOptional":false,"isPrimaryKey":false,"kind":1,"name":"order"}],"#
      + #""generation":1,"name":"Note"}"#
    #expect(String(decoding: rows[0].value, as: UTF8.self) == description)
  }

  @Test("ordered bytes of every kind are decoded to what was encoded")
  func orderedBytes() {
    let values: [ColumnValue] = [
      .int(.min), .int(-1), .int(0), .int(.max), .bool(true), .double(-.infinity), .double(-1e-300),
      .double(0), .double(2.5), .float(-3), .float(0), .float(.infinity), .string("ä"), .string(""),
      .data(Data([0, 255])), .date(Date(timeIntervalSinceReferenceDate: -7.5)), .uuid(UUID()),
      .objectId(.generate()), .link(.int(-5)), .link(.bytes([1, 2])),
      .link(.bytes([1, 2, 3, 4, 5, 6, 7, 8])), .link(.bytes([1, 2, 3, 4, 5, 6, 7])),
    ]
    for value in values {
      let bytes = value.orderedBytes
      let kind = value.kind ?? .int
      #expect(bytes.withUnsafeBytes { ColumnValue(kind, ordered: $0) } == value)
    }
  }
}
