// A write begun where one is open already, through another instance of the file: it would wait for itself for ever, and is
// refused. A write from elsewhere waits, as always.
import Foundation
import Testing

@testable import ObjectStore

@Suite("Writes within writes")
struct NestedWriteTests {
  private func failure(_ body: () throws -> Void) -> Realm.Error.Failure? {
    do {
      try body()
      return nil
    } catch { return (error as? Realm.Error)?.failure }
  }

  @Test("a second instance on the thread cannot begin, and can once the first has ended")
  func sameThread() throws {
    let folder = try RealmFolder()
    let realm = try folder.open()
    let other = try folder.open([Note.self])
    #expect(realm != other)
    try realm.write {
      realm.create(Note.self, value: ["text": "a"])
      #expect(failure { try other.write {} } == .wrongTransactionState)
      #expect(misuse { other.beginWrite() } == [.wrongTransactionState])
      #expect(!other.isInWriteTransaction)
    }
    try other.write { other.create(Note.self, value: ["text": "b"]) }
    realm.beginWrite()
    #expect(failure { try other.write {} } == .wrongTransactionState)
    realm.cancelWrite()
    try other.write { other.create(Note.self, value: ["text": "c"]) }
    #expect(other.objects(Note.self).map(\.text) == ["a", "b", "c"])
  }

  @Test("opening with classes that the file does not know is a write, and refused within one")
  func opening() throws {
    let folder = try RealmFolder()
    let realm = try folder.open([Note.self])
    try realm.write {
      #expect(failure { _ = try folder.open([Todo.self]) } == .wrongTransactionState)
      // Nothing is to be written for these.
      #expect(failure { _ = try folder.open([Note.self]) } == nil)
    }
    let other = try folder.open([Todo.self])
    #expect(other.objects(Todo.self).isEmpty)
  }

  @Test("a queue's block is where its realm writes, on whichever thread it runs")
  func queues() throws {
    let folder = try RealmFolder()
    let queue = DispatchQueue(label: "writer")
    let realm = try folder.open()
    try realm.write {
      let inner = queue.sync {
        self.failure {
          try Realm(configuration: folder.configuration(), queue: queue).write {}
        }
      }
      #expect(inner == .wrongTransactionState)
    }
    try queue.sync {
      let own = try Realm(configuration: folder.configuration(), queue: queue)
      try own.write { #expect(failure { try realm.write {} } == .wrongTransactionState) }
    }
    try realm.write { realm.create(Note.self, value: ["text": "a"]) }
  }

  @Test("another thread waits for the open transaction, and then writes")
  func otherThread() throws {
    let folder = try RealmFolder()
    let realm = try folder.open()
    let begins = DispatchSemaphore(value: 0)
    let ends = DispatchSemaphore(value: 0)
    let failed = LockedValue<(any Error)?>(nil)
    let configuration = folder.configuration()
    realm.beginWrite()
    realm.create(Note.self, value: ["text": "first"])
    let thread = Thread {
      do {
        let other = try Realm(configuration: configuration)
        begins.signal()
        try other.write { other.create(Note.self, value: ["text": "second"]) }
      } catch { failed.withLock { $0 = error } }
      ends.signal()
    }
    thread.start()
    begins.wait()
    try realm.commitWrite()
    ends.wait()
    #expect(failed.withLock { $0 } == nil)
    realm.refresh()
    #expect(realm.objects(Note.self).map(\.text) == ["first", "second"])
  }

  @Test("an instance that goes in the middle of its transaction leaves the place to the next")
  func abandoned() throws {
    let folder = try RealmFolder()
    let realm = try folder.open()
    do {
      let other = try folder.open([Note.self])
      other.beginWrite()
      other.create(Note.self, value: ["text": "lost"])
    }
    try realm.write { realm.create(Note.self, value: ["text": "kept"]) }
    #expect(realm.objects(Note.self).map(\.text) == ["kept"])
  }

  private actor Keeper {
    private var realm: Realm!
    private var narrow: Realm!

    func open(_ folder: RealmFolder) async throws {
      realm = try await Realm(configuration: folder.configuration(), actor: self)
      narrow = try await Realm(configuration: folder.configuration([Note.self]), actor: self)
    }

    /// The failures of a write and of an asynchronous one within a transaction that is open over a suspension.
    func writeTwice() async throws -> [Realm.Error.Failure] {
      var failures: [Realm.Error.Failure] = []
      realm.beginWrite()
      await Task.yield()
      do { try narrow.write {} } catch let error as Realm.Error { failures.append(error.failure) }
      do { try await narrow.asyncWrite {} } catch let error as Realm.Error {
        failures.append(error.failure)
      }
      realm.create(Note.self, value: ["text": "a"])
      try realm.commitWrite()
      try await narrow.asyncWrite { _ = narrow.create(Note.self, value: ["text": "b"]) }
      realm.refresh()
      #expect(realm.objects(Note.self).map(\.text) == ["a", "b"])
      return failures
    }
  }

  @Test("a task that has a transaction open on its actor cannot begin another, at once or later")
  func actors() async throws {
    let folder = try RealmFolder()
    let keeper = Keeper()
    try await keeper.open(folder)
    #expect(
      try await keeper.writeTwice() == [.wrongTransactionState, .wrongTransactionState])
    withExtendedLifetime(folder) {}
  }
}
