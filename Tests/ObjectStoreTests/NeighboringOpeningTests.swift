// Openings beside others of the same file in this process, and openings and deletions that are refused: those change nothing.
import Foundation
import StorageEngine
import SystemIO
import TestSupport
import Testing

@testable import ObjectStore

@Suite("Openings beside others")
struct NeighboringOpeningTests {
  private func failure(_ body: () throws -> Void) -> Realm.Error.Failure? {
    do {
      try body()
      return nil
    } catch { return (error as? Realm.Error)?.failure }
  }

  @Test("realms of one thread with different classes are found again, each by its own")
  func differentClasses() throws {
    let folder = try RealmFolder()
    let notes = try folder.open([Note.self])
    let todos = try folder.open([Todo.self])
    #expect(notes != todos)
    #expect(try folder.open([Note.self]) == notes)
    #expect(try folder.open([Todo.self]) == todos)
  }

  @Test(
    "no migration begins while a realm is live, also if one with other classes was opened since")
  func migration() throws {
    let folder = try RealmFolder()
    let realm = try folder.open([Note.self])
    try realm.write { realm.create(Note.self, value: ["text": "a"]) }
    do {
      let other = try folder.open([Note.self, Todo.self])
      #expect(other.objects(Note.self).count == 1)
    }
    let found = failure {
      _ = try folder.open([Note.self]) {
        $0.schemaVersion = 1
        $0.migrationBlock = { _, _ in Issue.record("The file was migrated under a live realm.") }
      }
    }
    #expect(found == .alreadyOpen)
    #expect(realm.objects(Note.self).map(\.text) == ["a"])
  }

  @Test("two realms of a queue with different classes both move after a commit")
  func autorefresh() throws {
    let folder = try RealmFolder()
    let queue = DispatchQueue(label: "two realms")
    let realms = try queue.sync {
      let types: [[ObjectBase.Type]] = [[Note.self], [Note.self, Todo.self]]
      return UnsafeTransfer(
        try types.map { try Realm(configuration: folder.configuration($0), queue: queue) })
    }
    func counts() -> [Int] { queue.sync { realms.take().map { $0.objects(Note.self).count } } }
    #expect(counts() == [0, 0])
    try onAnotherThread {
      let realm = try folder.open()
      try realm.write { _ = realm.create(Note.self, value: ["text": "a"]) }
    }
    // A block of its own is behind those that move the realms.
    queue.sync {}
    #expect(counts() == [1, 1])
  }

  @Test("opening for a queue outside of its blocks creates no file and migrates none")
  func outsideOfQueue() throws {
    let folder = try RealmFolder()
    let queue = DispatchQueue(label: "elsewhere")
    let configuration = folder.configuration([Note.self]) {
      $0.schemaVersion = 1
      $0.migrationBlock = { _, _ in Issue.record("A refused opening migrated the file.") }
    }
    #expect(
      failure { _ = try Realm(configuration: configuration, queue: queue) } == .incorrectThread)
    #expect(!Realm.fileExists(for: configuration))
    do {
      let realm = try folder.open([Note.self])
      try realm.write { realm.create(Note.self, value: ["text": "a"]) }
    }
    let before = try Data(contentsOf: folder.url())
    #expect(
      failure { _ = try Realm(configuration: configuration, queue: queue) } == .incorrectThread)
    #expect(try Data(contentsOf: folder.url()) == before)
  }

  @Test(
    "an opening that creates a class does not wait for an asynchronous write that waits for its queue",
    .timeLimit(.minutes(HangGuard.minutes)))
  func besideAsynchronousWrite() async throws {
    let folder = try RealmFolder()
    let queue = DispatchQueue(label: "writer")
    let texts: [String] = try await withCheckedThrowingContinuation { waiting in
      queue.async {
        let realm: Realm
        do {
          realm = try Realm(configuration: folder.configuration([Note.self]), queue: queue)
        } catch { return waiting.resume(throwing: error) }
        realm.writeAsync(
          { realm.create(Note.self, value: ["text": "a"]) },
          onComplete: { error in
            #expect(error == nil)
            waiting.resume(returning: realm.objects(Note.self).map(\.text))
          })
        // The request gets the lock, and cannot use it while this block runs.
        Thread.sleep(forTimeInterval: 0.05)
        do {
          let other = try Realm(configuration: folder.configuration([Todo.self]), queue: queue)
          #expect(other.objects(Todo.self).isEmpty)
        } catch { Issue.record(error) }
      }
    }
    #expect(texts == ["a"])
  }

  @Test("a file is opened once in a process, whichever links lead to it, also when it is created")
  func links() throws {
    let folder = try RealmFolder()
    let files = FileManager.default
    try files.createDirectory(at: folder.url("real"), withIntermediateDirectories: false)
    try files.createSymbolicLink(at: folder.url("link"), withDestinationURL: folder.url("real"))
    let first = try folder.open([Note.self], "link/new/test.realm")
    let second = try folder.open([Note.self], "real/new/test.realm")
    #expect(first == second)
    #expect(try folder.open([Note.self], "link/new/test.realm") == first)
    try first.write {
      #expect(failure { _ = try second.write {} } == .wrongTransactionState)
    }
  }

  @Test("deleting the files of a realm deletes no folder, whatever its name")
  func folders() throws {
    let folder = try RealmFolder()
    let files = FileManager.default
    for name in ["test.realm", "other.realm.lock"] {
      let inner = folder.url("\(name)/kept.txt")
      try files.createDirectory(
        at: inner.deletingLastPathComponent(), withIntermediateDirectories: false)
      try Data("kept".utf8).write(to: inner)
      let configuration = folder.configuration([Note.self], String(name.prefix(10)))
      if name == "test.realm" {
        #expect(failure { try Realm.deleteFiles(for: configuration) } != nil)
      } else {
        try Data("no realm".utf8).write(to: folder.url("other.realm"))
        _ = try? Realm.deleteFiles(for: folder.configuration([Note.self], "other.realm"))
      }
      #expect(try Data(contentsOf: inner) == Data("kept".utf8))
    }
  }

  @Test(
    "a file that may not be locked is not deleted: it could be in use",
    .enabled(if: geteuid() != 0, "permissions do not bind root"))
  func unlockable() throws {
    let folder = try RealmFolder()
    _ = try folder.open([Note.self])
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o000], ofItemAtPath: folder.url().path)
    let configuration = folder.configuration([Note.self])
    #expect(failure { try Realm.deleteFiles(for: configuration) } == .filePermissionDenied)
    #expect(Realm.fileExists(for: configuration))
  }
}
