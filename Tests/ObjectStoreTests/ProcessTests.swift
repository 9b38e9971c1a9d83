// A realm that another process has open as well: one that was started, works through the same API, and may be killed.
import Foundation
import StorageEngine
import SystemIO
import TestSupport
import Testing

@testable import ObjectStore

/// The other process, which ends with the object.
private final class OtherProcess {
  private let process: InteractiveProcess

  /// Has it open the file.
  convenience init(_ url: URL) throws {
    try self.init()
    try ask("open \(url.path)")
  }

  init() throws {
    process = try InteractiveProcess(Repository.program("realm-process"), arguments: [])
  }

  func answer(_ line: String) throws -> String {
    try #require(process.ask(line), "the other process is gone")
  }

  /// What it answers; an error of its own fails the test.
  @discardableResult
  func ask(_ line: String) throws -> String {
    let answer = try answer(line)
    try #require(answer.hasPrefix("ok"), "\(line): \(answer)")
    return answer.dropFirst(3).description
  }

  var number: Int32 { process.processID }

  func kill() {
    _ = Foundation.kill(process.processID, SIGKILL)
    _ = process.wait()
  }
}

@Suite("Another process")
struct ProcessTests {
  private func size(_ url: URL) throws -> Int {
    try #require(FileManager.default.attributesOfItem(atPath: url.path)[.size] as? Int)
  }

  private func database(_ realm: Realm) -> Database { realm.instance.coordinator.database }

  /// A closed file of which most is unused.
  private func wasteful(_ folder: RealmFolder) throws {
    let realm = try folder.open([Note.self])
    try realm.write {
      for order in 0..<4000 {
        realm.create(
          Note.self, value: ["text": String(repeating: "x", count: 200), "order": order])
      }
    }
    try realm.write { realm.delete(realm.objects(Note.self).where { $0.order >= 100 }) }
  }

  @Test("while another process has the file the launch block is asked, and a yes is skipped")
  func compactionSkipped() throws {
    let folder = try RealmFolder()
    try wasteful(folder)
    let before = try size(folder.url())
    let asked = LockedValue(0)
    func open() throws -> LaunchCompaction {
      let realm = try folder.open([Note.self]) {
        $0.shouldCompactOnLaunch = { _, _ in
          asked.withLock { $0 += 1 }
          return true
        }
      }
      return database(realm).launchOutcome
    }
    let other = try OtherProcess(folder.url())
    guard case .skipped(_, let skip) = try open() else {
      Issue.record("the file was compacted under another process")
      return
    }
    #expect(skip.description.contains("\(other.number)"), "\(skip.description)")
    #expect(asked.withLock { $0 } == 1)
    #expect(try size(folder.url()) == before)
    #expect(try other.ask("count") == "100")
    try other.ask("close")
    guard case .compacted = try open() else {
      Issue.record("no process has the file open")
      return
    }
    #expect(asked.withLock { $0 } == 2)
    #expect(try size(folder.url()) < before / 2)
  }

  @Test(
    "while another process writes the launch block is asked, a yes is skipped, and no process waits"
  )
  func compactionBesideWriter() throws {
    let folder = try RealmFolder()
    try wasteful(folder)
    let before = try size(folder.url())
    let other = try OtherProcess(folder.url())
    try other.ask("begin")
    let asked = LockedValue(0)
    let realm = try folder.open([Note.self]) {
      $0.shouldCompactOnLaunch = { _, _ in
        asked.withLock { $0 += 1 }
        return true
      }
    }
    guard case .skipped = database(realm).launchOutcome else {
      Issue.record("\(database(realm).launchOutcome)")
      return
    }
    #expect(asked.withLock { $0 } == 1)
    #expect(realm.objects(Note.self).count == 100)
    #expect(try size(folder.url()) == before)
    try other.ask("commit")
  }

  @Test("files are not deleted while another process has them, and are once it has closed them")
  func deleteFiles() throws {
    let folder = try RealmFolder()
    try wasteful(folder)
    let configuration = folder.configuration([Note.self])
    let other = try OtherProcess(folder.url())
    do {
      try Realm.deleteFiles(for: configuration)
      Issue.record("the files were deleted")
    } catch Realm.Error.alreadyOpen {}
    #expect(try other.ask("count") == "100")
    try other.ask("add after the refusal")
    try other.ask("close")
    #expect(try folder.open([Note.self]).objects(Note.self).count == 101)
    #expect(try Realm.deleteFiles(for: configuration))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.root.path) == [])
  }

