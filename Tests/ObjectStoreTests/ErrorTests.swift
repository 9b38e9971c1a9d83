// What is refused, and how: thrown where the call throws, misuse where it cannot.
import Foundation
import StorageEngine
import SystemIO
import TestSupport
import Testing

@testable import ObjectStore

@Suite("Errors and misuse")
struct ErrorTests {
  private func failure(_ body: () throws -> Void) -> Realm.Error.Failure? {
    do {
      try body()
      return nil
    } catch { return (error as? Realm.Error)?.failure }
  }

  @Test("an error is caught as NSError, with domain, code and file")
  func asNSError() throws {
    let folder = try RealmFolder()
    try Data("no realm, but long enough to look like some file".utf8).write(to: folder.url())
    do {
      _ = try folder.open()
      Issue.record("a file that is no realm was opened")
    } catch let error as NSError {
      #expect(error.domain == Realm.Error.domain)
      #expect(error.code == Realm.Error.Failure.invalidDatabase.rawValue)
      #expect(error.userInfo[NSURLErrorKey] as? URL == folder.url())
      #expect(!error.localizedDescription.isEmpty)
    }
    do { _ = try folder.open() } catch Realm.Error.invalidDatabase {} catch {
      Issue.record("\(error) is not caught by its code")
    }
  }

