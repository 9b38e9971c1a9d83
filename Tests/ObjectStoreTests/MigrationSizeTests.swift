// The memory of a migration of many rows. `MIGRATION_ROWS` sets how many: 20 000 by default, 1 000 000 at night.
import Foundation
import SystemIO
import Testing

@testable import ObjectStore

private enum Small {
  class Sample: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var text: String
    @Persisted var value: Int
  }
}

private enum Large {
  class Sample: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var text: String
    @Persisted var value: Double
    @Persisted var unit: String?
  }
}

@Suite("Migrations of many rows")
struct MigrationSizeTests {
  /// The stated bound. The file is mapped, so what is read of it counts; so do the blocks that the transaction makes, which
  /// are the rewritten rows, and the pages of the file to which they are written.
  static func maxPeakGrowth(fileBytes: Int) -> Int { 3 * fileBytes + (48 << 20) }

  private static func peakBytes() throws -> Int {
    let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
    let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") })
    return try #require(line.split(separator: " ").compactMap { Int($0) }.first) << 10
  }

  private static func makeFile(_ folder: RealmFolder, _ rows: Int) throws {
    let realm = try folder.open([Small.Sample.self]) { $0.schemaVersion = 1 }
    for first in stride(from: 0, to: rows, by: 10_000) {
      try realm.write {
        for id in first..<min(rows, first + 10_000) {
          realm.create(Small.Sample.self, value: ["id": id, "text": "sample \(id)", "value": id])
        }
      }
    }
  }

  private static func migrate(_ folder: RealmFolder, _ rows: Int) throws {
    let realm = try folder.open([Large.Sample.self]) {
      $0.schemaVersion = 2
      $0.migrationBlock = { migration, _ in
        migration.enumerateObjects(ofType: "Sample") { old, new in
          new?["value"] = (old?["value"] as? Int).map { Double($0) }
        }
      }
    }
    let samples = realm.objects(Large.Sample.self)
    guard samples.count == rows else { fatalError("\(samples.count) rows of \(rows)") }
    let last = realm.object(ofType: Large.Sample.self, forPrimaryKey: rows - 1)
    guard last?.value == Double(rows - 1), last?.text == "sample \(rows - 1)" else {
      fatalError("The last row was not migrated.")
    }
  }

  #if os(Linux)
    @Test("the peak of memory stays within its bound")
    func memory() async {
      await #expect(processExitsWith: .success) {
        let rows =
          ProcessInfo.processInfo.environment["MIGRATION_ROWS"].flatMap { Int($0) } ?? 20_000
        let folder = try RealmFolder()
        try MigrationSizeTests.makeFile(folder, rows)
        let length = try FileManager.default.attributesOfItem(atPath: folder.url().path)[.size]
        let fileBytes = try #require(length as? Int)
        // Resets the peak to what is resident now.
        try "5".write(toFile: "/proc/self/clear_refs", atomically: false, encoding: .utf8)
        let before = try MigrationSizeTests.peakBytes()
        try MigrationSizeTests.migrate(folder, rows)
        let growth = try MigrationSizeTests.peakBytes() - before
        print(
          "migration of \(rows) rows, file of \(fileBytes) bytes: peak growth of \(growth) bytes")
        if let path = ProcessInfo.processInfo.environment["MIGRATION_REPORT"] {
          try "\(rows) rows, \(fileBytes) bytes of file, \(growth) bytes of peak growth\n"
            .write(toFile: path, atomically: true, encoding: .utf8)
        }
        exit(growth <= MigrationSizeTests.maxPeakGrowth(fileBytes: fileBytes) ? 0 : 1)
      }
    }
  #endif
}
