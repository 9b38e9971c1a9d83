// Opening and writing from actors: isolated to the actor, and without its thread being blocked.
import Foundation
import StorageEngine
import Testing

@testable import ObjectStore

@Suite("Actors")
struct AsyncTests {
  @Test(
    "a realm that is opened asynchronously belongs to the main actor, and is the one of the main thread"
  )
  @MainActor
  func mainActor() async throws {
    let folder = try RealmFolder()
    let realm = try await Realm(configuration: folder.configuration())
    try await realm.asyncWrite { realm.create(Note.self, value: ["text": "a"]) }
    #expect(realm.objects(Note.self).count == 1)
    #expect(
      try await Realm(configuration: folder.configuration(), actor: MainActor.shared) == realm)
    let here: () throws -> Realm = { try Realm(configuration: folder.configuration()) }
    #expect(try here() == realm)
    #expect(realm.openingTimes != nil)
    #expect(try onAnotherThread { try folder.open().openingTimes == nil })
    let elsewhere = try onAnotherThread { misuse { _ = realm.objects(Note.self).count } }
    #expect(elsewhere == [.incorrectThread])
  }

  actor Keeper {
    var realm: Realm!

    init(_ configuration: Realm.Configuration) async throws {
      realm = try await Realm(configuration: configuration, actor: self)
    }

    func add(_ text: String) async throws {
      try await realm.asyncWrite { _ = realm.create(Note.self, value: ["text": text]) }
    }

    func texts() -> [String] { realm.objects(Note.self).map(\.text) }

    func fail() async throws {
      struct Stop: Error {}
      try await realm.asyncWrite {
        realm.deleteAll()
        throw Stop()
      }
    }

    func pins() -> [String] { realm.instance.coordinator.database.oldestPins().map(\.label) }

    func close() { realm = nil }
  }

  @Test(
    "an actor's realm is used across suspensions; a write that throws is undone; closing it ends its pin"
  )
  func localActor() async throws {
    let folder = try RealmFolder()
    let keeper = try await Keeper(folder.configuration())
    try await keeper.add("a")
    try await keeper.add("b")
    #expect(await keeper.texts() == ["a", "b"])
    await #expect(throws: (any Error).self) { try await keeper.fail() }
    #expect(await keeper.texts() == ["a", "b"])
    #expect(await keeper.pins().map { $0.hasSuffix("actor Keeper") } == [true])
    await keeper.close()
    #expect(try Realm.deleteFiles(for: folder.configuration()))
  }

  @Test("many actors that write at once lose nothing")
  func manyWriters() async throws {
    let folder = try RealmFolder()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<4 {
        group.addTask {
          let keeper = try await Keeper(folder.configuration())
          for round in 0..<5 { try await keeper.add("\(number).\(round)") }
        }
      }
      try await group.waitForAll()
    }
    let keeper = try await Keeper(folder.configuration())
    #expect(await Set(keeper.texts()).count == 20)
  }

  @Test("an asynchronous write waits for a writer of another thread without blocking the actor")
  @MainActor
  func waiting() async throws {
    let folder = try RealmFolder()
    let realm = try await Realm(configuration: folder.configuration())
    let transaction = try realm.instance.coordinator.database.beginWrite()
    let handover = UnsafeTransfer(transaction)
    // Begins on this actor's thread, which the wait of the write below must leave free for it to run at all.
    Task { @MainActor in handover.take().rollBack() }
    try await realm.asyncWrite { realm.create(Note.self, value: ["text": "a"]) }
    #expect(realm.objects(Note.self).count == 1)
  }

  @Test("the first asynchronous opening compacts, where the configuration says so")
  @MainActor
  func compaction() async throws {
    let folder = try RealmFolder()
    do {
      let realm = try await Realm(configuration: folder.configuration())
      try await realm.asyncWrite {
        for order in 0..<4000 {
          realm.create(
            Note.self, value: ["text": String(repeating: "x", count: 200), "order": order])
        }
      }
      try await realm.asyncWrite { realm.delete(realm.objects(Note.self)) }
    }
    let realm = try await Realm(
      configuration: folder.configuration(nil) { $0.shouldCompactOnLaunch = { _, _ in true } })
    guard
      case .compacted(let before, let after, _) = realm.instance.coordinator.database.launchOutcome
    else {
      Issue.record("\(realm.instance.coordinator.database.launchOutcome)")
      return
    }
    #expect(after.totalBytes < before.totalBytes / 2)
  }

  @Test("openings of one actor at the same time return one instance")
  @MainActor
  func openingsAtOnce() async throws {
    let folder = try RealmFolder()
    var realms: [Realm] = []
    let openings = (0..<8).map { _ in
      Task { @MainActor in realms.append(try await Realm(configuration: folder.configuration())) }
    }
    for opening in openings { try await opening.value }
    #expect(realms.count == 8)
    #expect(realms.allSatisfy { $0 == realms[0] })
  }
}
