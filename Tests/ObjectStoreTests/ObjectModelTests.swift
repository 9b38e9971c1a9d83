// Random changes of objects with every kind of link, beside a model in memory, with queries over links, observers of
// collections and migrations, and with power cuts on a faulty disk.
import Foundation
import StorageEngine
import SystemIO
import TestSupport
import Testing

@testable import ObjectStore

/// The number of random changes: a few in every run of the tests, and 100 000 at night.
private let stepCount =
  ProcessInfo.processInfo.environment["OBJECT_MODEL_STEPS"].flatMap { Int($0) } ?? 2000

@Suite("Objects beside a model")
struct ObjectModelTests {
  @Test(
    "after each of many random changes the objects, what queries find and what observers are told are those of the model",
    arguments: [false, true])
  func randomChanges(_ isEncrypted: Bool) throws {
    let seed = testSeed()
    let count = isEncrypted ? stepCount / 5 : stepCount
    let folder = try RealmFolder()
    let key = Data((0..<64).map { UInt8($0) })
    var schemaVersion: UInt64 = 0
    func open(_ types: [ObjectBase.Type], _ block: MigrationBlock?) throws -> Realm {
      try folder.open(types) {
        if isEncrypted { $0.encryptionKey = key }
        $0.schemaVersion = schemaVersion
        $0.migrationBlock = block
      }
    }
    // nil while the file is migrated, which no live realm may see.
    var realm: Realm! = try open(linkedClasses, nil)
    var change = LinkWorldChange(LinkWorld(), SeededRandom(seed: seed))
    var done = 0
    var frozen: [(realm: Realm, world: LinkWorld)] = []
    var mirror: (id: Int, mirror: KeeperMirror)?
    var (queries, notifications, migrations) = (0, 0, 0)
    while done < count {
      let before = change.world
      var story: [String] = []
      realm.beginWrite()
      for _ in 0...change.random.below(4) {
        story.append(change.apply(realm))
        done += 1
        let isSame = LinkWorld(realm) == change.world
        #expect(isSame, "SEED=\(seed), change \(done): \(story)")
        guard isSame else { return }
      }
      if change.random.oneIn(8) {
        queries += 1
        let problems = change.queryProblems(realm)
        #expect(problems == [], "SEED=\(seed), in change \(done): \(story)")
        guard problems.isEmpty else { return }
      }
      if change.random.oneIn(6) {
        realm.cancelWrite()
        change.world = before
        story.append("cancelled")
      } else {
        try realm.commitWrite()
      }
      let isQueried = change.random.oneIn(4)
      if isQueried { queries += 1 }
      let found = isQueried ? change.queryProblems(realm) : []
      let told = mirror.map { $0.mirror.problems(beside: change.world.keepers[$0.id]) } ?? []
      let problems = try linkProblems(realm) + found + told
      #expect(problems == [], "SEED=\(seed), change \(done): \(story)")
      guard problems.isEmpty else { return }
      if mirror.map({ change.world.keepers[$0.id] == nil }) ?? true || change.random.oneIn(50) {
        notifications += mirror?.mirror.calls ?? 0
        mirror = nil
        if let keeper = realm.objects(Keeper.self).randomElement(using: &change.random) {
          mirror = (keeper.id, KeeperMirror(keeper))
          realm.refresh()
        }
      }
      if change.random.oneIn(40) { frozen.append((realm.freeze(), change.world)) }
      if frozen.count > 3 || (!frozen.isEmpty && change.random.oneIn(60)) {
        let held = frozen.remove(at: change.random.below(frozen.count))
        #expect(LinkWorld(held.realm) == held.world, "SEED=\(seed), change \(done): a frozen realm")
      }
      if change.random.oneIn(100) {
        frozen = []
        notifications += mirror?.mirror.calls ?? 0
        mirror = nil
        realm = nil
        if change.random.oneIn(2) {
          migrations += 1
          let problems = try change.migrate { types, block in
            schemaVersion += 1
            return try open(types, block)
          }
          #expect(problems == [], "SEED=\(seed), change \(done): migrated")
        }
        realm = try open(linkedClasses, nil)
        #expect(LinkWorld(realm) == change.world, "SEED=\(seed), change \(done): opened again")
      }
    }
    let audit = try realm.instance.coordinator.database.audit()
    #expect(audit.violations == [], "SEED=\(seed)")
    #expect(queries > 0 && notifications > 0)
    print(
      "\(done) changes\(isEncrypted ? " of an encrypted file" : ""), \(queries) rounds of queries, "
        + "\(notifications) change sets, \(migrations) migrations, seed \(seed)")
  }

  @Test(
    "a power cut at any sync leaves all objects and links of the last commit, or of the one that was under way"
  )
  func powerCuts() throws {
    let seed = testSeed()
    var random = SeededRandom(seed: seed ^ 0xC0FFEE)
    let volume = FaultyVolume()
    let path: FilePath = "/objects.db"
    let database = try Database.open(path: path, on: volume)
    let realms = try LinkRealms(database)
    var change = LinkWorldChange(LinkWorld(), SeededRandom(seed: seed))
    var problems: [String] = []
    var cuts = 0
    for number in 0..<max(25, stepCount / 40) where problems.isEmpty {
      let before = change.world
      realms.realm.beginWrite()
      var story: [String] = []
      for _ in 0...change.random.below(6) { story.append(change.apply(realms.realm)) }
      let allowed = [before, change.world]
      volume.beforeOperation = { volume, operation, _ in
        guard operation == .sync else { return }
        let states = volume.crashStates()
        for _ in 0..<3 {
          let kept = (0..<states.changeCount).map { _ in random.oneIn(2) }
          cuts += 1
          problems += Self.check(states.volume(unitSize: 512) { kept[$0] }, path, allowed)
        }
        cuts += 1
        problems += Self.check(states.torn(unitSize: 512, random: &random).volume, path, allowed)
      }
      try realms.realm.commitWrite()
      volume.beforeOperation = nil
      cuts += 1
      problems += Self.check(
        volume.crashStates().volume(unitSize: 512) { _ in false }, path, [change.world])
      #expect(problems == [], "SEED=\(seed), commit \(number): \(story)")
    }
    #expect(cuts > 100)
    print("\(cuts) power cuts, seed \(seed)")
  }

  /// Opens what a power cut left, and returns what is wrong with it.
  private static func check(
    _ volume: FaultyVolume, _ path: FilePath, _ allowed: [LinkWorld]
  ) -> [String] {
    do {
      let database = try Database.open(path: path, on: volume)
      defer { try? database.close() }
      var problems = try LinkAudit(database).problems
      let realms = try LinkRealms(database)
      if !allowed.contains(LinkWorld(realms.realm)) {
        problems.append("another state than allowed")
      }
      realms.realm.invalidate()
      return problems
    } catch {
      return ["\(error)"]
    }
  }
}

/// A realm with the classes of these tests over a database that the test has opened.
private struct LinkRealms {
  let realm: Realm

  init(_ database: Database) throws {
    let classes = linkedClasses.map { ($0, ObjectClass.name(of: $0)) }
    realm = try DatabaseRealms(database, name: "objects", classes: classes).unconfined("test")
  }
}
