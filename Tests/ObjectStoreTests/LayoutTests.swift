// Where the values of objects are: in their own memory until they are added, in the file afterwards; found by place, so
// classes of every shape are looked at.
import Foundation
import Testing

@testable import ObjectStore

private class Base: Object {
  @Persisted(primaryKey: true) var id: Int
  var note = "not kept"
  @Persisted var title: String = "untitled"
  @Persisted var flag: Bool
}

private class Middle: Base {
  var counter: UInt8 = 7
  @Persisted var level: Int? = 3
  @Persisted var blob: Data?
}

private final class Leaf: Middle {
  var extra: (any Sendable)?
  @Persisted var when: Date?
  @Persisted var token: UUID
  @Persisted var tag: ObjectId?
  @Persisted var weight: Double = 0.5
  @Persisted var nick: String?
  @Persisted var isOn: Bool?
  @Persisted var ratio: Double?
  @Persisted var key: UUID?
  @Persisted var ident: ObjectId
  @Persisted var born: Date
  @Persisted var raw: Data
}

/// Its mirror shows nothing of what it has.
private final class Reflecting: Object, CustomReflectable {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var name: String = "x"
  var customMirror: Mirror { Mirror(self, children: [:]) }
}

@Suite("Where objects keep their values")
struct LayoutTests {
  @Test(
    "the wrappers' places are found for base classes, other properties between, optionals of every kind"
  )
  func places() throws {
    for type in [Base.self, Middle.self, Leaf.self, Todo.self, Person.self, Note.self]
      as [Object.Type]
    {
      let objectClass = ObjectClass.of(type)
      let schema = objectClass.schema
      let wrappers = try #require(objectClass.wrappers, "\(schema.name)")
      #expect(wrappers.count == schema.columns.count)
      let object = type.init()
      var seen: [ColumnValue] = []
      ObjectClass.visitProperties(of: object) { _, property in
        seen.append(property.unmanagedValue)
      }
      #expect(object.unmanagedValues(wrappers) == seen, "\(schema.name)")
    }
    #expect(ObjectClass.of(Leaf.self).schema.columns.count == 16)
  }

  @Test(
    "what is set in an object of a class below others is what is read from it, in the realm too")
  func setAndAdd() throws {
    let folder = try RealmFolder()
    let leaf = Leaf()
    leaf.id = 5
    leaf.note = "changed"
    leaf.title = "Äöü and more than fifteen bytes"
    leaf.level = nil
    leaf.blob = Data([1, 2, 3])
    leaf.when = Date(timeIntervalSince1970: 77)
    leaf.nick = ""
    leaf.isOn = true
    leaf.raw = Data(repeating: 9, count: 100)
    let (token, ident) = (leaf.token, leaf.ident)
    func check(_ leaf: Leaf) {
      #expect(leaf.id == 5)
      #expect(leaf.title == "Äöü and more than fifteen bytes")
      #expect(!leaf.flag)
      #expect(leaf.level == nil)
      #expect(leaf.blob == Data([1, 2, 3]))
      #expect(leaf.when == Date(timeIntervalSince1970: 77))
      #expect(leaf.token == token)
      #expect(leaf.tag == nil)
      #expect(leaf.weight == 0.5)
      #expect(leaf.nick == "")
      #expect(leaf.isOn == true)
      #expect(leaf.ratio == nil && leaf.key == nil)
      #expect(leaf.ident == ident)
      #expect(leaf.born == Date(timeIntervalSince1970: 0))
      #expect(leaf.raw == Data(repeating: 9, count: 100))
    }
    check(leaf)
    let realm = try folder.open([Leaf.self])
    try realm.write { realm.add(leaf) }
    check(leaf)
    #expect(leaf.note == "changed" && leaf.counter == 7)
    let found = try #require(realm.object(ofType: Leaf.self, forPrimaryKey: 5))
    check(found)
    // A second look at what is null finds the same.
    check(found)
  }

  @Test(
    "a class with a mirror of its own has the columns that it shows, and no places are taken for theirs"
  )
  func customMirror() {
    let objectClass = ObjectClass.of(Reflecting.self)
    #expect(objectClass.schema.columns.isEmpty)
    #expect(objectClass.wrappers == nil)
  }

