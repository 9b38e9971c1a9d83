import FileFormats
import Foundation
import SystemIO
import TestSupport
import Testing

/// The library of Realm Core that is named: there is none in a package.
private let realmLibrary = ProcessInfo.processInfo.environment["COMPACTION_LAB_REALM"]

@Suite(
  "Files that Realm Core made have the figures that it reports",
  .enabled(if: realmLibrary != nil && CProgram.hasCompiler(), "COMPACTION_LAB_REALM names none"))
struct RealmCoreFileTests {
  private static let count = 54

  private func report(_ file: Int, in folder: FilePath) throws(FileFormatError) -> FileReport {
    let path = folder.appending("\(file).db")
    return file % 2 == 1
      ? try DatabaseFileReader.report(
        ofEncryptedRealm: path, RealmKey((0..<64).map { $0 })!)
      : try DatabaseFileReader.report(of: path)
  }

  @Test("rows, total and used bytes, and the bounds of a compaction, of plain and encrypted files")
  func figures() throws {
    try withTemporaryFolder { folder in
      let headers = Repository.root.pushing("Sources/CRealm")
      let lines = try CProgram.run(
        "realm_core_files", flags: "-I'\(headers)' -ldl", in: folder,
        "\(Self.count) \(testSeed() % 1000) '\(try #require(realmLibrary))'")
      #expect(lines.count == Self.count)
      for (file, reported) in lines.sorted(by: { $0.key < $1.key }) {
        let report = try report(file, in: folder)
        let note: Comment = "file \(file), seed \(testSeed()): \(report.problems.texts)"
        #expect(report.problems.isEmpty, note)
        #expect(report.space.unreachable == .exact(0), note)
        #expect(report.isEncrypted == (file % 2 == 1), note)
        for name in reported.names("rows") {
          let tree = report.trees.list.first { $0.name == name }
          #expect(tree?.entries == reported.numbers("rows", name)?.first, "\(name), \(note)")
        }
        let space = try #require(
          reported.last { $0[0] == "space" }?.dropFirst().compactMap { Int($0) }, note)
        #expect(report.space.logical == space[0], note)
        // What Realm Core calls used at a launch: all but what is free, whoever needs it.
        let free = try #require(report.space.free.exactValue) + report.space.pinned.exactValue!
        #expect(space[0] - free == space[1], note)
        let compacted = try #require(reported.number("compactedBytes"), note)
        let bounds = try #require(report.compacted.bounds, note)
        #expect(bounds.contains(compacted), "\(bounds), \(compacted), \(note)")
      }
    }
  }
}
