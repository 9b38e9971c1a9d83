// From one program's classes to the next one's: what is kept, what the block sees, what is refused.
import Foundation
import Testing

@testable import ObjectStore

/// The classes of three releases of a program, which the file knows by one name.
private enum First {
  class Member: Object {
    @Persisted var first: String
    @Persisted var last: String
    @Persisted var age: Int
  }
}

@Suite("Migrations")
struct MigrationTests {
  /// A later shape of `First.Member`.
  class Member: Object {
    @Persisted(indexed: true) var fullName: String
    @Persisted var age: Int
    @Persisted var email: String?
  }

  private func old(_ folder: RealmFolder) throws {
    let realm = try folder.open([First.Member.self])
    try realm.write {
      for index in 0..<3 {
        realm.create(
          First.Member.self, value: ["first": "f\(index)", "last": "l\(index)", "age": index])
      }
    }
  }

  private func failure(_ body: () throws -> Void) -> Realm.Error.Failure? {
    do {
      try body()
      return nil
    } catch { return (error as? Realm.Error)?.failure }
  }

  @Test(
    "other classes under the same schema version need a migration, and the file stays as it was")
  func required() throws {
    let folder = try RealmFolder()
    try old(folder)
    #expect(failure { _ = try folder.open([Member.self]) } == .schemaMismatch)
    #expect(try folder.open([First.Member.self]).objects(First.Member.self).count == 3)
  }

  @Test(
    "the block sees each object as it was and as it is, and what it writes is there, also for the index"
  )
  func block() throws {
    let folder = try RealmFolder()
    try old(folder)
    let versions = LockedValue<[UInt64]>([])
    let realm = try folder.open([Member.self]) {
      $0.schemaVersion = 2
      $0.migrationBlock = { migration, oldVersion in
        versions.withLock { $0.append(oldVersion) }
        migration.enumerateObjects(ofType: "Member") { old, new in
          guard let first = old?["first"] as? String, let last = old?["last"] as? String else {
            return
          }
          new?["fullName"] = "\(first) \(last)"
        }
        migration.create("Member", value: ["fullName": "new", "age": 9])
      }
    }
    #expect(versions.withLock { $0 } == [0])
    let members = realm.objects(Member.self)
    #expect(members.map(\.fullName) == ["f0 l0", "f1 l1", "f2 l2", "new"])
    #expect(members.map(\.age) == [0, 1, 2, 9])
    #expect(members.where { $0.fullName == "f1 l1" }.map(\.age) == [1])
    #expect(members.first?.email == nil)
    #expect(try schemaVersionAtURL(folder.url()) == 2)
    let again = try onAnotherThread {
      try folder.open([Member.self]) {
        $0.schemaVersion = 2
        $0.migrationBlock = { _, version in versions.withLock { $0.append(version) } }
      }.objects(Member.self).count
    }
    #expect(again == 4)
    #expect(versions.withLock { $0 } == [0])
  }

  @Test(
    "a newer version without a block keeps what both have; renamed properties keep their values")
  func withoutBlock() throws {
    let folder = try RealmFolder()
    try old(folder)
    do {
      let realm = try folder.open([Member.self]) { $0.schemaVersion = 1 }
      #expect(realm.objects(Member.self).map(\.age) == [0, 1, 2])
      #expect(realm.objects(Member.self).map(\.fullName) == ["", "", ""])
      try realm.write { realm.objects(Member.self).first?.fullName = "Ada" }
    }
    let realm = try folder.open([First.Member.self]) {
      $0.schemaVersion = 2
      $0.migrationBlock = { migration, _ in
        migration.renameProperty(onType: "Member", from: "fullName", to: "last")
      }
    }
    #expect(realm.objects(First.Member.self).map(\.last) == ["Ada", "", ""])
  }

