// Realm files that Realm Core itself makes: what is read from their bytes beside what the library reports of them.
import FileFormats
import Foundation
import SystemIO
import TestSupport
import Testing

@Suite(
  "Realm files that Realm Core made are read from their bytes",
  .enabled(
    if: getenv("COMPACTION_LAB_REALM") != nil && CProgram.hasCompiler(),
    "COMPACTION_LAB_REALM names no library of Realm Core's"))
struct RealmLibraryTests {
  private static let files = 64

  private func withFiles(_ body: (FilePath, ReportedLines) throws -> Void) throws {
    let library = try #require(ProcessInfo.processInfo.environment["COMPACTION_LAB_REALM"])
    let folder = FilePath(library).removingLastComponent().string
    try withTemporaryFolder { work in
      let lines = try CProgram.run(
        "realm_files", flags: "'\(library)' '-Wl,-rpath,\(folder)'", in: work,
        "\(Self.files) \(testSeed())")
      #expect(lines.count == Self.files, "seed \(testSeed())")
      try body(work, lines)
    }
  }

  /// The report of a file of the program: every third is encrypted.
  private func report(
    _ file: Int, _ name: String = "", in folder: FilePath
  ) throws -> FileReport {
    let path = folder.appending("\(file)\(name).realm")
    guard file % 3 == 2 else { return try DatabaseFileReader.report(of: path) }
    let key = try #require(RealmKey((0..<64).map { $0 }))
    return try DatabaseFileReader.report(ofEncryptedRealm: path, key)
  }

  @Test("rows, used and free bytes are those that Realm Core counts and tells closures at launch")
  func sizes() throws {
    try withFiles { folder, lines in
      for (file, reported) in lines.sorted(by: { $0.key < $1.key }) {
        let report = try self.report(file, in: folder)
        let note: Comment = "file \(file), seed \(testSeed()): \(report.problems.texts)"
        let total = try #require(reported.number("total"))
        let used = try #require(reported.number("used"))
        // The closure counts space that older versions hold as free; nothing holds any here.
        #expect(report.space.logical == total, note)
        #expect(report.space.free == .exact(total - used), note)
        #expect(report.space.pinned == .exact(0), note)
        #expect(report.space.unreachable == .exact(0), note)
        #expect(report.problems.isEmpty, note)
        #expect(report.isEncrypted == (file % 3 == 2), note)
        for name in reported.names("rows") {
          let tree = report.trees.list.first { $0.name == name }
          #expect(tree?.entries == reported.numbers("rows", name)?.first, "\(name), \(note)")
        }
        let parts = report.space.parts.dropLast().compactMap(\.measure.exactValue).reduce(0, +)
        #expect(parts == total, note)
      }
    }
  }

  @Test(
    "the length that a compaction leaves is within the bounds, 20 % apart at most from 16 KiB on")
  func compacted() throws {
    try withFiles { folder, lines in
      for (file, reported) in lines.sorted(by: { $0.key < $1.key }) {
        let report = try self.report(file, in: folder)
        let bounds = try #require(report.compacted.bounds)
        let compacted = try #require(reported.number("compacted"))
        let note: Comment = "file \(file), seed \(testSeed()): \(bounds) for \(compacted)"
        #expect(bounds.contains(compacted), note)
        if compacted >= 16 << 10 {
          #expect(
            Double(bounds.upperBound - bounds.lowerBound) <= 0.2 * Double(compacted), note)
        }
      }
    }
  }

  @Test("a frozen version is found in the lock file, with the space that newer ones freed")
  func held() throws {
    try withFiles { folder, lines in
      var held = 0
      for (file, reported) in lines.sorted(by: { $0.key < $1.key }) {
        guard let commits = reported.number("held"), commits > 0 else { continue }
        held += 1
        let report = try self.report(file, "-held", in: folder)
        let note: Comment = "file \(file), seed \(testSeed()): \(report.problems.texts)"
        let newest = try #require(report.versions.newest)
        #expect(report.versions.oldestHeld == newest - UInt64(commits), note)
        #expect(report.space.pinned.bounds?.lowerBound ?? 0 > 0, note)
        #expect(report.problems.isEmpty, note)
      }
      #expect(held >= 10)
    }
  }
}
