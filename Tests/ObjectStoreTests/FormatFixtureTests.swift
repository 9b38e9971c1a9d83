// A file that an earlier release wrote, which every later one must open. It is never made anew.
import Foundation
import StorageEngine
import SystemIO
import TestSupport
import Testing

@testable import ObjectStore

@Suite("Files of earlier releases")
struct FormatFixtureTests {
  /// Every kind of column with and without null, an index, keys of three kinds, a schema version, values in blocks of their
  /// own, and free space: by the release that wrote format 2.
  @Test(
    "a file of format 2 is opened, read, audited and written, with every kind of value as it was")
  func formatTwo() throws {
    let folder = try RealmFolder()
    let source = Repository.root.appending("Tests/ObjectStoreTests/Files/format-2.realm")
    let bytes = try Data(contentsOf: URL(fileURLWithPath: source.string))
    #expect(bytes[8..<12] == Data([2, 0, 0, 0]))
    try bytes.write(to: folder.url())
    #expect(try schemaVersionAtURL(folder.url()) == 7)
    let realm = try folder.open { $0.schemaVersion = 7 }
    try check(realm)
    _ = try realm.instance.coordinator.database.audit()
    try realm.write {
      realm.create(Person.self, value: ["id": 100, "name": "name 3"])
      realm.create(Note.self, value: ["text": "new"])
    }
    #expect(
      realm.objects(Person.self).where { $0.name == "name 3" }.map(\.id) == [
        3, 10, 17, 24, 31, 38, 100,
      ])
    #expect(realm.objects(Note.self).map(\.text).last == "new")
    _ = try realm.instance.coordinator.database.audit()
  }

  private func check(_ realm: Realm) throws {
    let persons = realm.objects(Person.self)
    #expect(persons.count == 40)
    for (index, person) in persons.enumerated() {
      #expect(person.id == index)
      #expect(person.name == (index == 0 ? "a first name" : "name \(index % 7)"))
      #expect(person.isActive == (index % 2 == 0))
      #expect(person.weight == Double(index) / 4)
      #expect(person.photo == Data(repeating: UInt8(index), count: index * 40))
      let born = Date(timeIntervalSince1970: Double(index) * 86400)
      #expect(person.born == (index % 3 == 0 ? born : nil))
      let token = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, UInt8(index)))
      #expect(person.token == (index % 4 == 0 ? token : nil))
      #expect(person.nick == (index % 5 == 0 ? "nick \(index)" : nil))
      #expect(person.age == (index % 6 == 0 ? index : nil))
    }
    #expect(realm.objects(Note.self).map(\.order) == Array((1...20).reversed()))
    let todos = realm.objects(Todo.self)
    #expect(todos.map(\.name) == (0..<40).map { "todo \($0)" })
    let key = ObjectId(bytes: Array(repeating: 7, count: 12))
    #expect(realm.object(ofType: Todo.self, forPrimaryKey: key)?.name == "todo 7")
  }
}
