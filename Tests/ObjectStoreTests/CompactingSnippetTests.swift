// The snippets of the documents on compacting, as they stand there; where a line was lost in the copy, the evident one.
// Reports/Claims lists them. What is around a snippet makes it mean something: a file, and a look at what came of it.
import Foundation
import StorageEngine
import Testing

@testable import ObjectStore

@Suite("Snippets: compacting")
struct CompactingSnippetTests {
  /// A file of `megabytes` of which less than a tenth is used.
  private func wasteful(_ folder: RealmFolder, megabytes: Int) throws {
    let realm = try folder.open([Note.self])
    let text = String(repeating: "x", count: 1 << 20)
    for _ in 0..<megabytes {
      try realm.write { realm.create(Note.self, value: ["text": text]) }
    }
    try realm.write { realm.delete(realm.objects(Note.self)) }
  }

  private func size(_ folder: RealmFolder) throws -> Int {
    let facts = try FileManager.default.attributesOfItem(atPath: folder.url().path)
    return try #require(facts[.size] as? Int)
  }

  @Test("when to compact: the condition is false up to 20 MB, and above it while half is used")
  func whenToCompact() {
    func shouldCompact(_ realmFileSizeInBytes: Int, _ usedBytes: Int) -> Bool {
      // Set a maxFileSize equal to 20MB in bytes
      let maxFileSize = 20 * 1024 * 1024
      // Check for the realm file size to be greater than the max file size,
      // and the amount of bytes currently used to be less than 50% of the
      // total realm file size
      return (realmFileSizeInBytes > maxFileSize)
        && (Double(usedBytes) / Double(realmFileSizeInBytes)) < 0.5
    }
    let limit = 20 * 1024 * 1024
    #expect(!shouldCompact(limit, 0))
    #expect(shouldCompact(limit + 1, limit / 2))
    #expect(!shouldCompact(limit + 1, limit / 2 + 1))
  }

  @Test(
    "when to compact: as a launch block the condition compacts a wasteful file of more than 20 MB")
  func whenToCompactAtLaunch() throws {
    let folder = try RealmFolder()
    try wasteful(folder, megabytes: 24)
    let before = try size(folder)
    #expect(before > 20 << 20)
    var config = folder.configuration([Note.self])
    config.shouldCompactOnLaunch = { realmFileSizeInBytes, usedBytes in
      let maxFileSize = 20 * 1024 * 1024
      return (realmFileSizeInBytes > maxFileSize)
        && (Double(usedBytes) / Double(realmFileSizeInBytes)) < 0.5
    }
    let realm = try Realm(configuration: config)
    #expect(realm.objects(Note.self).isEmpty)
    #expect(try size(folder) < 1 << 20)
  }

  @Test(
    "compact a realm: the condition of 100 MB is not met by a small file, which opens as it was")
  func compactARealm() throws {
    let folder = try RealmFolder()
    try wasteful(folder, megabytes: 4)
    let before = try size(folder)
    var config = Realm.Configuration(shouldCompactOnLaunch: { totalBytes, usedBytes in
      // totalBytes refers to the size of the file on disk in bytes (data + free space)
      // usedBytes refers to the number of bytes used by data in the file
      // Compact if the file is over 100MB in size and less than 50% 'used'
      let oneHundredMB = 100 * 1024 * 1024
      return (totalBytes > oneHundredMB) && (Double(usedBytes) / Double(totalBytes)) < 0.5
    })
    config.fileURL = folder.url()
    config.objectTypes = [Note.self]
    do {
      // Realm is compacted on the first open if the configuration block conditions were met.
      let realm = try Realm(configuration: config)
      guard case .declined(let usage) = realm.instance.coordinator.database.launchOutcome else {
        Issue.record("\(realm.instance.coordinator.database.launchOutcome)")
        return
      }
      #expect(usage.totalBytes == before)
    } catch {
      Issue.record("\(error)")
    }
    #expect(try size(folder) == before)
  }

