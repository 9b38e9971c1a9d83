// A migration that is interrupted anywhere leaves the file as it was before, or as it is after.
import Foundation
import StorageEngine
import SystemIO
import TestSupport
import Testing

@testable import ObjectStore

private enum Before {
  class Reading: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted(indexed: true) var name: String
    @Persisted var value: Int
  }
}

private enum After {
  class Reading: Object {
    @Persisted(primaryKey: true) var id: String
    @Persisted(indexed: true) var value: Double
    @Persisted var name: String
    @Persisted var unit: String = "K"
  }
}

@Suite("Interrupted migrations")
struct MigrationCrashTests {
  private static let rows = 200

  /// Opens a realm of the volume, as one process does.
  private func open(
    _ volume: FaultyVolume, _ types: [ObjectBase.Type], _ version: UInt64,
    _ block: MigrationBlock? = nil
  ) throws -> Realm {
    let database = try Database.open(path: "readings", on: volume)
    var configuration = Realm.Configuration(inMemoryIdentifier: "readings", objectTypes: types)
    configuration.schemaVersion = version
    configuration.migrationBlock = block
    do {
      let reference = FileReference(RealmCoordinator(database, url: nil, nil), nil)
      return Realm(try configuration.open(.unconfined, reference))
    } catch {
      try? database.close()
      throw error
    }
  }

  private func makeVolume() throws -> FaultyVolume {
    let volume = FaultyVolume()
    let realm = try open(volume, [Before.Reading.self], 1)
    try realm.write {
      for id in 0..<Self.rows {
        realm.create(
          Before.Reading.self, value: ["id": id, "name": "name \(id % 5)", "value": id * 3])
      }
    }
    try close(realm)
    return volume.afterKill()
  }

  private func close(_ realm: Realm) throws {
    realm.invalidate()
    try realm.instance.coordinator.database.close()
  }

  private func migrate(_ volume: FaultyVolume) throws {
    let realm = try open(volume, [After.Reading.self], 2) { migration, _ in
      migration.enumerateObjects(ofType: "Reading") { old, new in
        new?["id"] = (old?["id"] as? Int).map { "r\($0 + 1000)" }
        new?["value"] = (old?["value"] as? Int).map { Double($0) / 2 }
      }
    }
    try close(realm)
  }

  /// Returns whether the migration was made; records an issue if the file is neither as before nor as after.
  private func isMigrated(_ volume: FaultyVolume) throws -> Bool {
    let database = try Database.open(path: "readings", on: volume)
    let snapshot = try database.beginSnapshot()
    let version = try SchemaTable.schemaVersion(snapshot)
    snapshot.end()
    _ = try database.audit()
    try database.close()
    if version == 1 {
      let realm = try open(volume, [Before.Reading.self], 1)
      let all = realm.objects(Before.Reading.self)
      #expect(all.map(\.id) == Array(0..<Self.rows))
      #expect(all.map(\.value) == (0..<Self.rows).map { $0 * 3 })
      #expect(all.where { $0.name == "name 2" }.count == Self.rows / 5)
      try close(realm)
      return false
    }
    #expect(version == 2)
    let realm = try open(volume, [After.Reading.self], 2)
    let all = realm.objects(After.Reading.self)
    #expect(all.map(\.id) == (0..<Self.rows).map { "r\($0 + 1000)" })
    #expect(all.map(\.value) == (0..<Self.rows).map { Double($0 * 3) / 2 })
    #expect(all.map(\.unit).allSatisfy { $0 == "K" })
    #expect(all.where { $0.value == 3 }.map(\.id) == ["r1002"])
    try close(realm)
    return true
  }

  @Test(
    "a call that fails, at any point, is thrown, and leaves all rows of the old shape or all of the new one"
  )
  func failingCalls() throws {
    let volume = try makeVolume()
    let counted = volume.afterKill()
    try migrate(counted)
    #expect(try isMigrated(counted.afterKill()))
    var failures = 0
    for operation in FaultyVolume.Operation.allCases {
      for occurrence in 0..<counted.count(of: operation) {
        let faulty = volume.afterKill()
        faulty.fail(operation, occurrence: occurrence + 1, code: 5)
        do { try migrate(faulty) } catch { failures += 1 }
        let left = faulty.afterKill()
        if try !isMigrated(left) {
          // What could not be made the first time is made the next.
          let again = left.afterKill()
          try migrate(again)
          #expect(try isMigrated(again.afterKill()))
        }
      }
    }
    #expect(failures > 0)
  }

  @Test("a power cut at any point leaves all rows of the old shape or all of the new one")
  func powerCuts() throws {
    let seed = testSeed()
    var random = SeededRandom(seed: seed)
    let volume = try makeVolume()
    var left: [(volume: FaultyVolume, story: String)] = []
    volume.beforeOperation = { volume, operation, _ in
      let states = volume.crashStates()
      left.append((states.volume(unitSize: 512) { _ in false }, "nothing kept at \(operation)"))
      left.append((states.volume(unitSize: 512) { _ in true }, "all kept at \(operation)"))
      for _ in 0..<3 { left.append(states.torn(unitSize: 512, random: &random)) }
    }
    try migrate(volume)
    volume.beforeOperation = nil
    var migrated = 0
    for (volume, story) in left {
      do { if try isMigrated(volume) { migrated += 1 } } catch {
        Issue.record("SEED=\(seed): \(story): \(error)")
      }
    }
    #expect(migrated > 0 && migrated < left.count)
  }
}
