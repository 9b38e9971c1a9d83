// What an asynchronous write leaves free: the actor, while another writes and while the commit is synced.
import Foundation
import StorageEngine
import SystemIO
import TestSupport
import Testing

@testable import ObjectStore

@Suite("Asynchronous commits")
struct AsyncCommitTests {
  private actor Keeper {
    let disk: SlowDisk
    var realm: Realm!

    init(_ disk: SlowDisk) async throws {
      self.disk = disk
      realm = try await disk.realms.realm(on: self)
    }

    func add(_ text: String) async throws {
      try await realm.asyncWrite { _ = realm.create(Note.self, value: ["text": text]) }
    }

    func addAtOnce(_ text: String) throws {
      try realm.write { _ = realm.create(Note.self, value: ["text": text]) }
    }

    var texts: [String] { realm.objects(Note.self).map(\.text) }
    var isWriting: Bool { realm.isInWriteTransaction }
    func releaseDisk() { disk.release() }

    /// Returns once an asynchronous write waits for the write lock.
    func waitForRequest() async throws {
      while realm.instance.coordinator.writeRequest.withLock({ $0 }) == nil {
        try await Task.sleep(nanoseconds: 1_000_000)
      }
    }

    /// Ends the writer that an asynchronous write waits for, and writes before that write can go on.
    func writeOnceAnotherWaits(_ text: String, _ endOther: @Sendable () -> Void) async throws {
      try await waitForRequest()
      try endOtherAndWrite(text, endOther)
    }

    private func endOtherAndWrite(_ text: String, _ endOther: () -> Void) throws {
      endOther()
      // The request gets the lock, and cannot use it while this job runs.
      Thread.sleep(forTimeInterval: 0.05)
      try addAtOnce(text)
    }
  }

  @Test("while a commit is synced its actor goes on, and sees the version before or the new one")
  func commit() async throws {
    let disk = try SlowDisk()
    let keeper = try await Keeper(disk)
    try await keeper.add("a")
    disk.hold()
    let writing = Task { try await keeper.add("b") }
    try await disk.waitUntilHeld()
    let seen = await keeper.texts
    #expect(seen == ["a"] || seen == ["a", "b"])
    #expect(await !keeper.isWriting)
    await keeper.releaseDisk()
    try await writing.value
    #expect(await keeper.texts == ["a", "b"])
  }

  @Test("a synchronous write of the same actor waits for the commit, and loses nothing")
  func writeDuringCommit() async throws {
    let disk = try SlowDisk()
    let keeper = try await Keeper(disk)
    disk.hold()
    let writing = Task { try await keeper.add("a") }
    try await disk.waitUntilHeld()
    disk.releaseSoon()
    try await keeper.addAtOnce("b")
    try await writing.value
    #expect(await keeper.texts == ["a", "b"])
  }

  @Test("a commit that fails throws to its writer alone, and leaves the version before")
  func failedCommit() async throws {
    let disk = try SlowDisk()
    let keeper = try await Keeper(disk)
    try await keeper.add("a")
    disk.failNextSync()
    await #expect(throws: Realm.Error.self) { try await keeper.add("b") }
    #expect(await keeper.texts == ["a"])
    #expect(await !keeper.isWriting)
  }

  @Test(
    "a synchronous write while an asynchronous one waits for its actor does not wait for it in turn"
  )
  func writeDuringWait() async throws {
    let disk = try SlowDisk()
    let keeper = try await Keeper(disk)
    let blocker = UnsafeTransfer(try disk.database.beginWrite())
    let writing = Task { try await keeper.add("b") }
    try await keeper.writeOnceAnotherWaits("a") { blocker.take().rollBack() }
    try await writing.value
    #expect(await keeper.texts == ["a", "b"])
  }

  @Test("a write that is cancelled while it waits, for another writer or for its turn, is not made")
  func cancellation() async throws {
    let disk = try SlowDisk()
    let keeper = try await Keeper(disk)
    let blocker = try disk.database.beginWrite()
    let first = Task { try await keeper.add("a") }
    try await keeper.waitForRequest()
    let second = Task { try await keeper.add("b") }
    second.cancel()
    await #expect(throws: CancellationError.self) { try await second.value }
    first.cancel()
    await #expect(throws: CancellationError.self) { try await first.value }
    blocker.rollBack()
    try await keeper.add("c")
    #expect(await keeper.texts == ["c"])
  }

  @Test(
    "a class that an asynchronous write creates is there after it, and not after one that fails")
  func newClass() async throws {
    let folder = try RealmFolder()
    try await Self.createClass(folder)
  }

  @MainActor
  private static func createClass(_ folder: RealmFolder) async throws {
    let realm = try await Realm(configuration: folder.configuration(nil))
    struct Stop: Error {}
    await #expect(throws: Stop.self) {
      try await realm.asyncWrite {
        realm.create(Note.self, value: ["text": "lost"])
        throw Stop()
      }
    }
    #expect(realm.objects(Note.self).isEmpty)
    let note = try await realm.asyncWrite { realm.create(Note.self, value: ["text": "kept"]) }
    #expect(note.text == "kept")
    #expect(realm.objects(Note.self).map(\.text) == ["kept"])
  }

  @Test("observers are told of an asynchronous write once")
  @MainActor
  func observers() async throws {
    let folder = try RealmFolder()
    let realm = try await Realm(configuration: folder.configuration())
    let notes = realm.objects(Note.self)
    var deliveries: [[Int]] = []
    let token = notes.observe { change in
      if case .update(_, let deleted, let inserted, let modified) = change {
        deliveries.append([deleted.count, inserted.count, modified.count])
      }
    }
    realm.refresh()
    try await realm.asyncWrite { realm.create(Note.self, value: ["text": "a"]) }
    try await realm.asyncWrite { notes[0].text = "b" }
    realm.refresh()
    #expect(deliveries == [[0, 1, 0], [0, 0, 1]])
    token.invalidate()
  }

  @Test("a realm of a thread is not written asynchronously: its caller may continue on another one")
  func threadConfined() async throws {
    let folder = try RealmFolder()
    func open() throws -> Realm { try folder.open() }
    let realm = try open()
    do {
      try await realm.asyncWrite { _ = realm.create(Note.self, value: ["text": "a"]) }
      Issue.record("A realm of a thread was written asynchronously.")
    } catch { #expect((error as? Realm.Error)?.failure == .incorrectThread) }
  }
}
