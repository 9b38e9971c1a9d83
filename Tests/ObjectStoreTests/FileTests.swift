// The realm's file: when it is compacted, copied, deleted, seeded, and who has it.
import Foundation
import StorageEngine
import SystemIO
import Testing

@testable import ObjectStore

@Suite("Files")
struct FileTests {
  private func size(_ url: URL) throws -> Int {
    try #require(FileManager.default.attributesOfItem(atPath: url.path)[.size] as? Int)
  }

  /// A file of which most is unused.
  private func wasteful(_ folder: RealmFolder) throws {
    let realm = try folder.open { $0.maximumNumberOfActiveVersions = nil }
    try realm.write {
      for order in 0..<4000 {
        realm.create(
          Note.self, value: ["text": String(repeating: "x", count: 200), "order": order])
      }
    }
    try realm.write { realm.delete(realm.objects(Note.self).where { $0.order >= 100 }) }
  }

  private final class Asked: @unchecked Sendable {
    let calls = LockedValue<[(Int, Int)]>([])
    func note(_ total: Int, _ used: Int) { calls.withLock { $0.append((total, used)) } }
    var all: [(Int, Int)] { calls.withLock { $0 } }
  }

  @Test(
    "the launch block is asked with the file's bytes and those in use, at the process's first opening only"
  )
  func compactOnLaunch() throws {
    let folder = try RealmFolder()
    try wasteful(folder)
    let before = try size(folder.url())
    let asked = Asked()
    let realm = try folder.open {
      $0.shouldCompactOnLaunch = { total, used in
        asked.note(total, used)
        return Double(used) / Double(total) < 0.5
      }
    }
    #expect(asked.all.count == 1)
    #expect(asked.all[0].0 == before)
    #expect(asked.all[0].1 < before / 2)
    #expect(try size(folder.url()) < before / 2)
    #expect(realm.objects(Note.self).count == 100)
    let again = try onAnotherThread {
      try folder.open {
        $0.shouldCompactOnLaunch = {
          asked.note($0, $1)
          return true
        }
      }
      .objects(Note.self).count
    }
    #expect(again == 100)
    #expect(asked.all.count == 1)
  }

  @Test("a block that says no leaves the file as it is; it is asked with the exact bytes in use")
  func declined() throws {
    let folder = try RealmFolder()
    try wasteful(folder)
    let before = try size(folder.url())
    let asked = Asked()
    let realm = try folder.open {
      $0.shouldCompactOnLaunch = {
        asked.note($0, $1)
        return false
      }
    }
    let database = realm.instance.coordinator.database
    #expect(database.launchOutcome.skip != nil)
    #expect(try size(folder.url()) == before)
    let account = try database.audit().account
    #expect(asked.all.map(\.1) == [account.live + account.overhead])
  }

  @Test("while another opening has the file the block may say yes and the file stays as it is")
  func openElsewhere() throws {
    let folder = try RealmFolder()
    try wasteful(folder)
    let before = try size(folder.url())
    // An opening of its own stands for another process: the two share nothing but the files.
    let other = try Database.open(path: FilePath(folder.url().path))
    let realm = try folder.open { $0.shouldCompactOnLaunch = { _, _ in true } }
    guard case .skipped = realm.instance.coordinator.database.launchOutcome else {
      Issue.record("\(realm.instance.coordinator.database.launchOutcome)")
      return
    }
    #expect(try size(folder.url()) == before)
    try other.close()
  }

  @Test("a copy is compacted, has what the realm has, and never replaces a file")
  func writeCopy() throws {
    let folder = try RealmFolder()
    try wasteful(folder)
    let realm = try folder.open()
    let key = Data((0..<64).map { UInt8($0) })
    try realm.writeCopy(toFile: folder.url("copy.realm"))
    try realm.writeCopy(toFile: folder.url("sealed.realm"), encryptionKey: key)
    #expect(try size(folder.url("copy.realm")) < size(folder.url()) / 2)
    #expect(throws: Realm.Error.self) { try realm.writeCopy(toFile: folder.url("copy.realm")) }
    let plain = try folder.open([Note.self], "copy.realm")
    #expect(plain.objects(Note.self).map(\.order) == realm.objects(Note.self).map(\.order))
    let sealed = try folder.open([Note.self], "sealed.realm") { $0.encryptionKey = key }
    #expect(sealed.objects(Note.self).count == 100)
  }

