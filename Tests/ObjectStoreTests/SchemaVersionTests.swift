// Which schema version a file counts as, and what an opening with a newer one must not skip, damage or delete.
import Foundation
import StorageEngine
import SystemIO
import TestSupport
import Testing

@testable import ObjectStore

/// The first release's classes, which the file knows by the same names as the second release's.
private enum First {
  class Ticket: Object {
    @Persisted var seat: String
    @Persisted var price: Int
  }
}

@Suite("Schema versions")
struct SchemaVersionTests {
  /// The second release: the price has another type.
  class Ticket: Object {
    @Persisted var seat: String
    @Persisted var price: Double
  }

  private func makeFile(_ folder: RealmFolder, _ types: [ObjectBase.Type]?) throws {
    let realm = try folder.open(types)
    try realm.write {
      realm.create(First.Ticket.self, value: ["seat": "12A", "price": 3])
      realm.create(First.Ticket.self, value: ["seat": "12B", "price": 4])
    }
  }

  private func failure(_ body: () throws -> Void) -> Realm.Error? {
    do {
      try body()
      return nil
    } catch { return error as? Realm.Error }
  }

  private static let convertsPrices: MigrationBlock = { migration, _ in
    migration.enumerateObjects(ofType: "Ticket") { old, new in
      new?["price"] = (old?["price"] as? Int).map { Double($0) }
    }
  }

  private func expectConverted(_ folder: RealmFolder) throws {
    let versions = LockedValue<[UInt64]>([])
    let realm = try folder.open([Ticket.self]) {
      $0.schemaVersion = 1
      $0.migrationBlock = { migration, version in
        versions.withLock { $0.append(version) }
        Self.convertsPrices(migration, version)
      }
    }
    #expect(versions.withLock { $0 } == [0])
    #expect(realm.objects(Ticket.self).map(\.price) == [3, 4])
    #expect(realm.objects(Ticket.self).map(\.seat) == ["12A", "12B"])
  }

  @Test(
    "a file whose classes were never named counts as version 0: the next version's block is called")
  func unnamedClasses() throws {
    let folder = try RealmFolder()
    try makeFile(folder, nil)
    try expectConverted(folder)
  }

  @Test("so does a file that an earlier release of this library wrote without a version")
  func fixture() throws {
    let folder = try RealmFolder()
    let source = Repository.root.appending("Tests/ObjectStoreTests/Files/unversioned.realm")
    try FileManager.default.copyItem(
      at: URL(fileURLWithPath: source.string), to: folder.url())
    #expect(try schemaVersionAtURL(folder.url()) == 0)
    try expectConverted(folder)
  }

  @Test("other classes without a newer version are refused by opening, not at their first use")
  func unnamedClassesThatDiffer() throws {
    let folder = try RealmFolder()
    try makeFile(folder, nil)
    #expect(failure { _ = try folder.open([Ticket.self]) }?.failure == .schemaMismatch)
    #expect(try folder.open(nil).objects(First.Ticket.self).map(\.price) == [3, 4])
  }

  @Test(
    "a newer version that names no class fails, states what to name, and leaves the file as it was")
  func unknownClasses() throws {
    let folder = try RealmFolder()
    try makeFile(folder, [First.Ticket.self])
    let calls = LockedValue(0)
    for block in [nil, Self.convertsPrices] {
      let error = failure {
        _ = try folder.open(nil) {
          $0.schemaVersion = 1
          $0.migrationBlock = block
        }
      }
      #expect(error?.failure == .schemaMismatch)
      #expect(error?.localizedDescription.contains("Ticket") == true)
      #expect(error?.localizedDescription.contains("objectTypes") == true)
    }
    #expect(calls.withLock { $0 } == 0)
    #expect(try schemaVersionAtURL(folder.url()) == 0)
    try expectConverted(folder)
  }

