// A read-only configuration never changes a byte, whatever else it asks for.
import Foundation
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
}
