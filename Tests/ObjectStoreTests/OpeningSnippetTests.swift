// The snippets of the document on configuring and opening, between marks: SnippetComparisonTests compares them with the
// document line by line, and Reports/Claims/Snippets.md lists every line that differs. One after the other, since the default
// configuration is the process's.
import Foundation
import Testing

@testable import ObjectStore

class Dog: Object {
  @Persisted var name: String
}

// Snippet: globalActor
// A simple example of a custom global actor
@globalActor actor BackgroundActor: GlobalActor {
  static let shared = BackgroundActor()
}

@BackgroundActor
func backgroundThreadFunction() async throws {
  // Explicitly specifying the actor is required for anything that is not MainActor
  let realm = try await Realm(actor: BackgroundActor.shared)
  try await realm.asyncWrite {
    _ = realm.create(
      Todo.self,
      value: [
        "name": "Pledge fealty and service to Gondor",
        "owner": "Pippin",
        "status": "In Progress",
      ])
  }
  // Thread-confined Realms would sometimes throw an exception here, as we
  // may end up on a different thread after an `await`
  let todoCount = realm.objects(Todo.self).count
  print("The number of Realm objects is: \(todoCount)")
}

@MainActor
func mainThreadFunction() async throws {
  try await backgroundThreadFunction()
}
// End of snippet

@Suite("Snippets: opening", .serialized)
struct OpeningSnippetTests {
  /// Runs `body` with a default configuration in a folder of its own.
  private func withDefault<Result>(_ body: (RealmFolder) throws -> Result) throws -> Result {
    let folder = try RealmFolder()
    let usual = Realm.Configuration.defaultConfiguration
    defer { Realm.Configuration.defaultConfiguration = usual }
    Realm.Configuration.defaultConfiguration = Realm.Configuration(
      fileURL: folder.url("default.realm"))
    return try body(folder)
  }

  /// Makes a realm in the folder the default one, and returns the default configuration before, to be set again.
  private func setDefault(in folder: RealmFolder) -> Realm.Configuration {
    defer {
      Realm.Configuration.defaultConfiguration = folder.configuration([Todo.self], "default.realm")
    }
    return Realm.Configuration.defaultConfiguration
  }

  @Test("open a realm: the default one, and one at a URL, for example a user's name")
  func openARealm() throws {
    try withDefault { folder in
      // Snippet: openARealm
      // Open the default realm
      let defaultRealm = try! Realm()
      // Open the realm with a specific file URL, for example a username
      let username = "GordonCole"
      var config = Realm.Configuration.defaultConfiguration
      config.fileURL!.deleteLastPathComponent()
      config.fileURL!.appendPathComponent(username)
      config.fileURL!.appendPathExtension("realm")
      let realm = try! Realm(configuration: config)
      // End of snippet
      #expect(realm != defaultRealm)
      #expect(realm.configuration.fileURL == folder.url("GordonCole.realm"))
      #expect(Realm.fileExists(for: config))
    }
  }

  @Test("open a realm, Objective-C: the default configuration is set once and used from then on")
  func defaultConfiguration() throws {
    try withDefault { folder in
      var configuration = Realm.Configuration.defaultConfiguration
      configuration.fileURL = folder.url("GordonCole.realm")
      Realm.Configuration.defaultConfiguration = configuration
      let realm = try Realm()
      #expect(realm.configuration.fileURL == folder.url("GordonCole.realm"))
    }
  }