  @Test(
    "an object's values are those of an encrypted file too, of short rows and of long ones",
    arguments: [10, 5000])
  func encrypted(_ length: Int) throws {
    let folder = try RealmFolder()
    let key = Data((0..<64).map { UInt8($0) })
    let text = String(repeating: "y", count: length)
    do {
      let realm = try folder.open(nil) { $0.encryptionKey = key }
      try realm.write {
        for id in 0..<50 { realm.create(Person.self, value: ["id": id, "name": text, "age": id]) }
      }
    }
    let realm = try folder.open(nil) { $0.encryptionKey = key }
    let people = (0..<50).compactMap { realm.object(ofType: Person.self, forPrimaryKey: $0) }
    #expect(people.count == 50)
    for _ in 0..<2 {
      for (id, person) in people.enumerated() {
        #expect(person.age == id && person.name == text && person.nick == nil)
      }
      try realm.write { for person in people { person.name = text } }
    }
    try realm.write {
      people[3].age = -1
      #expect(people[3].age == -1 && people[4].age == 4)
      people[4].name = "short"
      #expect(people[4].name == "short" && people[3].age == -1)
    }
    #expect(realm.objects(Person.self).where { $0.name == "short" }.map(\.id) == [4])
  }

  @Test(
    "values of other numbers, nil, and in another order than the properties' are taken as they are from a dictionary"
  )
  func literals() throws {
    let folder = try RealmFolder()
    let realm = try folder.open()
    let nothing: Int? = nil
    try realm.write {
      let person = realm.create(
        Person.self, value: ["age": nothing, "weight": 3, "name": "Ada", "id": 1])
      #expect(person.age == nil && person.weight == 3 && person.name == "Ada" && person.id == 1)
      let values: [String: Any] = ["id": Int8(2), "age": NSNull(), "weight": 1.5]
      let other = realm.create(Person.self, value: values)
      #expect(other.id == 2 && other.age == nil && other.weight == 1.5 && other.name == "noname")
      #expect(
        misuse { realm.create(Person.self, value: ["id": 3, "name": nothing]) } == [.invalidValue])
      #expect(misuse { realm.create(Person.self, value: ["id": 3, "id": 4]) } == [.invalidValue])
      #expect(misuse { realm.create(Person.self, value: ["id": 3, "size": 4]) } == [.invalidValue])
      #expect(misuse { realm.create(Person.self, value: ["id": 3, "name": 4]) } == [.invalidValue])
    }
    #expect(realm.objects(Person.self).count == 2)
  }

  @Test("a primary key is found by its own type, by one that is optional, and by a value of any")
  func findByAnyKind() throws {
    let folder = try RealmFolder()
    let realm = try folder.open()
    try realm.write { realm.create(Person.self, value: ["id": 1]) }
    let wanted: Int? = 1
    let any: Any? = 1
    #expect(realm.object(ofType: Person.self, forPrimaryKey: 1)?.id == 1)
    #expect(realm.object(ofType: Person.self, forPrimaryKey: wanted)?.id == 1)
    #expect(realm.object(ofType: Person.self, forPrimaryKey: any)?.id == 1)
    #expect(misuse { _ = realm.object(ofType: Person.self, forPrimaryKey: "1") } == [.invalidValue])
    #expect(misuse { _ = realm.object(ofType: Note.self, forPrimaryKey: 1) } == [.invalidValue])
  }

  @Test("a property of an index keeps it right whether its new value is as long, longer, or null")
  func indexFollows() throws {
    let folder = try RealmFolder()
    let realm = try folder.open()
    try realm.write { realm.create(Person.self, value: ["id": 1, "name": "Ada"]) }
    let ada = try #require(realm.object(ofType: Person.self, forPrimaryKey: 1))
    for name in ["Eve", "Evelyn", "", "Ada"] {
      let before = ada.name
      try realm.write { ada.name = name }
      #expect(realm.objects(Person.self).where { $0.name == name }.count == 1)
      #expect(realm.objects(Person.self).where { $0.name == before }.isEmpty)
    }
    try realm.write {
      ada.age = 4
      ada.age = nil
      ada.nick = "A"
      ada.nick = nil
    }
    #expect(ada.age == nil && ada.nick == nil && ada.name == "Ada")
  }

  /// Two indexes beside an integer key.
  class Indexed: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted(indexed: true) var number: Int?
    @Persisted(indexed: true) var text: String
  }

  @Test(
    "an index entry takes 25 bytes for an integer, 17 for nil, and 18 more than a text of 200 bytes at most"
  )
  func indexEntry() throws {
    let folder = try RealmFolder()
    let realm = try folder.open([Indexed.self])
    func sizes(_ table: String) throws -> [Int] {
      let snapshot = try realm.instance.coordinator.database.beginSnapshot()
      defer { snapshot.end() }
      return try snapshot.rows(try #require(snapshot.table(table)), prefix: []).map {
        $0.key.count + $0.value.count
      }
    }
    let texts = ["", "abc", String(repeating: "x", count: 200), String(repeating: "y", count: 201)]
    try realm.write {
      for (id, text) in texts.enumerated() {
        let number: Int? = id == 0 ? nil : id
        realm.create(Indexed.self, value: ["id": id, "number": number, "text": text])
      }
    }
    #expect(try sizes("Indexed.number") == [17, 25, 25, 25])
    #expect(try sizes("Indexed.text") == [18, 21, 218, 218])
  }
}
