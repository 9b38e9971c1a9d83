// The snippets of the documents on compacting, between marks: SnippetComparisonTests compares them with the documents line by
// line, and Reports/Claims/Snippets.md lists every line that differs. The code around a snippet makes its file and checks
// its effect.
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
    try realm.write {
      for _ in 0..<megabytes { realm.create(Note.self, value: ["text": text]) }
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
      // Snippet: whenToCompact
      // Set a maxFileSize equal to 20MB in bytes
      let maxFileSize = 20 * 1024 * 1024
      // Check for the realm file size to be greater than the max file size,
      // and the amount of bytes currently used to be less than 50% of the
      // total realm file size
      return (realmFileSizeInBytes > maxFileSize)
        && (Double(usedBytes) / Double(realmFileSizeInBytes)) < 0.5
      // End of snippet
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
    var outcome: LaunchCompaction?
    // Snippet: compactARealm
    var config = Realm.Configuration(shouldCompactOnLaunch: { totalBytes, usedBytes in
      // totalBytes refers to the size of the file on disk in bytes (data + free space)
      // usedBytes refers to the number of bytes used by data in the file
      // Compact if the file is over 100MB in size and less than 50% 'used'
      let oneHundredMB = 100 * 1024 * 1024
      return (totalBytes > oneHundredMB) && (Double(usedBytes) / Double(totalBytes)) < 0.5
    })
    config.fileURL = folder.url()
    do {
      // Realm is compacted on the first open if the configuration block conditions were met.
      let realm = try Realm(configuration: config)
      outcome = realm.instance.coordinator.database.launchOutcome
    } catch {
      // handle error compacting or opening Realm
    }
    // End of snippet
    guard case .declined(let usage)? = outcome else {
      Issue.record("\(String(describing: outcome))")
      return
    }
    #expect(usage.totalBytes == before)
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
    "compact a realm asynchronously: the first asynchronous opening of more than 100 MB compacts, and reports its duration"
  )
  @MainActor
  func compactAsynchronously() async throws {
    let folder = try RealmFolder()
    try wasteful(folder, megabytes: 104)
    #expect(try size(folder) > 100 << 20)
    var times: OpeningTimes?
    // Snippet: compactAsynchronously
    func testAsyncCompact() async {
      var config = Realm.Configuration(shouldCompactOnLaunch: { totalBytes, usedBytes in
        // totalBytes refers to the size of the file on disk in bytes (data + free space)
        // usedBytes refers to the number of bytes used by data in the file
        // Compact if the file is over 100MB in size and less than 50% 'used'
        let oneHundredMB = 100 * 1024 * 1024
        return (totalBytes > oneHundredMB) && (Double(usedBytes) / Double(totalBytes)) < 0.5
      })
      config.fileURL = folder.url()
      do {
        // Realm is compacted asynchronously on the first open if the
        // configuration block conditions were met.
        let realm = try await Realm(configuration: config)
        times = realm.openingTimes
      } catch {
        // handle error compacting or opening Realm
      }
    }
    // End of snippet
    await testAsyncCompact()
    #expect(times != nil)
    #expect(try size(folder) < 1 << 20)
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
    "threading: a reader that blocks holds its version while another writes; invalidate releases it"
  )
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

  @Test(
    "dispatch queues: an explicit autorelease pool releases the realm of a block; without one the queue's pool retains it"
  )
  func dispatchQueues() throws {
    let folder = try RealmFolder()
    let configuration = folder.configuration([Note.self])
    // The queue's own pool is not drained while the test runs.
    let queue = PoolingQueue(label: "background", drain: .never)
    func useRealm() throws {
      let realm = try Realm(configuration: configuration, queue: queue.queue)
      // Objective-C's accessors leave what they return to the innermost pool.
      RealmPool.autorelease(realm)
      try realm.write { realm.create(Note.self, value: ["text": "a"]) }
    }
    try queue.sync { _ in try autoreleasepool { try useRealm() } }
    // Files are deleted only if nothing retains the realm.
    #expect(try Realm.deleteFiles(for: configuration))
    #if !canImport(Darwin)
      try queue.sync { _ in try useRealm() }
      #expect(throws: Realm.Error.self) { try Realm.deleteFiles(for: configuration) }
      queue.pool.drain()
      #expect(try Realm.deleteFiles(for: configuration))
    #endif
  }
}