  @Test(
    "compact a realm, Objective-C: a block that is set on the default configuration is used by it")
  func compactARealmObjectiveC() throws {
    let folder = try RealmFolder()
    try wasteful(folder, megabytes: 4)
    var config = Realm.Configuration.defaultConfiguration
    config.fileURL = folder.url()
    config.objectTypes = [Note.self]
    config.shouldCompactOnLaunch = { totalBytes, usedBytes in
      // The document's 100 MB, in a hundredth.
      let oneMB = 1024 * 1024
      return (totalBytes > oneMB) && Double(usedBytes) / Double(totalBytes) < 0.5
    }
    let realm = try Realm(configuration: config)
    guard case .compacted = realm.instance.coordinator.database.launchOutcome else {
      Issue.record("\(realm.instance.coordinator.database.launchOutcome)")
      return
    }
  }

  @Test(
    "compact a realm asynchronously: the first asynchronous opening compacts, and says how long it took"
  )
  @MainActor
  func compactAsynchronously() async throws {
    let folder = try RealmFolder()
    try wasteful(folder, megabytes: 4)
    let before = try size(folder)
    func testAsyncCompact() async {
      var config = Realm.Configuration(shouldCompactOnLaunch: { totalBytes, usedBytes in
        // The document's 100 MB, in a hundredth.
        let oneMB = 1024 * 1024
        return (totalBytes > oneMB) && (Double(usedBytes) / Double(totalBytes)) < 0.5
      })
      config.fileURL = folder.url()
      config.objectTypes = [Note.self]
      do {
        // Realm is compacted asynchronously on the first open if the
        // configuration block conditions were met.
        let realm = try await Realm(configuration: config)
        #expect(realm.openingTimes != nil)
      } catch {
        // handle error compacting or opening Realm
        Issue.record("\(error)")
      }
    }
    await testAsyncCompact()
    #expect(try size(folder) < before / 2)
  }

  @Test("make a compacted copy: the destination cannot already exist")
  func compactedCopy() throws {
    let folder = try RealmFolder()
    try wasteful(folder, megabytes: 4)
    let realm = try folder.open([Note.self])
    try realm.writeCopy(toFile: folder.url("copy.realm"), encryptionKey: nil)
    #expect(throws: Realm.Error.self) { try realm.writeCopy(toFile: folder.url("copy.realm")) }
    let copy = try FileManager.default.attributesOfItem(atPath: folder.url("copy.realm").path)
    #expect(try #require(copy[.size] as? Int) < size(folder) / 2)
  }

  @Test(
    "threading: a reader that blocks keeps its version while another writes; invalidate lets it go")
  func threading() throws {
    let folder = try RealmFolder()
    let realm = try folder.open([Note.self])
    try realm.write { realm.create(Note.self, value: ["text": "read"]) }
    // Thread A reads some data, and is then blocked on a long operation.
    #expect(realm.objects(Note.self).first?.text == "read")
    // Thread B writes.
    try onAnotherThread {
      let other = try folder.open([Note.self])
      for _ in 0..<5 { try other.write { other.objects(Note.self).first?.text += "!" } }
    }
    let database = realm.instance.coordinator.database
    #expect(realm.objects(Note.self).first?.text == "read")
    #expect(database.usage().pinned > 0)
    realm.invalidate()
    #expect(database.usage().pinned == 0)
    #expect(realm.objects(Note.self).first?.text == "read!!!!!")
  }

  @Test("dispatch queues: an explicit autorelease pool around the work leaves no version behind")
  func dispatchQueues() throws {
    let folder = try RealmFolder()
    let queue = DispatchQueue(label: "background")
    try queue.sync {
      try autoreleasepool {
        let realm = try Realm(configuration: folder.configuration([Note.self]), queue: queue)
        try realm.write { realm.create(Note.self, value: ["text": "a"]) }
      }
    }
    #expect(try Realm.deleteFiles(for: folder.configuration([Note.self])))
  }
}