  @Test(
    "an encrypted file belongs to one process at a time, and no other process deletes it, with or without the key"
  )
  func encrypted() throws {
    let folder = try RealmFolder()
    let key = Data(repeating: 7, count: 64)
    let other = try OtherProcess()
    try other.ask("open-encrypted \(folder.url().path)")
    try other.ask("add secret")
    for key in [key, nil, Data(count: 64)] {
      let configuration = folder.configuration([Note.self]) { $0.encryptionKey = key }
      #expect(throws: Realm.Error.self) { try Realm(configuration: configuration) }
      do {
        try Realm.deleteFiles(for: configuration)
        Issue.record("the files were deleted")
      } catch Realm.Error.alreadyOpen {}
    }
    try other.ask("add another")
    try other.ask("close")
    let realm = try folder.open([Note.self]) { $0.encryptionKey = key }
    #expect(realm.objects(Note.self).map(\.text) == ["secret", "another"])
  }

  @Test("what another process commits is seen after refresh, and by the next write, and not before")
  func commits() throws {
    let folder = try RealmFolder()
    let realm = try folder.open([Note.self])
    let other = try OtherProcess(folder.url())
    #expect(realm.objects(Note.self).isEmpty)
    #expect(try other.ask("count") == "0")
    try other.ask("add theirs")
    #expect(realm.objects(Note.self).isEmpty)
    #expect(realm.refresh())
    #expect(!realm.refresh())
    #expect(realm.objects(Note.self).map(\.text) == ["theirs"])
    try other.ask("add theirs too")
    try realm.write {
      #expect(realm.objects(Note.self).count == 2)
      realm.create(Note.self, value: ["text": "ours"])
    }
    #expect(try other.ask("count") == "2")
    #expect(try other.ask("refresh") == "true")
    #expect(try other.ask("count") == "3")
  }

  @Test("a realm that is read only and a writer in another process exclude each other")
  func readOnly() throws {
    let folder = try RealmFolder()
    try wasteful(folder)
    let other = try OtherProcess()
    let refusal = "error \(Realm.Error.Failure.alreadyOpen.rawValue) "
    do {
      let realm = try folder.open([Note.self]) { $0.readOnly = true }
      #expect(realm.objects(Note.self).count == 100)
      #expect(try other.answer("open \(folder.url().path)").hasPrefix(refusal))
    }
    try other.ask("open \(folder.url().path)")
    try other.ask("add while it is open there")
    do {
      _ = try folder.open([Note.self]) { $0.readOnly = true }
      Issue.record("opened for reading only beside a writer")
    } catch Realm.Error.alreadyOpen {}
    try other.ask("close")
    let realm = try folder.open([Note.self]) { $0.readOnly = true }
    #expect(realm.objects(Note.self).count == 101)
  }

  @Test("a version that another process holds is kept to the byte, and is free once it was killed")
  func killedHolder() throws {
    let folder = try RealmFolder()
    let realm = try folder.open([Note.self])
    realm.autorefresh = false
    try realm.write {
      for order in 0..<500 {
        realm.create(Note.self, value: ["text": "some text", "order": order])
      }
    }
    realm.invalidate()
    func write() throws {
      try realm.write { for note in realm.objects(Note.self) { note.order += 1 } }
      realm.invalidate()
    }
    let other = try OtherProcess(folder.url())
    #expect(try other.ask("count") == "500")
    for _ in 0..<5 { try write() }
    let pin = try #require(database(realm).oldestPins().first)
    #expect(pin.label == "live realm test.realm, main")
    #expect(pin.process == other.number)
    #expect(pin.exclusive > 0)
    #expect(database(realm).usage().pinned == pin.exclusive)
    other.kill()
    try write()
    #expect(database(realm).oldestPins() == [])
    #expect(database(realm).usage().pinned == 0)
  }
}
