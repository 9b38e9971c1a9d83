// The thread on which a realm is opened and compacted, and what the caller can do meanwhile.
import Foundation
import TestSupport
import Testing

@testable import ObjectStore

@Suite("The thread that opens")
struct OpeningThreadTests {
  /// A closed file of which most is unused.
  private func makeWastefulFile() throws -> RealmFolder {
    let folder = try RealmFolder()
    let realm = try folder.open([Note.self])
    try realm.write {
      for order in 0..<4000 {
        realm.create(
          Note.self, value: ["text": String(repeating: "x", count: 200), "order": order])
      }
    }
    try realm.write { realm.delete(realm.objects(Note.self)) }
    return folder
  }

  private func size(_ folder: RealmFolder) throws -> Int {
    let facts = try FileManager.default.attributesOfItem(atPath: folder.url().path)
    return try #require(facts[.size] as? Int)
  }

  @Test(
    "a synchronous opening asks the launch block on the calling thread, and has compacted when it returns"
  )
  func synchronous() throws {
    let folder = try makeWastefulFile()
    let before = try size(folder)
    let caller = ObjectIdentifier(Thread.current)
    let isCaller = LockedValue(false)
    let realm = try folder.open([Note.self]) {
      $0.shouldCompactOnLaunch = { _, _ in
        isCaller.withLock { $0 = ObjectIdentifier(Thread.current) == caller }
        return true
      }
    }
    #expect(try size(folder) < before / 2)
    #expect(isCaller.withLock { $0 })
    #expect(realm.objects(Note.self).isEmpty)
  }

  @Test(
    "an asynchronous opening leaves its actor free: the launch block can wait for work of the actor"
  )
  @MainActor
  func asynchronous() async throws {
    let folder = try makeWastefulFile()
    let before = try size(folder)
    let actorHasRun = DispatchSemaphore(value: 0)
    let outcome = LockedValue<DispatchTimeoutResult?>(nil)
    let configuration = folder.configuration([Note.self]) {
      $0.shouldCompactOnLaunch = { _, _ in
        Task { @MainActor in actorHasRun.signal() }
        let result = actorHasRun.wait(timeout: HangGuard.waitEnd)
        outcome.withLock { $0 = result }
        return true
      }
    }
    let realm = try await Realm(configuration: configuration)
    #expect(outcome.withLock { $0 } == .success)
    #expect(try size(folder) < before / 2)
    #expect(realm.objects(Note.self).isEmpty)
  }
}