  @Test("configurations that contradict themselves are refused when they are opened")
  func contradictions() throws {
    let folder = try RealmFolder()
    #expect(
      failure {
        _ = try Realm(configuration: .init(fileURL: folder.url(), inMemoryIdentifier: "a"))
      }
        == .invalidConfiguration)
    #expect(failure { _ = try Realm(configuration: .init(fileURL: nil)) } == .invalidConfiguration)
    #expect(
      failure { _ = try folder.open { $0.encryptionKey = Data(count: 63) } } == .encryptionKeyLength
    )
    #expect(
      failure {
        _ = try folder.open {
          $0.readOnly = true
          $0.shouldCompactOnLaunch = { _, _ in true }
        }
      } == .invalidConfiguration)
  }

  @Test("of file and identifier the one that is set last counts")
  func exclusiveProperties() {
    var configuration = Realm.Configuration()
    #expect(configuration.fileURL == Realm.Configuration.defaultFileURL)
    configuration.inMemoryIdentifier = "a"
    #expect(configuration.fileURL == nil)
    configuration.fileURL = URL(fileURLWithPath: "/tmp/a.realm")
    #expect(configuration.inMemoryIdentifier == nil)
    configuration.inMemoryIdentifier = "a"
    configuration.seedFilePath = URL(fileURLWithPath: "/tmp/b.realm")
    #expect(configuration.inMemoryIdentifier == nil)
  }

  @Test(
    "configurations are equal where their options are, and say in words what they are but not the key"
  )
  func equality() {
    let a = Realm.Configuration(fileURL: URL(fileURLWithPath: "/tmp/a.realm"), schemaVersion: 3)
    var b = a
    #expect(a == b)
    b.encryptionKey = Data(repeating: 7, count: 64)
    #expect(a != b)
    #expect(b.description.contains("schemaVersion = 3"))
    #expect(b.description.contains("encryptionKey = 64 bytes"))
    #expect(a.syncConfiguration == nil)
  }

  @Test("equality and description are over all properties")
  func allProperties() throws {
    let changes: [String: (inout Realm.Configuration) -> Void] = [
      "fileURL": { $0.fileURL = URL(fileURLWithPath: "/tmp/b.realm") },
      "inMemoryIdentifier": { $0.inMemoryIdentifier = "b" },
      "seedFilePath": { $0.seedFilePath = URL(fileURLWithPath: "/tmp/seed.realm") },
      "syncConfiguration": { _ in },
      "encryptionKey": { $0.encryptionKey = Data(count: 64) },
      "readOnly": { $0.readOnly = true },
      "schemaVersion": { $0.schemaVersion = 2 },
      "migrationBlock": { $0.migrationBlock = { _, _ in } },
      "deleteRealmIfMigrationNeeded": { $0.deleteRealmIfMigrationNeeded = true },
      "shouldCompactOnLaunch": { $0.shouldCompactOnLaunch = { _, _ in true } },
      "objectTypes": { $0.objectTypes = [Note.self] },
      "maximumNumberOfActiveVersions": { $0.maximumNumberOfActiveVersions = 2 },
      "eventConfiguration": { $0.eventConfiguration = EventConfiguration() },
      "automaticCompaction": { $0.automaticCompaction = .documented },
      "idleCompaction": { $0.idleCompaction = .init(afterMilliseconds: 5) },
    ]
    // The stored properties, some under the names of those that change them.
    let renamed = ["file": "fileURL", "identifier": "inMemoryIdentifier", "seed": "seedFilePath"]
    let plain = Realm.Configuration(fileURL: URL(fileURLWithPath: "/tmp/a.realm"))
    for child in Mirror(reflecting: plain).children {
      let label = try #require(child.label)
      // The disk is another one in tests only.
      guard label != "isContradictory", label != "volume" else { continue }
      let name = renamed[label] ?? label
      let change = try #require(changes[name], "\(name) is not compared")
      var other = plain
      change(&other)
      #expect(plain.description.contains("  \(name) = "), "\(name)")
      guard name != "syncConfiguration" else { continue }
      #expect(other != plain, "\(name)")
      #expect(other.description != plain.description, "\(name)")
    }
    let contradictory = Realm.Configuration(
      fileURL: URL(fileURLWithPath: "/tmp/a.realm"), inMemoryIdentifier: "a")
    #expect(contradictory != Realm.Configuration(inMemoryIdentifier: "a"))
  }

  @Test("a wrong key, a missing one, and one for a plain file make a file no valid database")
  func keys() throws {
    let folder = try RealmFolder()
    let key = Data((0..<64).map { UInt8($0) })
    do {
      let realm = try folder.open { $0.encryptionKey = key }
      try realm.write { realm.create(Note.self, value: ["text": "secret"]) }
    }
    #expect(
      failure { _ = try folder.open { $0.encryptionKey = Data(count: 64) } } == .invalidDatabase)
    #expect(failure { _ = try folder.open() } == .invalidDatabase)
    let realm = try folder.open { $0.encryptionKey = key }
    #expect(realm.objects(Note.self).first?.text == "secret")
    #expect(failure { _ = try folder.open() } == .alreadyOpen)
  }

  @Test("what is changed outside of a transaction stays as it is")
  func outsideOfTransactions() throws {
    let folder = try RealmFolder()
    let realm = try folder.open()
    try realm.write { realm.create(Person.self, value: ["id": 1, "name": "Ada"]) }
    let ada = try #require(realm.objects(Person.self).first)
    #expect(misuse { ada.name = "Eve" } == [.wrongTransactionState])
    #expect(misuse { realm.delete(ada) } == [.wrongTransactionState])
    #expect(misuse { realm.deleteAll() } == [.wrongTransactionState])
    #expect(misuse { realm.create(Person.self, value: ["id": 2]) } == [.wrongTransactionState])
    #expect(misuse { realm.cancelWrite() } == [.wrongTransactionState])
    #expect(failure { try realm.commitWrite() } == .wrongTransactionState)
    try realm.write {
      #expect(misuse { realm.beginWrite() } == [.wrongTransactionState])
      #expect(failure { try realm.write {} } == .wrongTransactionState)
    }
    #expect(ada.name == "Ada")
    #expect(realm.objects(Person.self).count == 1)
  }

  @Test(
    "another thread gets an error where the call throws, and misuse where it cannot; nothing is changed"
  )
  func wrongThread() throws {
    let folder = try RealmFolder()
    let realm = try folder.open()
    try realm.write { realm.create(Person.self, value: ["id": 1, "name": "Ada"]) }
    let ada = try #require(realm.objects(Person.self).first)
    let (found, thrown) = try onAnotherThread {
      (
        misuse {
          #expect(ada.name == "")
          #expect(realm.objects(Person.self).count == 0)
          ada.name = "Eve"
        }, self.failure { try realm.write {} }
      )
    }
    #expect(found == [.incorrectThread, .incorrectThread, .incorrectThread])
    #expect(thrown == .incorrectThread)
    #expect(ada.name == "Ada")
  }

  @Test("a realm that is read only is read, and refuses a write; without a file it is not opened")
  func readOnly() throws {
    let folder = try RealmFolder()
    #expect(failure { _ = try folder.open { $0.readOnly = true } } == .fileNotFound)
    do {
      let realm = try folder.open()
      try realm.write { realm.create(Note.self, value: ["text": "a"]) }
    }
    let realm = try folder.open { $0.readOnly = true }
    let note = try #require(realm.objects(Note.self).first)
    #expect(note.text == "a")
    #expect(failure { try realm.write {} } == .readOnly)
    #expect(misuse { note.text = "b" } == [.readOnly])
  }

  @Test(
    "values of another type, unknown properties, changed primary keys and foreign classes are misuse"
  )
  func invalidValues() throws {
    let folder = try RealmFolder()
    let realm = try folder.open([Person.self])
    try realm.write {
      #expect(misuse { realm.create(Person.self, value: ["id": "one"]) } == [.invalidValue])
      #expect(misuse { realm.create(Person.self, value: ["height": 2]) } == [.invalidValue])
      #expect(
        misuse { realm.create(Person.self, value: ["name": nil] as [String: Any?]) } == [
          .invalidValue
        ])
      #expect(misuse { realm.create(Note.self, value: ["text": "a"]) } == [.classNotManaged])
      let ada = realm.create(Person.self, value: ["id": 1])
      #expect(misuse { ada.id = 2 } == [.invalidValue])
      #expect(ada.id == 1)
    }
    #expect(realm.objects(Person.self).count == 1)
  }

  @Test("without a handler misuse stops the program")
  func misuseTraps() async {
    await #expect(processExitsWith: .failure) {
      let realm = try Realm(configuration: .init(inMemoryIdentifier: "traps"))
      realm.cancelWrite()
    }
  }

  @Test(
    "beyond maximumNumberOfActiveVersions a write is refused before its block runs, and not once the versions are gone"
  )
  func versionLimit() throws {
    let folder = try RealmFolder()
    let realm = try folder.open { $0.maximumNumberOfActiveVersions = 3 }
    var runs = 0
    func write() throws {
      try realm.write {
        runs += 1
        realm.create(Note.self, value: ["text": "a"])
      }
    }
    try write()
    var held: [Realm] = []
    #expect(
      failure {
        for _ in 0..<5 {
          held.append(realm.freeze())
          try write()
        }
      } == .tooManyVersions)
    #expect(realm.objects(Note.self).count == runs)
    #expect(!realm.isInWriteTransaction)
    #expect(misuse { realm.beginWrite() } == [.tooManyVersions])
    // The limit is that of the instance: another configuration of the same file has its own.
    let other = try onAnotherThread {
      try folder.open().write { 1 }
    }
    #expect(other == 1)
    held.removeAll()
    try write()
    #expect(realm.objects(Note.self).count == runs)
  }

  @Test("a transaction that has begun is committed, however many versions are pinned meanwhile")
  func versionLimitDuringWrite() throws {
    let folder = try RealmFolder()
    let realm = try folder.open { $0.maximumNumberOfActiveVersions = 1 }
    try realm.write { _ = realm.create(Note.self, value: ["text": "a"]) }
    var held: Realm?
    try realm.write {
      realm.create(Note.self, value: ["text": "b"])
      held = try onAnotherThread { try folder.open().freeze() }
    }
    #expect(realm.objects(Note.self).count == 2)
    #expect(held?.isFrozen == true)
    #expect(failure { try realm.write {} } == .tooManyVersions)
  }

  @Test("the codes that the SDK has are the SDK's, and all others are above them")
  func codes() {
    let codes: [Realm.Error.Failure: Int] = [
      .fail: 1, .fileAccess: 2, .filePermissionDenied: 3, .fileExists: 4, .fileNotFound: 5,
      .addressSpaceExhausted: 9, .schemaMismatch: 10, .alreadyOpen: 12, .invalidInput: 13,
      .outOfDiskSpace: 14, .unsupportedFileFormatVersion: 16, .fileOperationFailed: 19,
      .invalidDatabase: 20,
    ]
    for failure in Realm.Error.Failure.allCases {
      if let code = codes[failure] {
        #expect(failure.rawValue == code)
      } else {
        #expect(failure.rawValue >= 100, "\(failure)")
      }
    }
    #expect(Realm.Error.domain == "io.realm")
  }

  @Test("Reports/ObjectErrors.md is made from the declarations of failures, and has every one")
  func documented() throws {
    let path = "Reports/ObjectErrors.md"
    let made = try ErrorPage.text()
    if Repository.isUpdating { try Repository.write(made, to: path) }
    #expect(try Repository.text(path) == made, "UPDATE_GOLDEN=1 makes it anew.")
    for failure in Realm.Error.Failure.allCases {
      #expect(made.contains("| `\(failure)` | \(failure.rawValue) |"), "\(failure)")
    }
  }

  @Test("each error of the engine becomes the failure of the same meaning")
  func translations() {
    let expected: [(StorageError.Code, Realm.Error.Failure)] = [
      (.corrupt, .invalidDatabase), (.notADatabase, .invalidDatabase),
      (.truncated, .invalidDatabase), (.keyWrong, .invalidDatabase),
      (.keyMissing, .invalidDatabase), (.notEncrypted, .invalidDatabase),
      (.newerFormat, .unsupportedFileFormatVersion), (.outOfSpace, .outOfDiskSpace),
      (.limitExceeded, .addressSpaceExhausted), (.permissionDenied, .filePermissionDenied),
      (.busy, .alreadyOpen), (.alreadyExists, .fileExists), (.notFound, .fileNotFound),
      (.tooManyVersions, .tooManyVersions), (.readOnly, .readOnly),
      (.poisoned, .fileOperationFailed), (.displaced, .fileOperationFailed), (.failed, .fail),
    ]
    for (code, failure) in expected {
      #expect(Realm.Error(StorageError(code, "a reason"), file: nil).failure == failure)
    }
    let missing = SystemError(code: 2, call: "open")
    let other = SystemError(code: 5, call: "pread")
    func failure(_ cause: SystemError) -> Realm.Error.Failure {
      Realm.Error(StorageError(.failed, "a reason", cause: cause), file: nil).failure
    }
    #expect(failure(missing) == .fileNotFound)
    #expect(failure(other) == .fileOperationFailed)
  }
}
