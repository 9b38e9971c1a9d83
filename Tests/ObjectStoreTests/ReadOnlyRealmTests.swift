// A read-only configuration never changes a byte, whatever else it asks for.
import Foundation
import StorageEngine
import TestSupport
import Testing

@testable import ObjectStore

@Suite("Read-only realms")
struct ReadOnlyRealmTests {
  class Ticket: Object {
    @Persisted var text: String
  }

  private enum Later {
    class Ticket: Object {
      @Persisted var text: Int
    }
  }

  private func makeFile(_ folder: RealmFolder) throws -> Data {
    do {
      let realm = try folder.open([Ticket.self])
      try realm.write { realm.create(Ticket.self, value: ["text": "a"]) }
    }
    return try Data(contentsOf: folder.url())
  }

  private func failure(_ body: () throws -> Void) -> Realm.Error.Failure? {
    do {
      try body()
      return nil
    } catch { return (error as? Realm.Error)?.failure }
  }

  @Test("with deleteRealmIfMigrationNeeded it is refused, whether or not a migration is needed")
  func deleting() throws {
    let folder = try RealmFolder()
    let before = try makeFile(folder)
    let configurations: [([ObjectBase.Type]?, UInt64)] = [
      ([Ticket.self], 0), ([Ticket.self], 1), ([Later.Ticket.self], 0), ([Later.Ticket.self], 1),
      (nil, 1),
    ]
    for (types, version) in configurations {
      let found = failure {
        _ = try folder.open(types) {
          $0.readOnly = true
          $0.deleteRealmIfMigrationNeeded = true
          $0.schemaVersion = version
        }
      }
      #expect(found == .invalidConfiguration)
      #expect(try Data(contentsOf: folder.url()) == before)
    }
  }

  @Test("a newer version calls no block and changes no byte; classes that differ are refused")
  func newerVersion() throws {
    let folder = try RealmFolder()
    let before = try makeFile(folder)
    for types in [[Ticket.self], nil] {
      let realm = try folder.open(types) {
        $0.readOnly = true
        $0.schemaVersion = 2
        $0.migrationBlock = { _, _ in Issue.record("A read-only realm was migrated.") }
      }
      #expect(realm.objects(Ticket.self).map(\.text) == ["a"])
    }
    #expect(
      failure {
        _ = try folder.open([Later.Ticket.self]) {
          $0.readOnly = true
          $0.schemaVersion = 2
        }
      } == .schemaMismatch)
    #expect(try Data(contentsOf: folder.url()) == before)
  }

  @Test(
    "the schema version of a file is read while the file is open read-only, and changes no byte")
  func version() throws {
    let folder = try RealmFolder()
    let before = try makeFile(folder)
    do {
      let realm = try folder.open([Ticket.self]) { $0.readOnly = true }
      #expect(realm.objects(Ticket.self).count == 1)
      #expect(try schemaVersionAtURL(folder.url()) == 0)
    }
    #expect(try schemaVersionAtURL(folder.url()) == 0)
    #expect(try Data(contentsOf: folder.url()) == before)
    // One that is open for writing, here or elsewhere, is read through that opening.
    let realm = try folder.open([Ticket.self])
    #expect(try schemaVersionAtURL(folder.url()) == 0)
    #expect(realm.objects(Ticket.self).count == 1)
  }

  @Test("without a file neither a seed nor a folder is made for it")
  func seed() throws {
    let folder = try RealmFolder()
    _ = try makeFile(folder)
    for name in ["missing.realm", "folder/missing.realm"] {
      let found = failure {
        _ = try folder.open([Ticket.self], name) {
          $0.readOnly = true
          $0.seedFilePath = folder.url()
        }
      }
      #expect(found == .fileNotFound)
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.root.path) == ["test.realm"])
  }

  @Test("compaction in the background and a log of events write nothing")
  func options() throws {
    let folder = try RealmFolder()
    do {
      let realm = try folder.open([Ticket.self]) { $0.automaticCompaction = .off }
      let text = String(repeating: "x", count: 1000)
      try realm.write { for _ in 0..<4000 { realm.create(Ticket.self, value: ["text": text]) } }
      try realm.write { realm.delete(Array(realm.objects(Ticket.self).dropLast())) }
    }
    let before = try Data(contentsOf: folder.url())
    for compaction in Realm.Configuration.AutomaticCompaction.allCases {
      let realm = try folder.open([Ticket.self]) {
        $0.readOnly = true
        $0.automaticCompaction = compaction
        $0.idleCompaction = .init(afterMilliseconds: 1)
        $0.eventConfiguration = .init()
      }
      #expect(realm.objects(Ticket.self).count == 1)
      Thread.sleep(forTimeInterval: 0.05)
      realm.invalidate()
      #expect(realm.instance.coordinator.database.reclaimError() == .readOnly)
    }
    #expect(try Data(contentsOf: folder.url()) == before)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.root.path) == ["test.realm"])
  }

  @Test("a file that was not closed is read as it is, and stays so")
  func notClosed() throws {
    let folder = try RealmFolder()
    let realm = try folder.open([Ticket.self])
    try realm.write { realm.create(Ticket.self, value: ["text": "a"]) }
    // As a process that is killed here leaves it.
    let before = try Data(contentsOf: folder.url())
    try before.write(to: folder.url("killed.realm"))
    do {
      let other = try folder.open([Ticket.self], "killed.realm") { $0.readOnly = true }
      #expect(other.objects(Ticket.self).map(\.text) == ["a"])
    }
    #expect(try Data(contentsOf: folder.url("killed.realm")) == before)
  }

  @Test("a file of an earlier format is read as it is, and stays so")
  func earlierFormat() throws {
    let folder = try RealmFolder()
    let source = Repository.root.appending("Tests/ObjectStoreTests/Files/format-2.realm")
    let before = try Data(contentsOf: URL(fileURLWithPath: source.string))
    try before.write(to: folder.url())
    let realm = try folder.open {
      $0.readOnly = true
      $0.schemaVersion = 7
    }
    #expect(realm.objects(Person.self).count == 40)
    #expect(try Data(contentsOf: folder.url()) == before)
  }
}

extension Database {
  /// The error with which compaction in the background ends; nil for none.
  fileprivate func reclaimError() -> StorageError.Code? {
    do throws(StorageError) {
      _ = try reclaimWhileIdle()
      return nil
    } catch { return error.code }
  }
}
