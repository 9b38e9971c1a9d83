// What `where` finds is what a filter over all objects finds: by scan, by index, by primary key.
import Foundation
import ObjectStore
import TestSupport
import Testing

@Suite("Queries")
struct QueryTests {
  private func filled(_ realm: Realm) throws {
    try realm.write {
      for id in 0..<100 {
        realm.create(
          Person.self,
          value: [
            "id": id, "name": "n\(id % 7)", "isActive": id % 2 == 0, "weight": Double(id) / 3,
            "age": (id % 5 == 0 ? nil : id % 11) as Any,
          ])
      }
    }
  }

  private func check(
    _ realm: Realm, _ query: (Query<Person>) -> Query<Bool>, _ filter: (Person) -> Bool,
    _ location: SourceLocation = #_sourceLocation
  ) {
    let found = realm.objects(Person.self).where(query).map(\.id)
    let wanted = realm.objects(Person.self).filter(filter).map(\.id)
    #expect(found == wanted, sourceLocation: location)
    #expect(!wanted.isEmpty, sourceLocation: location)
  }

  @Test("each comparison finds what the same filter finds, with and without an index")
  func comparisons() throws {
    let folder = try RealmFolder()
    let realm = try folder.open()
    try filled(realm)
    check(realm, { $0.name == "n3" }, { $0.name == "n3" })
    check(realm, { $0.name != "n3" }, { $0.name != "n3" })
    check(realm, { $0.id == 42 }, { $0.id == 42 })
    check(realm, { $0.id > 42 && $0.id <= 50 }, { $0.id > 42 && $0.id <= 50 })
    check(realm, { $0.weight < 3.5 || $0.weight >= 30 }, { $0.weight < 3.5 || $0.weight >= 30 })
    check(realm, { $0.age == nil }, { $0.age == nil })
    check(realm, { $0.age != nil && $0.age > 5 }, { ($0.age ?? 0) > 5 })
    check(realm, { $0.isActive }, { $0.isActive })
    check(realm, { !$0.isActive && $0.name == "n1" }, { !$0.isActive && $0.name == "n1" })
    check(realm, { $0.name.in(["n1", "n2"]) }, { ["n1", "n2"].contains($0.name) })
    check(realm, { $0.name.contains("1") }, { $0.name.contains("1") })
    check(realm, { $0.name.starts(with: "N", options: .caseInsensitive) }, { _ in true })
    check(realm, { $0.name.ends(with: "6") }, { $0.name.hasSuffix("6") })
  }

  @Test("sorted by several properties, and by key path or name, is the order of a stable sort")
  func sorting() throws {
    let folder = try RealmFolder()
    let realm = try folder.open()
    try filled(realm)
    let people = realm.objects(Person.self)
    let wanted = people.map { ($0.name, $0.weight, $0.id) }.sorted { a, b in
      a.0 == b.0 ? a.1 > b.1 : a.0 < b.0
    }
    let sorted = people.sorted(by: \.name).sorted(byKeyPath: "weight", ascending: false)
    #expect(sorted.map(\.id) == wanted.map(\.2))
    #expect(sorted.first?.id == wanted.first?.2)
    #expect(sorted.last?.id == wanted.last?.2)
    #expect(people.sorted(by: \.age).first?.age == nil)
  }

  @Test("results are live: within a transaction, after it, and in another realm after its refresh")
  func live() throws {
    let folder = try RealmFolder()
    let realm = try folder.open()
    let active = realm.objects(Person.self).where { $0.isActive }
    #expect(active.isEmpty)
    try realm.write {
      realm.create(Person.self, value: ["id": 1, "isActive": true])
      #expect(active.count == 1)
      realm.create(Person.self, value: ["id": 2, "isActive": true])
      #expect(active.map(\.id) == [1, 2])
    }
    #expect(active.count == 2)
    try onAnotherThread {
      let other = try folder.open()
      try other.write { other.delete(other.objects(Person.self).where { $0.id == 1 }) }
    }
    #expect(active.count == 2)
    #expect(realm.refresh())
    #expect(active.map(\.id) == [2])
  }

  @Test("an index finds after any changes what a scan finds")
  func randomChanges() throws {
    let folder = try RealmFolder()
    let realm = try folder.open()
    let seed = testSeed(31)
    var random = SeededRandom(seed: seed)
    for _ in 0..<20 {
      try realm.write {
        for _ in 0..<20 {
          let id = Int.random(in: 0..<60, using: &random)
          let name = "n\(Int.random(in: 0..<5, using: &random))"
          switch Int.random(in: 0..<3, using: &random) {
          case 0: realm.delete(realm.objects(Person.self).where { $0.id == id })
          case 1: realm.object(ofType: Person.self, forPrimaryKey: id)?.name = name
          default: realm.create(Person.self, value: ["id": id, "name": name], update: .modified)
          }
        }
      }
      for index in 0..<5 {
        let name = "n\(index)"
        let found = realm.objects(Person.self).where { $0.name == name }.map(\.id)
        let wanted = realm.objects(Person.self).filter { $0.name == name }.map(\.id)
        #expect(found == wanted, "SEED=\(seed)")
      }
    }
  }

  @Test(
    "strings that share their first 200 bytes, or contain a zero byte, are told apart by an index")
  func longStrings() throws {
    let folder = try RealmFolder()
    let realm = try folder.open()
    let stem = String(repeating: "x", count: 250)
    let names = [stem + "a", stem + "b", "a", "a\0b", ""]
    try realm.write {
      for (id, name) in names.enumerated() {
        realm.create(Person.self, value: ["id": id, "name": name])
      }
    }
    for (id, name) in names.enumerated() {
      #expect(realm.objects(Person.self).where { $0.name == name }.map(\.id) == [id])
    }
  }
}
