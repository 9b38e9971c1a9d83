// What classes in `objectTypes` cost an opening, in amounts that do not depend on the machine.
import Foundation
import StorageEngine
import Testing

@testable import ObjectStore

/// Twelve classes.
private enum Classes {
  enum Tag0 {}
  enum Tag1 {}
  enum Tag2 {}
  enum Tag3 {}

  class Plain<Tag>: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var name: String
    @Persisted var amount: Double
  }

  class Indexed<Tag>: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted(indexed: true) var name: String
    @Persisted var amount: Double
  }

  class Named<Tag>: Object {
    @Persisted(primaryKey: true) var id: String
    @Persisted var name: String
    @Persisted var amount: Double
  }

  static let all: [ObjectBase.Type] = [
    Plain<Tag0>.self, Plain<Tag1>.self, Plain<Tag2>.self, Plain<Tag3>.self, Indexed<Tag0>.self,
    Indexed<Tag1>.self, Indexed<Tag2>.self, Indexed<Tag3>.self, Named<Tag0>.self,
    Named<Tag1>.self, Named<Tag2>.self, Named<Tag3>.self,
  ]
}

@Suite("The cost of classes in objectTypes")
struct OpeningCostTests {
  /// Counts how many objects of it are made.
  class Counted: Object {
    static let made = LockedValue(0)

    @Persisted var text: String

    required init() {
      super.init()
      Counted.made.withLock { $0 += 1 }
    }
  }

  @Test("a class is reflected once in a process, however often realms are opened with it")
  func reflection() throws {
    for number in 0..<5 {
      let folder = try RealmFolder()
      for _ in 0..<3 {
        let realm = try folder.open([Counted.self, Note.self], "\(number).realm")
        #expect(realm.objects(Counted.self).isEmpty)
      }
    }
    #expect(Counted.made.withLock { $0 } == 1)
  }

  @Test(
    "all classes of a new file are created in one commit, and known ones cost none and write nothing"
  )
  func commits() throws {
    let folder = try RealmFolder()
    let empty = try folder.open([], "empty.realm")
    let version = empty.instance.coordinator.database.version
    do {
      let realm = try folder.open(Classes.all)
      #expect(realm.instance.coordinator.database.version == version + 1)
    }
    let realm = try folder.open(Classes.all)
    #expect(realm.instance.coordinator.database.version == version + 1)
    #expect(realm.instance.coordinator.database.bytesWritten == 0)
  }

  @Test("a class without objects costs its description and a name for each table and index")
  func bytes() throws {
    let folder = try RealmFolder()
    func live(_ count: Int) throws -> Int {
      let realm = try folder.open(Array(Classes.all.prefix(count)), "\(count).realm")
      return realm.instance.coordinator.database.usage().live
    }
    #expect(try [1, 12].map(live) == [360, 4096])
  }
}
