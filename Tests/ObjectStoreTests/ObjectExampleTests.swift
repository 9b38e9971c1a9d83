// The example of the library's documentation, compiled and run.
import Foundation
import ObjectStore
import TestSupport
import Testing

@Suite("The example of the documentation")
struct ObjectExampleTests {
  @Test("the example creates an object, finds it, and freezes the version before a change")
  func runs() throws {
    let folder = try RealmFolder()
    let url = folder.url()
    // Example
    class Todo: Object {
      @Persisted(primaryKey: true) var _id: ObjectId
      @Persisted(indexed: true) var name: String
      @Persisted var owner: String?
    }

    let realm = try Realm(fileURL: url)
    try realm.write {
      realm.create(Todo.self, value: ["name": "Pledge fealty", "owner": "Pippin"])
    }
    let owned = realm.objects(Todo.self).where { $0.owner == "Pippin" }

    // The frozen collection stays in its version, which the engine retains until it is released.
    let before = owned.freeze()
    try realm.write { owned.first?.name = "Swear fealty" }
    // End of the example
    #expect(before.map(\.name) == ["Pledge fealty"])
    #expect(owned.map(\.name) == ["Swear fealty"])
  }

  @Test(
    "the documentation has the code of the test above",
    arguments: [
      "Sources/ObjectStore/Opening/Realm.swift",
      "Sources/ObjectStore/ObjectStore.docc/ObjectStore.md",
    ])
  func documented(_ path: String) throws {
    let tested = try DocumentedExample.tested(in: "Tests/ObjectStoreTests/ObjectExampleTests.swift")
    #expect(try DocumentedExample.documented(in: path) == tested)
    #expect(!tested.isEmpty)
  }
}
