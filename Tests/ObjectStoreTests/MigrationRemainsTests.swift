// What a migration leaves behind in the file, and which compaction clears it. Docs/ObjectStore.md has the figures.
import Foundation
import StorageEngine
import Testing

@testable import ObjectStore

private enum Thin {
  class Sample: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var text: String
    @Persisted var value: Int
  }
}

private enum Wide {
  class Sample: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var text: String
    @Persisted var value: Int
    @Persisted var unit: String = "K"
  }
}

@Suite("What a migration leaves behind")
struct MigrationRemainsTests {
  private typealias Option = Realm.Configuration.AutomaticCompaction
  private static let rows = 20_000

  /// The lengths of the file, in bytes.
  private struct Lengths {
    var before = 0
    var migrated = 0
    /// After 200 transactions of one row each.
    var written = 0
    /// After closing, and opening again without compaction at launch.
    var reopened = 0
    /// After compaction at launch.
    var compacted = 0
    var live = 0
  }

  private func length(_ url: URL) throws -> Int {
    try #require(FileManager.default.attributesOfItem(atPath: url.path)[.size] as? Int)
  }

  private func measure(_ option: Option) throws -> Lengths {
    let folder = try RealmFolder()
    var lengths = Lengths()
    do {
      let realm = try folder.open([Thin.Sample.self]) { $0.automaticCompaction = option }
      try realm.write {
        for id in 0..<Self.rows {
          realm.create(Thin.Sample.self, value: ["id": id, "text": "sample \(id)", "value": id])
        }
      }
    }
    lengths.before = try length(folder.url())
    let open: (_ launches: Bool) throws -> Realm = { launches in
      try folder.open([Wide.Sample.self]) {
        $0.schemaVersion = 1
        $0.automaticCompaction = option
        if launches { $0.shouldCompactOnLaunch = { _, _ in true } }
      }
    }
    do {
      let realm = try open(false)
      lengths.migrated = try length(folder.url())
      for id in 0..<200 {
        try realm.write {
          realm.create(
            Wide.Sample.self, value: ["id": id, "value": id + 1], update: .modified)
        }
      }
      lengths.written = try length(folder.url())
    }
    do {
      _ = try open(false)
      lengths.reopened = try length(folder.url())
    }
    let realm = try open(true)
    lengths.compacted = try length(folder.url())
    lengths.live = realm.instance.coordinator.database.usage().live
    #expect(realm.objects(Wide.Sample.self).count == Self.rows)
    return lengths
  }

  @Test(
    "a migration leaves the old rows as free space: commits do not clear that, compaction at launch does"
  )
  func remains() throws {
    for option in Option.allCases {
      let found = try measure(option)
      print(
        "migration, \(option.rawValue): before \(found.before), migrated \(found.migrated), 200 commits later "
          + "\(found.written), reopened \(found.reopened), compacted \(found.compacted), live \(found.live)"
      )
      // Both the old rows and the new ones were in the file at once.
      #expect(found.migrated > found.before + found.live * 9 / 10)
      // Half is free, which is not the two thirds at which automatic compaction begins, whatever its preset.
      #expect(found.written >= found.migrated * 9 / 10)
      #expect(found.compacted < found.live * 11 / 10 + 65_536)
    }
  }
}
