// Objects and their properties: what is written is what is read, in the realm, in its transaction, and opened anew.
import Foundation
import ObjectStore
import Testing

@Suite("Objects")
struct ObjectTests {
  @Test("every kind of property is read as it was written, also from the file opened anew")
  func everyKind() throws {
    let folder = try RealmFolder()
    let token = UUID()
    let born = Date(timeIntervalSince1970: 1_000_000.123456)
    func check(_ person: Person) {
      #expect(person.name == "Äöü 👍")
      #expect(person.isActive)
      #expect(person.weight == -0.1)
      #expect(person.photo == Data([0, 1, 255]))
      #expect(person.born == born)
      #expect(person.token == token)
      #expect(person.nick == nil)
      #expect(person.age == -3)
    }
    do {
      let realm = try folder.open()
      try realm.write {
        let person = realm.create(
          Person.self,
          value: [
            "id": 7, "name": "Äöü 👍", "isActive": true, "weight": -0.1,
            "photo": Data([0, 1, 255]), "born": born, "token": token, "age": -3,
          ])
        check(person)
      }
      check(try #require(realm.object(ofType: Person.self, forPrimaryKey: 7)))
    }
    let realm = try folder.open()
    check(try #require(realm.object(ofType: Person.self, forPrimaryKey: 7)))
    #expect(realm.object(ofType: Person.self, forPrimaryKey: 8) == nil)
  }

  @Test(
    "an unmanaged object has what its class says, and what was set; added, the same is in the realm"
  )
  func add() throws {
    let folder = try RealmFolder()
    let realm = try folder.open()
    let person = Person()
    #expect(person.name == "noname")
    #expect(person.age == nil)
    #expect(person.realm == nil)
    person.id = 1
    person.name = "Ada"
    try realm.write { realm.add(person) }
    #expect(person.realm == realm)
    #expect(person.name == "Ada")
    try realm.write { person.name = "Grace" }
    let found = try #require(realm.object(ofType: Person.self, forPrimaryKey: 1))
    #expect(found.name == "Grace")
    #expect(found == person)
    #expect(Set([found, person]).count == 1)
  }

  @Test("a dictionary, an array and another object make the same object")
  func create() throws {
    let folder = try RealmFolder()
    let realm = try folder.open()
    try realm.write {
      realm.create(Note.self, value: ["text": "a", "order": 1])
      realm.create(Note.self, value: ["a", 1] as [Any])
      let note = Note()
      note.text = "a"
      note.order = 1
      realm.create(Note.self, value: note)
    }
    let notes = realm.objects(Note.self)
    #expect(notes.count == 3)
    #expect(notes.allSatisfy { $0.text == "a" && $0.order == 1 })
  }

  @Test(
    "a primary key that is there: error refuses it, modified writes what is given, all writes the rest as fresh"
  )
  func policies() throws {
    let folder = try RealmFolder()
    let realm = try folder.open()
    try realm.write { realm.create(Person.self, value: ["id": 1, "name": "Ada", "age": 36]) }
    try realm.write {
      #expect(misuse { realm.create(Person.self, value: ["id": 1]) } == [.duplicatePrimaryKey])
      let modified = realm.create(Person.self, value: ["id": 1, "age": 37], update: .modified)
      #expect(modified.name == "Ada")
      #expect(modified.age == 37)
      let whole = realm.create(Person.self, value: ["id": 1, "weight": 2], update: .all)
      #expect(whole.name == "noname")
      #expect(whole.age == nil)
      #expect(whole.weight == 2)
    }
    #expect(realm.objects(Person.self).count == 1)
  }

  @Test("each new object without a given ObjectId has another one")
  func generatedIds() throws {
    let folder = try RealmFolder()
    let realm = try folder.open()
    try realm.write {
      for name in ["a", "b", "c"] { realm.create(Todo.self, value: ["name": name]) }
    }
    #expect(Set(realm.objects(Todo.self).map(\._id)).count == 3)
  }

  @Test(
    "deleting takes the object, those of a class, or all; an object that is gone is invalidated")
  func delete() throws {
    let folder = try RealmFolder()
    let realm = try folder.open()
    try realm.write {
      for id in 0..<10 { realm.create(Person.self, value: ["id": id, "name": "p\(id % 2)"]) }
      realm.create(Note.self, value: ["text": "a"])
    }
    let first = try #require(realm.object(ofType: Person.self, forPrimaryKey: 0))
    try realm.write { realm.delete(first) }
    #expect(first.isInvalidated)
    var name = "?"
    #expect(misuse { name = first.name } == [.invalidated])
    #expect(name == "")
    try realm.write { realm.delete(realm.objects(Person.self).where { $0.name == "p1" }) }
    #expect(realm.objects(Person.self).map(\.id) == [2, 4, 6, 8])
    try realm.write { realm.deleteAll() }
    #expect(realm.objects(Person.self).isEmpty)
    #expect(realm.isEmpty)
    try realm.write { realm.create(Person.self, value: ["id": 1, "name": "p1"]) }
    #expect(realm.objects(Person.self).where { $0.name == "p1" }.count == 1)
  }

  @Test("a cancelled transaction, and one whose block throws, leaves what was there before")
  func cancel() throws {
    struct Stop: Error {}
    let folder = try RealmFolder()
    let realm = try folder.open()
    try realm.write { realm.create(Person.self, value: ["id": 1, "name": "Ada"]) }
    let ada = try #require(realm.object(ofType: Person.self, forPrimaryKey: 1))
    realm.beginWrite()
    #expect(realm.isInWriteTransaction)
    ada.name = "Eve"
    let made = realm.create(Person.self, value: ["id": 2])
    #expect(ada.name == "Eve")
    #expect(realm.objects(Person.self).count == 2)
    realm.cancelWrite()
    #expect(ada.name == "Ada")
    #expect(made.isInvalidated)
    #expect(throws: Stop.self) {
      try realm.write {
        ada.name = "Eve"
        throw Stop()
      }
    }
    #expect(ada.name == "Ada")
    #expect(!realm.isInWriteTransaction)
    #expect(realm.objects(Person.self).count == 1)
  }

  @Test(
    "two objects of one row show the same at every moment, whichever of them is written",
    arguments: [10, 5000])
  func twoViews(_ length: Int) throws {
    let folder = try RealmFolder()
    let realm = try folder.open()
    let text = String(repeating: "x", count: length)
    try realm.write { realm.create(Note.self, value: ["text": text, "order": 1]) }
    let first = try #require(realm.objects(Note.self).first)
    let second = try #require(realm.objects(Note.self).first)
    #expect(first.order == 1 && second.order == 1)
    try realm.write {
      first.order = 2
      #expect(second.order == 2)
      second.text = text + "!"
      #expect(first.text == text + "!")
      #expect(first.order == 2)
    }
    try realm.write {
      second.order = 3
      #expect(first.order == 3)
      realm.cancelWrite()
    }
    #expect(first.order == 2 && second.order == 2)
    let elsewhere = ThreadSafeReference(to: first)
    try onAnotherThread {
      let other = try folder.open()
      let note = other.resolve(elsewhere)
      try other.write { note?.order = 4 }
    }
    #expect(first.order == 2)
    realm.refresh()
    #expect(first.order == 4 && second.order == 4)
  }

  @Test("a subclass has the properties of its base class too")
  func inheritance() throws {
    class Animal: Object { @Persisted var name: String = "?" }
    class Dog: Animal {
      @Persisted var age: Int
      @Persisted var breed: String?
    }
    let folder = try RealmFolder()
    let realm = try folder.open([Dog.self])
    let dog = Dog()
    dog.name = "Rex"
    dog.age = 5
    try realm.write { realm.add(dog) }
    let found = try #require(realm.objects(Dog.self).first)
    #expect(found.name == "Rex")
    #expect(found.age == 5)
    #expect(found.breed == nil)
  }

  @Test("an ObjectId is its 24 digits, of the second of its making, and no two are the same")
  func objectIds() throws {
    let id = try ObjectId(string: "0123456789abcdef01234567")
    #expect(id.stringValue == "0123456789abcdef01234567")
    #expect(throws: Realm.Error.self) { try ObjectId(string: "xyz") }
    let before = Date().timeIntervalSince1970.rounded(.down)
    let made = (0..<1000).map { _ in ObjectId.generate() }
    #expect(Set(made).count == 1000)
    #expect(made.allSatisfy { $0.timestamp.timeIntervalSince1970 >= before })
  }
}
