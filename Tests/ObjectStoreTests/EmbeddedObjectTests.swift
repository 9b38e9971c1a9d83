// Objects that belong to a property of another object.
import Foundation
import Testing

@testable import ObjectStore

@Suite("Embedded objects")
struct EmbeddedObjectTests {
  private let folder: RealmFolder
  private let realm: Realm
  private let keeper = Keeper()

  init() throws {
    folder = try RealmFolder()
    realm = try folder.open(linkedClasses)
    keeper.home = Self.address("home")
    for street in ["a", "b", "c"] { keeper.addresses.append(Self.address(street)) }
    keeper.homes["x"] = .some(Self.address("x"))
    try realm.write { realm.add(keeper) }
  }

  private static func address(_ street: String) -> Address {
    let address = Address()
    address.street = street
    for number in 0..<2 {
      let door = Door()
      door.number = Int16(number)
      address.doors.append(door)
    }
    return address
  }

  /// The numbers of rows of addresses and doors.
  private func counts() throws -> [Int] {
    try [Address.self, Door.self].map { type in
      let info = try #require(realm.instance.classInfo(for: type))
      return try realm.instance.count(info.table)
    }
  }

  @Test("they are deleted with their owner, and those in them")
  func withOwner() throws {
    #expect(try counts() == [5, 10])
    #expect(keeper.home?.residents.first == keeper)
    let home = try #require(keeper.home)
    try realm.write { realm.delete(keeper) }
    #expect(home.isInvalidated)
    #expect(try counts() == [0, 0])
    #expect(try linkProblems(realm) == [])
  }

  @Test(
    "they are deleted when the owner's property gets another, nil, or its collection loses them")
  func replaced() throws {
    let home = try #require(keeper.home)
    try realm.write { keeper.home = Self.address("new") }
    #expect(home.isInvalidated && keeper.home?.street == "new")
    #expect(try counts() == [5, 10])
    try realm.write { keeper.home = nil }
    #expect(try counts() == [4, 8])
    try realm.write { keeper.addresses.remove(at: 1) }
    #expect(keeper.addresses.map(\.street) == ["a", "c"])
    #expect(try counts() == [3, 6])
    try realm.write { keeper.addresses[0] = Self.address("d") }
    #expect(keeper.addresses.map(\.street) == ["d", "c"])
    #expect(try counts() == [3, 6])
    try realm.write { keeper.homes["x"] = .some(Self.address("y")) }
    #expect(try counts() == [3, 6])
    try realm.write { keeper.homes["x"] = nil }
    #expect(try counts() == [2, 4])
    try realm.write { keeper.addresses[0].doors.removeAll() }
    #expect(try counts() == [2, 2])
    try realm.write { keeper.addresses = List([Self.address("e")]) }
    #expect(keeper.addresses.map(\.street) == ["e"])
    #expect(try counts() == [1, 2])
    try realm.write { keeper.addresses.removeAll() }
    #expect(try counts() == [0, 0])
    #expect(try linkProblems(realm) == [])
  }

  @Test("one that is deleted itself leaves its owner's property")
  func deletedItself() throws {
    try realm.write {
      realm.delete(try #require(keeper.home))
      realm.delete(keeper.addresses[1])
      realm.delete(try #require(keeper.homes["x"] ?? nil))
    }
    #expect(keeper.home == nil && keeper.addresses.map(\.street) == ["a", "c"])
    #expect(keeper.homes["x"] == .some(nil))
    #expect(try counts() == [2, 4])
    #expect(try linkProblems(realm) == [])
  }

  @Test("an owned one is refused in a second property, and nothing changes")
  func secondOwner() throws {
    let home = try #require(keeper.home)
    let shared = Self.address("shared")
    try realm.write {
      #expect(misuse { keeper.addresses.append(home) } == [.invalidValue])
      #expect(misuse { keeper.addresses.append(objectsIn: [shared, shared]) } == [.invalidValue])
      #expect(shared.realm == nil && shared.doors.count == 2)
      let other = Keeper()
      other.id = 1
      other.home = home
      #expect(misuse { realm.add(other) } == [.invalidValue])
      #expect(other.realm == nil)
      keeper.addresses.append(shared)
    }
    #expect(try counts() == [6, 12])
    #expect(try linkProblems(realm) == [])
  }

  @Test("moving them within their list keeps them")
  func moved() throws {
    let first = keeper.addresses[0]
    try realm.write {
      keeper.addresses.move(from: 0, to: 2)
      keeper.addresses.swapAt(0, 1)
    }
    #expect(keeper.addresses.map(\.street) == ["c", "b", "a"] && !first.isInvalidated)
    #expect(try linkProblems(realm) == [])
  }

  @Test("an update of their owner replaces those that it gives, and no others")
  func updated() throws {
    try realm.write {
      realm.create(
        Keeper.self, value: ["id": 0, "home": ["street": "new"]] as [String: Any], update: .modified
      )
    }
    #expect(keeper.home?.street == "new" && keeper.addresses.count == 3)
    #expect(try counts() == [5, 8])
    try realm.write { realm.create(Keeper.self, value: ["id": 0], update: .all) }
    #expect(keeper.home == nil && keeper.addresses.isEmpty && keeper.homes.isEmpty)
    #expect(try counts() == [0, 0])
    #expect(try linkProblems(realm) == [])
  }

  @Test("a log of events counts those that were deleted with their owner")
  func events() throws {
    try realm.write {
      realm.delete(keeper)
      #expect(realm.instance.changes["Address"]?.deleted == 5)
      #expect(realm.instance.changes["Door"]?.deleted == 10)
      #expect(realm.instance.changes["Keeper"]?.deleted == 1)
    }
  }

  @Test(
    "a chain of 20 000 embedded objects is deleted with its owner and does not exhaust the stack")
  func deepChain() throws {
    let realm = try folder.open([Chain.self, ChainLink.self], "chain.realm")
    let chain = Chain()
    let first = ChainLink()
    chain.first = first
    var last = first
    for _ in 1..<20_000 {
      let next = ChainLink()
      last.next = next
      last = next
    }
    try realm.write { realm.add(chain) }
    #expect(try LinkAudit(realm).linkCount == 20_000)
    try realm.write { realm.delete(chain) }
    #expect(try LinkAudit(realm).linkCount == 0)
    #expect(last.isInvalidated)
  }
}

private class Chain: Object {
  @Persisted var first: ChainLink?
}

private class ChainLink: EmbeddedObject {
  @Persisted var next: ChainLink?
}
