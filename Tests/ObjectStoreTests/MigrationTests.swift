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
}