  @Test("open an in-memory realm: nothing is written, and all is gone with the last instance")
  func inMemory() throws {
    try withDefault { folder in
      do {
        // Snippet: inMemory
        // Open the realm with a specific in-memory identifier.
        let identifier = "MyRealm"
        let config = Realm.Configuration(
          inMemoryIdentifier: identifier)
        // Open the realm
        let realm = try! Realm(configuration: config)
        // End of snippet
        try realm.write { _ = realm.create(Dog.self, value: ["name": "Rex"]) }
        #expect(realm.objects(Dog.self).count == 1)
      }
      var config = Realm.Configuration()
      config.inMemoryIdentifier = "MyRealm"
      #expect(try Realm(configuration: config).objects(Dog.self).isEmpty)
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.root.path) == [])
    }
  }

  @Test("open a realm with async/await: without an actor it is the main actor's")
  @MainActor
  func mainActor() async throws {
    let folder = try RealmFolder()
    let usual = setDefault(in: folder)
    defer { Realm.Configuration.defaultConfiguration = usual }
    var used: Realm?
    func useTheRealm(realm: Realm) async throws {
      #expect(realm.objects(Todo.self).isEmpty)
      used = realm
    }
    // Snippet: mainActor
    func mainThreadFunction() async throws {
      // These are identical: the async init produces a
      // MainActor-isolated Realm if no actor is supplied
      let realm1 = try await Realm()
      let realm2 = try await Realm(actor: MainActor.shared)
      #expect(realm1 == realm2)
      try await useTheRealm(realm: realm1)
    }
    // End of snippet
    try await mainThreadFunction()
    #expect(used?.configuration.fileURL?.lastPathComponent == "default.realm")
  }

  // Snippet: realmActor
  actor RealmActor {
    // An implicitly-unwrapped optional is used here to let us pass `self` to
    // `Realm(actor:)` within `init`
    var realm: Realm!
    init() async throws {
      realm = try await Realm(actor: self)
    }

    var count: Int {
      realm.objects(Todo.self).count
    }

    func createTodo(name: String, owner: String, status: String) async throws {
      try await realm.asyncWrite {
        realm.create(
          Todo.self,
          value: [
            "_id": ObjectId.generate(),
            "name": name,
            "owner": owner,
            "status": status,
          ])
      }
    }

    func getTodoOwner(forTodoNamed name: String) -> String {
      let todo = realm.objects(Todo.self).where {
        $0.name == name
      }.first!
      return todo.owner
    }

    struct TodoStruct {
      var id: ObjectId
      var name, owner, status: String
    }

    func getTodoAsStruct(forTodoNamed name: String) -> TodoStruct {
      let todo = realm.objects(Todo.self).where {
        $0.name == name
      }.first!
      return TodoStruct(id: todo._id, name: todo.name, owner: todo.owner, status: todo.status)
    }

    func updateTodo(_id: ObjectId, name: String, owner: String, status: String) async throws {
      try await realm.asyncWrite {
        realm.create(
          Todo.self,
          value: [
            "_id": _id,
            "name": name,
            "owner": owner,
            "status": status,
          ], update: .modified)
      }
    }

    func deleteTodo(id: ObjectId) async throws {
      try await realm.asyncWrite {
        let todoToDelete = realm.object(ofType: Todo.self, forPrimaryKey: id)
        realm.delete(todoToDelete!)
      }
    }

    func close() {
      realm = nil
    }
  }
  // End of snippet

  @Test("define a custom realm actor: it creates, reads, updates and deletes, and closes")
  func realmActor() async throws {
    let folder = try RealmFolder()
    let usual = setDefault(in: folder)
    defer { Realm.Configuration.defaultConfiguration = usual }
    let actor = try await RealmActor()
    try await actor.createTodo(name: "Keep it secret", owner: "Frodo", status: "In Progress")
    #expect(await actor.count == 1)
    #expect(await actor.getTodoOwner(forTodoNamed: "Keep it secret") == "Frodo")
    let todo = await actor.getTodoAsStruct(forTodoNamed: "Keep it secret")
    try await actor.updateTodo(
      _id: todo.id, name: "Keep it safe", owner: "Frodo", status: "Completed")
    #expect(await actor.getTodoAsStruct(forTodoNamed: "Keep it safe").status == "Completed")
    #expect(await actor.count == 1)
    try await actor.deleteTodo(id: todo.id)
    #expect(await actor.count == 0)
    await actor.close()
    #expect(try Realm.deleteFiles(for: .defaultConfiguration))
  }

  @Test("use a realm with a global actor: what is used after an await is used on the same actor")
  @MainActor
  func globalActor() async throws {
    let folder = try RealmFolder()
    let usual = setDefault(in: folder)
    defer { Realm.Configuration.defaultConfiguration = usual }
    try await mainThreadFunction()
    #expect(try await Realm().objects(Todo.self).map(\.owner) == ["Pippin"])
  }

  @Test("close a realm: there is no need to, it closes with the last that holds it")
  func closing() throws {
    let folder = try RealmFolder()
    var realm: Realm? = try folder.open([Dog.self])
    var dogs: Results<Dog>? = realm?.objects(Dog.self)
    realm = nil
    #expect(dogs?.count == 0)
    #expect(throws: Realm.Error.self) {
      try Realm.deleteFiles(for: folder.configuration([Dog.self]))
    }
    dogs = nil
    #expect(try Realm.deleteFiles(for: folder.configuration([Dog.self])))
  }

  @Test("handle errors: what opening throws is caught as an NSError")
  func errors() throws {
    try withDefault { folder in
      try Data(repeating: 7, count: 5000).write(to: folder.url("default.realm"))
      var caught: NSError?
      // Snippet: errors
      do {
        let realm = try Realm()
        // Use realm
        Issue.record("\(realm.configuration)")
      } catch let error as NSError {
        // Handle error
        caught = error
      }
      // End of snippet
      #expect(caught?.domain == "io.realm")
    }
  }

  @Test("provide a subset of classes: a realm knows those that it was given, and no others")
  func subset() throws {
    try withDefault { _ in
      // Snippet: subset
      var config = Realm.Configuration.defaultConfiguration
      // Given: `class Dog: Object`
      // Limit the realm to only the Dog object. All other
      // Object- and EmbeddedObject-derived classes are not added.
      config.objectTypes = [Dog.self]
      let realm = try! Realm(configuration: config)
      // End of snippet
      try realm.write { _ = realm.create(Dog.self, value: ["name": "Rex"]) }
      #expect(misuse { _ = realm.objects(Person.self).count } == [.classNotManaged])
    }
  }

  @Test(
    "initialize properties: eagerly they use the configuration of that moment, lazily that of their first use"
  )
  func eagerProperties() throws {
    // Snippet: eagerProperties
    class SomeSwiftType {
      let persons = try! Realm().objects(Person.self)
      // ...
    }
    // End of snippet
    class SomeLazyType {
      lazy var persons = try! Realm().objects(Person.self)
    }
    try withDefault { folder in
      let eager = SomeSwiftType()
      let lazily = SomeLazyType()
      Realm.Configuration.defaultConfiguration.fileURL = folder.url("configured.realm")
      #expect(eager.persons.realm?.configuration.fileURL == folder.url("default.realm"))
      #expect(lazily.persons.realm?.configuration.fileURL == folder.url("configured.realm"))
    }
  }

  @Test(
    "file protection: the snippet runs, and the folder stays accessible; a device that locks is iOS's alone"
  )
  func folder() throws {
    try withDefault { folder in
      // Snippet: fileProtection
      let realm = try! Realm()
      // Get the realm file's parent directory
      let folderPath = realm.configuration.fileURL!.deletingLastPathComponent().path
      // Disable file protection for this directory after the user has unlocked the device once
      try! FileManager.default.setAttributes(
        [
          FileAttributeKey.protectionKey: FileProtectionType.completeUntilFirstUserAuthentication
        ],
        ofItemAtPath: folderPath)
      // End of snippet
      #expect(folderPath == folder.root.path)
      // What is created in the folder afterwards, auxiliary files among it, can be read and written.
      try realm.write { _ = realm.create(Dog.self, value: ["name": "Rex"]) }
      try realm.writeCopy(toFile: folder.url("copy.realm"))
      let copy = try folder.open([Dog.self], "copy.realm")
      #expect(copy.objects(Dog.self).map(\.name) == ["Rex"])
    }
  }
}