  @Test(
    "a property that becomes the primary key gives the rows their keys; two of one value are refused"
  )
  func primaryKey() throws {
    class Keyed {
      class Member: Object {
        @Persisted(primaryKey: true) var last: String
        @Persisted var age: Int
      }
    }
    let folder = try RealmFolder()
    try old(folder)
    do {
      let realm = try folder.open([Keyed.Member.self]) { $0.schemaVersion = 1 }
      #expect(realm.object(ofType: Keyed.Member.self, forPrimaryKey: "l1")?.age == 1)
      #expect(realm.objects(Keyed.Member.self).count == 3)
    }
    do {
      let realm = try folder.open([First.Member.self]) { $0.schemaVersion = 2 }
      #expect(realm.objects(First.Member.self).map(\.age) == [0, 1, 2])
      try realm.write { realm.create(First.Member.self, value: ["last": "l1"]) }
    }
    #expect(
      failure { _ = try folder.open([Keyed.Member.self]) { $0.schemaVersion = 3 } }
        == .duplicatePrimaryKey)
    let realm = try folder.open([First.Member.self]) { $0.schemaVersion = 2 }
    #expect(realm.objects(First.Member.self).count == 4)
  }

  @Test("deleteRealmIfMigrationNeeded begins anew; a version below that of the file is refused")
  func deleting() throws {
    let folder = try RealmFolder()
    try old(folder)
    do {
      let realm = try folder.open([Member.self]) { $0.deleteRealmIfMigrationNeeded = true }
      #expect(realm.objects(Member.self).isEmpty)
      try realm.write { realm.create(Member.self, value: ["fullName": "Ada"]) }
    }
    do {
      let realm = try folder.open([Member.self]) {
        $0.schemaVersion = 5
        $0.deleteRealmIfMigrationNeeded = true
      }
      #expect(realm.objects(Member.self).isEmpty)
    }
    #expect(
      failure { _ = try folder.open([Member.self]) { $0.schemaVersion = 4 } } == .schemaMismatch)
  }

  @Test("a class that the file does not know needs no migration")
  func newClass() throws {
    let folder = try RealmFolder()
    try old(folder)
    let realm = try folder.open([First.Member.self, Note.self])
    try realm.write { realm.create(Note.self, value: ["text": "a"]) }
    #expect(realm.objects(First.Member.self).count == 3)
    #expect(realm.objects(Note.self).count == 1)
  }

  @Test("a realm without named classes knows those that are used, and checks them then")
  func usedClasses() throws {
    let folder = try RealmFolder()
    try old(folder)
    let realm = try folder.open(nil)
    #expect(realm.objects(First.Member.self).count == 3)
    #expect(realm.objects(Note.self).isEmpty)
    realm.beginWrite()
    realm.create(Note.self, value: ["text": "a"])
    realm.cancelWrite()
    #expect(realm.objects(Note.self).isEmpty)
    try realm.write { realm.create(Note.self, value: ["text": "b"]) }
    #expect(realm.objects(Note.self).map(\.text) == ["b"])
    #expect(misuse { _ = realm.objects(Member.self).count } == [.schemaMismatch])
  }

  @Test(
    "a primary key of another type, or a new one, is set by the block; without it, equal ones are refused"
  )
  func otherPrimaryKey() throws {
    enum Numbered {
      class Member: Object {
        @Persisted(primaryKey: true) var id: Int
        @Persisted var last: String
      }
    }
    enum Named {
      class Member: Object {
        @Persisted(primaryKey: true) var id: String
        @Persisted(indexed: true) var last: String
      }
    }
    let folder = try RealmFolder()
    try old(folder)
    #expect(
      failure { _ = try folder.open([Numbered.Member.self]) { $0.schemaVersion = 1 } }
        == .duplicatePrimaryKey)
    do {
      let realm = try folder.open([Numbered.Member.self]) {
        $0.schemaVersion = 1
        $0.migrationBlock = { migration, _ in
          migration.enumerateObjects(ofType: "Member") { old, new in
            new?["id"] = (old?["age"] as? Int).map { $0 * 10 }
          }
        }
      }
      #expect(realm.objects(Numbered.Member.self).map(\.id) == [0, 10, 20])
    }
    do {
      let realm = try folder.open([Named.Member.self]) {
        $0.schemaVersion = 2
        $0.migrationBlock = { migration, _ in
          migration.enumerateObjects(ofType: "Member") { old, new in
            guard let new, let id = old?["id"] as? Int else { return }
            if id == 10 { return migration.delete(new) }
            new["id"] = "member \(20 - id)"
            #expect(new["id"] as? String == "member \(20 - id)")
          }
          // A second pass finds the rows under their new keys, and not the deleted one.
          migration.enumerateObjects(ofType: "Member") { old, new in
            #expect((new == nil) == (old?["id"] as? Int == 10))
            if let new { new["last"] = "\(new["last"] ?? "") \(new["id"] ?? "")" }
          }
        }
      }
      let members = realm.objects(Named.Member.self)
      #expect(members.map(\.id) == ["member 0", "member 20"])
      #expect(members.map(\.last) == ["l2 member 0", "l0 member 20"])
      #expect(members.where { $0.last == "l0 member 20" }.map(\.id) == ["member 20"])
    }
  }

  @Test(
    "a property of another type is converted by the block; an index that stays finds what it found")
  func otherTypes() throws {
    enum Changed {
      class Member: Object {
        @Persisted(indexed: true) var fullName: String
        @Persisted var age: String?
        @Persisted var email: String = "none"
      }
    }
    let folder = try RealmFolder()
    do {
      let realm = try folder.open([Member.self])
      try realm.write {
        for index in 0..<600 {
          realm.create(
            Member.self,
            value: ["fullName": "name \(index % 3)", "age": index, "email": nil] as [String: Any?])
        }
      }
    }
    let realm = try folder.open([Changed.Member.self]) {
      $0.schemaVersion = 1
      $0.migrationBlock = { migration, _ in
        migration.enumerateObjects(ofType: "Member") { old, new in
          new?["age"] = (old?["age"] as? Int).map { "\($0) years" }
        }
      }
    }
    let found = realm.objects(Changed.Member.self).where { $0.fullName == "name 1" }
    #expect(found.count == 200)
    #expect(found.first?.age == "1 years")
    // Null is no value of the new property: it has that of a new object.
    #expect(found.first?.email == "none")
    _ = try realm.instance.coordinator.database.audit()
  }

  @Test("the first error of the block's calls fails the opening, and the file stays as it was")
  func errorsInBlock() throws {
    let folder = try RealmFolder()
    try old(folder)
    let calls: [@Sendable (MigrationObject?, MigrationObject?, Migration) -> Void] = [
      { _, new, _ in new?["age"] = "three" }, { _, new, _ in new?["height"] = 3 },
      { old, _, _ in _ = old?["height"] }, { old, _, _ in old?["age"] = 3 },
      { old, _, migration in if let old { migration.delete(old) } },
      { _, _, migration in migration.create("Stranger") },
    ]
    for call in calls {
      let rows = LockedValue(0)
      let found = misuse {
        let error = failure {
          _ = try folder.open([Member.self]) {
            $0.schemaVersion = 1
            $0.migrationBlock = { migration, _ in
              migration.enumerateObjects(ofType: "Member") { old, new in
                rows.withLock { $0 += 1 }
                call(old, new, migration)
              }
              // Does nothing any more.
              migration.deleteData(forType: "Member")
            }
          }
        }
        if error != .invalidValue && error != .classNotManaged {
          Issue.record("\(String(describing: error))")
        }
      }
      #expect(found == [])
      #expect(rows.withLock { $0 } == 1)
      let realm = try folder.open([First.Member.self])
      #expect(realm.objects(First.Member.self).map(\.age) == [0, 1, 2])
    }
  }
}