  @Test("a copy within a transaction has what the transaction changed, committed or not")
  func writeCopyInTransaction() throws {
    let folder = try RealmFolder()
    let realm = try folder.open()
    try realm.write { realm.create(Note.self, value: ["text": "committed"]) }
    realm.beginWrite()
    realm.create(Note.self, value: ["text": "not committed"])
    try realm.writeCopy(configuration: folder.configuration([Note.self], "copy.realm"))
    realm.cancelWrite()
    #expect(realm.objects(Note.self).map(\.text) == ["committed"])
    let copy = try folder.open([Note.self], "copy.realm")
    #expect(copy.objects(Note.self).map(\.text) == ["committed", "not committed"])
    try copy.write { copy.create(Note.self, value: ["text": "third"]) }
    #expect(copy.objects(Note.self).count == 3)
  }

  @Test(
    "files are deleted with what lies beside them, but not while they are open here or elsewhere")
  func deleteFiles() throws {
    let folder = try RealmFolder()
    let configuration = folder.configuration()
    #expect(!Realm.fileExists(for: configuration))
    #expect(try !Realm.deleteFiles(for: configuration))
    do {
      let realm = try folder.open()
      try realm.write { realm.create(Note.self, value: ["text": "a"]) }
      #expect(Realm.fileExists(for: configuration))
      let files = try FileManager.default.contentsOfDirectory(atPath: folder.root.path)
      #expect(Set(files) == ["test.realm", "test.realm.lock"])
      #expect(throws: Realm.Error.self) { try Realm.deleteFiles(for: configuration) }
      let note = realm.objects(Note.self).first
      #expect(note?.text == "a")
    }
    do {
      let other = try Database.open(path: FilePath(folder.url().path))
      #expect(throws: Realm.Error.self) { try Realm.deleteFiles(for: configuration) }
      try other.close()
    }
    #expect(try Realm.deleteFiles(for: configuration))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.root.path) == [])
  }

  @Test("a seed is copied where there is no file, and not looked at where there is one")
  func seed() throws {
    let folder = try RealmFolder()
    do {
      let seed = try folder.open([Note.self], "seed.realm")
      try seed.write { seed.create(Note.self, value: ["text": "from the seed"]) }
    }
    do {
      let realm = try folder.open { $0.seedFilePath = folder.url("seed.realm") }
      #expect(realm.objects(Note.self).map(\.text) == ["from the seed"])
      try realm.write { realm.deleteAll() }
    }
    let realm = try folder.open { $0.seedFilePath = folder.url("seed.realm") }
    #expect(realm.objects(Note.self).isEmpty)
  }

  @Test("a realm in memory is shared by its identifier and gone with the last instance")
  func inMemory() throws {
    let configuration = Realm.Configuration(
      inMemoryIdentifier: "FileTests.inMemory", objectTypes: [Note.self])
    do {
      let realm = try Realm(configuration: configuration)
      try realm.write { realm.create(Note.self, value: ["text": "a"]) }
      let seen = try onAnotherThread {
        try Realm(configuration: configuration).objects(Note.self).count
      }
      #expect(seen == 1)
    }
    #expect(try Realm(configuration: configuration).objects(Note.self).isEmpty)
  }

  @Test("an event log has one line for each transaction that was committed")
  func events() throws {
    let folder = try RealmFolder()
    let realm = try folder.open {
      $0.eventConfiguration = EventConfiguration(metadata: ["user": "ada"])
    }
    try realm.write {
      let note = realm.create(Note.self, value: ["text": "a"])
      note.text = "b"
    }
    realm.beginWrite()
    realm.cancelWrite()
    try realm.write { realm.deleteAll() }
    let text = try String(contentsOf: folder.url("test.realm.events.jsonl"), encoding: .utf8)
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .iso8601
    // The first is the opening's own: it made the tables of the classes.
    let lines = try text.split(separator: "\n").map {
      try decoder.decode(EventLog.Entry.self, from: Data($0.utf8))
    }.filter { !$0.classes.isEmpty }
    #expect(lines.map { $0.classes["Note"]?.created } == [1, 0])
    #expect(lines.map { $0.classes["Note"]?.deleted } == [0, 1])
    #expect(lines[0].metadata == ["user": "ada"])
    #expect(lines[0].version < lines[1].version)
  }
}
