// The options of a configuration by which the engine compacts a file by itself.
import Foundation
import Testing

@testable import ObjectStore

@Suite("Options of automatic compaction")
struct CompactionOptionTests {
  private func length(_ url: URL) throws -> Int {
    try #require(FileManager.default.attributesOfItem(atPath: url.path)[.size] as? Int)
  }

  /// Makes a file of which nearly all is free, and leaves the realm without a version.
  private func makeSparse(_ realm: Realm) throws {
    try realm.write {
      for order in 0..<8000 {
        realm.create(
          Note.self, value: ["text": String(repeating: "x", count: 200), "order": order])
      }
    }
    try realm.write { realm.delete(realm.objects(Note.self).where { $0.order >= 100 }) }
    realm.invalidate()
  }

  /// Returns whether the file becomes shorter than `bytes` while nothing is done; the limit only guards against hanging.
  private func shrinks(_ url: URL, below bytes: Int) throws -> Bool {
    for _ in 0..<2000 {
      if try length(url) < bytes { return true }
      Thread.sleep(forTimeInterval: 0.01)
    }
    return false
  }

  @Test(
    "as documented: the open file shrinks in the background while it is not accessed, and is not touched while it is"
  )
  func documented() throws {
    let folder = try RealmFolder()
    let realm = try folder.open {
      $0.automaticCompaction = .documented
      $0.idleCompaction = .init(afterMilliseconds: 1, stepBytes: 64 << 10)
    }
    try realm.write { _ = realm.create(Note.self, value: ["text": "held"]) }
    var held: Realm? = realm.freeze()
    try makeSparse(realm)
    let before = try length(folder.url())
    // A commit that finds the reader does not compact; nor does the thread.
    for order in 0..<20 { try realm.write { realm.create(Note.self, value: ["order": order]) } }
    realm.invalidate()
    #expect(try length(folder.url()) >= before)
    #expect(held?.objects(Note.self).count == 1)
    held = nil
    #expect(try shrinks(folder.url(), below: before / 2))
    #expect(realm.objects(Note.self).count == 121)
  }

  @Test("off: commits leave the file as long as it is; eager: they shorten it")
  func commits() throws {
    var lengths: [Realm.Configuration.AutomaticCompaction: Int] = [:]
    for option in [Realm.Configuration.AutomaticCompaction.off, .eager] {
      let folder = try RealmFolder()
      let realm = try folder.open { $0.automaticCompaction = option }
      try makeSparse(realm)
      for order in 0..<200 { try realm.write { realm.create(Note.self, value: ["order": order]) } }
      lengths[option] = try length(folder.url())
    }
    #expect(try #require(lengths[.eager]) < #require(lengths[.off]) / 2)
  }

  @Test("openings of one process that ask for different compaction are refused, not ignored")
  func differences() throws {
    let folder = try RealmFolder()
    let realm = try folder.open()
    let changes: [(inout Realm.Configuration) -> Void] = [
      { $0.automaticCompaction = .documented }, { $0.idleCompaction = .init() },
    ]
    for change in changes {
      let error = #expect(throws: Realm.Error.self) {
        _ = try folder.open(nil, "test.realm", change)
      }
      #expect(error?.failure == .alreadyOpen)
    }
    #expect(realm.objects(Note.self).isEmpty)
  }

  @Test("the default is eager, without a thread; the documents' behavior includes one")
  func defaults() {
    var configuration = Realm.Configuration()
    #expect(configuration.automaticCompaction == .eager)
    #expect(configuration.engineIdleCompaction == nil)
    configuration.automaticCompaction = .documented
    #expect(configuration.engineIdleCompaction != nil)
    #expect(configuration.automaticCompaction.engineOption == .documented)
    configuration.automaticCompaction = .realmCompatible
    #expect(configuration.engineIdleCompaction == nil)
    #expect(configuration.automaticCompaction.engineOption == .realmCompatible)
  }
}