  @Test("a class that the program no longer has is deleted by name, and then not asked for")
  func deletedClass() throws {
    let folder = try RealmFolder()
    try makeFile(folder, [First.Ticket.self])
    do {
      let realm = try folder.open(nil) {
        $0.schemaVersion = 1
        $0.migrationBlock = { migration, _ in
          #expect(migration.deleteData(forType: "Ticket"))
          #expect(!migration.deleteData(forType: "Ticket"))
          #expect(!migration.deleteData(forType: "Nothing"))
        }
      }
      #expect(realm.isEmpty)
    }
    // Its description is gone with it: another class may have its name.
    let realm = try folder.open([Ticket.self]) { $0.schemaVersion = 1 }
    #expect(realm.objects(Ticket.self).isEmpty)
    try realm.write { realm.create(Ticket.self, value: ["price": 2.5]) }
    #expect(realm.objects(Ticket.self).map(\.price) == [2.5])
  }

  @Test("a class that is registered is migrated where none is named")
  func registered() async {
    await #expect(processExitsWith: .success) {
      let folder = try RealmFolder()
      let tests = SchemaVersionTests()
      try tests.makeFile(folder, [First.Ticket.self])
      Realm.register([Ticket.self])
      let realm = try folder.open(nil) {
        $0.schemaVersion = 1
        $0.migrationBlock = SchemaVersionTests.convertsPrices
      }
      guard realm.objects(Ticket.self).map(\.price) == [3, 4] else { exit(1) }
      exit(0)
    }
  }

  @Test("two classes of one name are refused, and delete no file")
  func duplicateNames() throws {
    let folder = try RealmFolder()
    try makeFile(folder, [First.Ticket.self])
    let error = failure {
      _ = try folder.open([First.Ticket.self, Ticket.self]) {
        $0.deleteRealmIfMigrationNeeded = true
      }
    }
    #expect(error != nil)
    #expect(try folder.open([First.Ticket.self]).objects(First.Ticket.self).count == 2)
  }

  @Test("while an instance of this process is live no migration changes what it reads")
  func liveInstance() throws {
    let folder = try RealmFolder()
    try makeFile(folder, [First.Ticket.self])
    let live = try folder.open([First.Ticket.self])
    let tickets = live.objects(First.Ticket.self)
    #expect(tickets.map(\.price) == [3, 4])
    let error = failure {
      _ = try folder.open([Ticket.self]) {
        $0.schemaVersion = 1
        $0.migrationBlock = Self.convertsPrices
      }
    }
    #expect(error?.failure == .alreadyOpen)
    #expect(live.refresh() == false)
    #expect(tickets.map(\.price) == [3, 4])
    try live.write { tickets[0].price = 5 }
    #expect(tickets.map(\.price) == [5, 4])
  }

  @Test(
    "after another opening's migration an older program neither reads nor writes rows of another shape"
  )
  func migratedElsewhere() throws {
    let folder = try RealmFolder()
    try makeFile(folder, [First.Ticket.self])
    let live = try folder.open([First.Ticket.self])
    let tickets = live.objects(First.Ticket.self)
    let ticket = try #require(tickets.first)
    #expect(ticket.price == 3)
    // An opening of its own stands for another process: the two share nothing but the files.
    let other = try Database.open(path: FilePath(folder.url().path))
    do {
      let configuration = folder.configuration([Ticket.self]) {
        $0.schemaVersion = 1
        $0.migrationBlock = Self.convertsPrices
      }
      let reference = FileReference(RealmCoordinator(other, url: folder.url(), nil), nil)
      let migrated = Realm(try configuration.open(.unconfined, reference))
      #expect(migrated.objects(Ticket.self).map(\.price) == [3, 4])
    }
    // What was read before stays readable until the instance moves.
    #expect(ticket.price == 3)
    live.refresh()
    #expect(ticket.isInvalidated)
    #expect(misuse { _ = ticket.price } == [.invalidated])
    #expect(misuse { _ = live.objects(First.Ticket.self).count } == [.schemaMismatch])
    live.beginWrite()
    #expect(
      misuse { live.create(First.Ticket.self, value: ["seat": "1C", "price": 7]) }
        == [.schemaMismatch])
    live.cancelWrite()
    try other.close()
  }
}
