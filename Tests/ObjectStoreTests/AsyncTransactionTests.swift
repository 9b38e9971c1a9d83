// Asynchronous transactions and openings by callbacks, and references to results.
import Foundation
import StorageEngine
import TestSupport
import Testing

@testable import ObjectStore

/// A realm on a serial queue.
private final class QueueRealm: @unchecked Sendable {
  let disk: SlowDisk
  let queue = DispatchQueue(label: "async transactions")
  private let realm: Realm

  init() throws {
    disk = try SlowDisk()
    realm = try disk.realms.realm(on: queue)
  }

  func sync<Result>(_ body: (Realm) throws -> Result) rethrows -> Result {
    try queue.sync { try body(realm) }
  }

  var texts: [String] { sync { $0.objects(Note.self).map(\.text) } }

  /// Writes asynchronously, and returns the error that is reported at the end.
  func writeAsync(_ body: @escaping @Sendable (Realm) -> Void) async -> (any Error)? {
    await withCheckedContinuation { waiting in
      sync { realm in
        _ = realm.writeAsync({ body(realm) }, onComplete: { waiting.resume(returning: $0) })
      }
    }
  }
}

@Suite("Asynchronous transactions")
struct AsyncTransactionTests {
  private static func add(_ text: String) -> @Sendable (Realm) -> Void {
    { realm in realm.create(Note.self, value: ["text": text]) }
  }

  @Test("writeAsync runs its block on the queue, commits, and reports the end there")
  func writeAsync() async throws {
    let realm = try QueueRealm()
    let error = await realm.writeAsync { open in
      dispatchPrecondition(condition: .onQueue(realm.queue))
      #expect(open.isInWriteTransaction)
      #expect(open.isPerformingAsynchronousWriteOperations || open.isInWriteTransaction)
      open.create(Note.self, value: ["text": "a"])
    }
    #expect(error == nil)
    #expect(realm.texts == ["a"])
    #expect(realm.sync { !$0.isPerformingAsynchronousWriteOperations })
  }

  @Test("transactions run in the order in which they were begun")
  func order() async throws {
    let realm = try QueueRealm()
    let added = LockedValue<[Int]>([])
    await withCheckedContinuation { waiting in
      realm.sync { open in
        for number in 0..<10 {
          open.writeAsync(
            {
              open.create(Note.self, value: ["text": "\(number)"])
              added.withLock { $0.append(number) }
            }, onComplete: { _ in if number == 9 { waiting.resume() } })
        }
        #expect(open.isPerformingAsynchronousWriteOperations)
      }
    }
    #expect(added.withLock { $0 } == Array(0..<10))
    #expect(realm.texts == (0..<10).map { "\($0)" })
  }

  @Test("while a commit is synced the queue goes on")
  func commit() async throws {
    let realm = try QueueRealm()
    realm.disk.hold()
    async let error = realm.writeAsync(Self.add("a"))
    try await realm.disk.waitUntilHeld()
    #expect(realm.sync { !$0.isInWriteTransaction && $0.isPerformingAsynchronousWriteOperations })
    realm.queue.async { realm.disk.release() }
    #expect(await error == nil)
    #expect(realm.texts == ["a"])
  }

  @Test("a realm that is invalidated while its commit is synced holds no version afterwards")
  func invalidation() async throws {
    let realm = try QueueRealm()
    realm.disk.hold()
    async let error = realm.writeAsync(Self.add("a"))
    try await realm.disk.waitUntilHeld()
    realm.sync { $0.invalidate() }
    realm.disk.release()
    #expect(await error == nil)
    #expect(realm.disk.database.oldestPins() == [])
    #expect(realm.texts == ["a"])
  }

  @Test(
    "a transaction that is cancelled before it begins does not run; one that has ended cannot be cancelled"
  )
  func cancellation() async throws {
    let realm = try QueueRealm()
    let blocker = try realm.disk.database.beginWrite()
    let identifiers = realm.sync { open in
      (0..<3).map { number in
        open.beginAsyncWrite {
          Issue.record("A cancelled transaction ran: \(number).")
        }
      }
    }
    #expect(Set(identifiers).count == 3)
    try realm.sync { open in for id in identifiers { try open.cancelAsyncWrite(id) } }
    blocker.rollBack()
    #expect(await realm.writeAsync(Self.add("a")) == nil)
    let error = #expect(throws: Realm.Error.self) {
      try realm.sync { try $0.cancelAsyncWrite(identifiers[0]) }
    }
    #expect(error?.failure == .invalidInput)
    #expect(realm.texts == ["a"])
  }

  @Test(
    "what a block does not commit is undone, and a commit that is cancelled is made without a report"
  )
  func blocks() async throws {
    let realm = try QueueRealm()
    realm.sync { open in
      _ = open.beginAsyncWrite { open.create(Note.self, value: ["text": "lost"]) }
      _ = open.beginAsyncWrite {
        open.create(Note.self, value: ["text": "a"])
        let id = open.commitAsyncWrite { _ in Issue.record("A cancelled report was made.") }
        do { try open.cancelAsyncWrite(id) } catch { Issue.record(error) }
      }
    }
    #expect(await realm.writeAsync(Self.add("b")) == nil)
    #expect(realm.texts == ["a", "b"])
    #expect(misuse { realm.sync { _ = $0.commitAsyncWrite() } } == [.wrongTransactionState])
  }

  @Test(
    "a transaction that was begun synchronously may be committed asynchronously, and a failure is reported"
  )
  func failure() async throws {
    let realm = try QueueRealm()
    func write(_ text: String) async -> (any Error)? {
      await withCheckedContinuation { waiting in
        realm.sync { open in
          open.beginWrite()
          open.create(Note.self, value: ["text": text])
          open.commitAsyncWrite { waiting.resume(returning: $0) }
        }
      }
    }
    #expect(await write("a") == nil)
    realm.disk.failNextSync()
    #expect((await write("b") as? Realm.Error)?.failure == .fileOperationFailed)
    #expect(realm.texts == ["a"])
  }

  @Test(
    "a thread without a run loop, a frozen realm and a read-only one begin no asynchronous transaction"
  )
  func refusals() throws {
    let folder = try RealmFolder()
    let found = try onAnotherThread {
      let realm = try folder.open()
      return misuse {
        realm.writeAsync {}
        realm.freeze().beginAsyncWrite {}
      }
    }
    #expect(found == [.incorrectThread, .frozen])
    let realm = try folder.open { $0.readOnly = true }
    #expect(misuse { realm.writeAsync {} } == [.readOnly])
  }

  @Test(
    "a transaction whose thread has ended does not run, and leaves the write lock to others",
    .timeLimit(.minutes(HangGuard.minutes)))
  func endedThread() async throws {
    let folder = try RealmFolder()
    let reference = try CoordinatorRegistry.reference(folder.configuration())
    // With its class in the file, so that the openings below need no lock.
    try onAnotherThread { _ = try folder.open([Note.self]) }
    let blocker = try reference.coordinator.database.beginWrite()
    try onAnotherThread {
      let realm = UnsafeTransfer(try folder.open([Note.self]))
      RunLoop.current.perform {
        for _ in 0..<2 {
          realm.take().writeAsync { Issue.record("The block ran after the run loop.") }
        }
      }
      _ = RunLoop.current.run(mode: .default, before: Date())
    }
    blocker.rollBack()
    let queue = DispatchQueue(label: "another writer")
    let error: (any Error)? = await withCheckedContinuation { waiting in
      queue.async {
        do {
          let realm = try Realm(configuration: folder.configuration([Note.self]), queue: queue)
          realm.writeAsync(
            { realm.create(Note.self, value: ["text": "a"]) },
            onComplete: { waiting.resume(returning: $0) })
        } catch { waiting.resume(returning: error) }
      }
    }
    #expect(error == nil)
    #expect(try folder.open([Note.self]).objects(Note.self).map(\.text) == ["a"])
  }

  @Test("asyncOpen returns a realm of the queue; a cancelled one reports it")
  func opening() async throws {
    let folder = try RealmFolder()
    let queue = DispatchQueue(label: "opening")
    let count: Int = try await withCheckedThrowingContinuation { waiting in
      Realm.asyncOpen(configuration: folder.configuration(), callbackQueue: queue) { opened in
        waiting.resume(
          with: Result {
            let realm = try opened.get()
            try realm.write { _ = realm.create(Note.self, value: ["text": "a"]) }
            return realm.objects(Note.self).count
          })
      }
    }
    #expect(count == 1)
    let isCancelled: Bool = await withCheckedContinuation { waiting in
      queue.sync {
        let task = Realm.asyncOpen(configuration: folder.configuration(), callbackQueue: queue) {
          if case .failure(is CancellationError) = $0 {
            waiting.resume(returning: true)
          } else {
            waiting.resume(returning: false)
          }
        }
        task.cancel()
      }
    }
    #expect(isCancelled)
  }

  @Test(
    "results are passed to another thread with their condition and order, once, and pin their version until then"
  )
  func references() throws {
    let folder = try RealmFolder()
    let realm = try folder.open()
    try realm.write {
      for order in 0..<10 { realm.create(Note.self, value: ["text": "\(order)", "order": order]) }
    }
    let results = realm.objects(Note.self).where { $0.order >= 6 }.sorted(
      by: \.order, ascending: false)
    let reference = ThreadSafeReference(to: results)
    func pins() -> [String] {
      realm.instance.coordinator.database.oldestPins().map(\.label).filter {
        $0.hasPrefix("thread-safe")
      }
    }
    #expect(pins() == ["thread-safe reference to results of Note"])
    let texts = try onAnotherThread {
      let other = try folder.open()
      let found = other.resolve(reference)
      let again = misuse { _ = other.resolve(reference) }
      #expect(again == [.invalidValue])
      return found?.map(\.text)
    }
    #expect(texts == ["9", "8", "7", "6"])
    #expect(reference.isInvalidated)
    #expect(pins() == [])
    try realm.write {
      #expect(misuse { _ = ThreadSafeReference(to: results) } == [.invalidValue])
    }
  }
}
