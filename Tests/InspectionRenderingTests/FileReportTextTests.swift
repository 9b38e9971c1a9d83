import InspectionRendering
import Testing

@testable import FileFormats

/// A report of a Realm file of 1.43 GB, as a user might pull it from a device.
private func pulledFile() -> FileReport {
  var pieces = FreePieces()
  pieces.add(offset: 4096, size: 1_000_000)
  pieces.add(offset: 2_000_000, size: 64)
  var trees = LargestTrees()
  trees.add(TreeUsage(name: "Item", kind: .table, root: 24, pages: 90, bytes: 200_000_000))
  trees.add(TreeUsage(name: "a\u{1B}[31m\nb", kind: .table, root: 48, pages: 1, bytes: 80))
  return FileReport(
    format: .realm, formatVersion: "file format 24", fileBytes: 1_430_000_000,
    space: SpaceByUse(
      logical: 1_430_000_000, live: .exact(208_000_000), free: .exact(30_000_000),
      pinned: .exact(1_160_000_000), history: .exact(31_000_000), overhead: .exact(1_000_000)),
    versions: VersionReport(
      newest: 131_407, oldestHeld: 88_112, readers: 1,
      held: [HeldVersion(version: 88_112, process: nil, readers: 1)]),
    freePieces: pieces, trees: trees,
    compacted: .bounded(239_000_000...240_000_000, reason: "references have several widths"))
}

@Suite("The report of a foreign file is rendered for people")
struct FileReportTextTests {
  @Test("the first lines state what the file is, and why it is so large")
  func summary() {
    let lines = FileReportText.summary(pulledFile()).split(separator: "\n")
    #expect(
      lines == [
        "Realm file, file format 24, 1.43 GB: 208 MB live, 30.0 MB free in 2 pieces, "
          + "1.16 GB held for older versions, 31.0 MB history",
        "Why so large: 81.1 % is held back for older versions (oldest held version 88,112 of 131,407).",
      ])
  }

  @Test("a file of live data is not called wasteful")
  func live() {
    var report = pulledFile()
    report.space.live = .exact(1_380_000_000)
    report.space.pinned = .exact(0)
    #expect(
      FileReportText.summary(report).hasSuffix(
        "Why so large: 96.5 % is live data; a compaction frees little."))
  }

  @Test("a change during the reading, and problems, stand in the first lines")
  func warnings() {
    var report = pulledFile()
    report.consistency = .changed("a transaction was committed")
    report.problems.add("page 17 is not reachable")
    let text = FileReportText.summary(report)
    #expect(text.contains("\nChanged while it was read: a transaction was committed."))
    #expect(text.hasSuffix("\n1 problem found, listed below."))
    #expect(
      FileReportText.details(report, width: 80).hasSuffix("problems:\n  page 17 is not reachable"))
  }

  @Test(
    "the details have each use of the space, pieces, trees and versions; names cannot move the cursor"
  )
  func details() {
    let text = FileReportText.details(pulledFile(), width: 80)
    for part in [
      "  live        208,000,000   208 MB  14.5 %  exact",
      "  pinned    1,160,000,000  1.16 GB  81.1 %  exact",
      "free pieces: 2, 1,000,064 B, the largest 1.00 MB at 4,096", "≥ 524,288 B  1",
      "Item ", "oldest version held 88,112", "version 88,112: 1 reader",
    ] {
      #expect(text.contains(part), "\(part) is missing in:\n\(text)")
    }
    #expect(!text.contains("\u{1B}"))
    #expect(!text.contains("[31m\nb"))
  }

  @Test("unknown sizes are words, bounds have both ends")
  func measures() {
    #expect(FileReportText.measure(.unknown(reason: "damaged")) == "an unknown size")
    #expect(FileReportText.measure(.bounded(1000...2500, reason: "")) == "1.00 kB to 2.50 kB")
    #expect(FileReportText.measure(.exact(5)) == "5 B")
  }
}

@Suite("The report of a foreign file is rendered as metrics")
struct FileMetricsTests {
  @Test("every sample follows its HELP and TYPE lines, once, with the labels of the file first")
  func form() throws {
    let text = FileMetrics.text(pulledFile(), file: "C:\\data \"1\"\n.realm")
    #expect(text.hasSuffix("\n"))
    var current: Substring?
    var seen: Set<Substring> = []
    for line in text.dropLast().split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("# HELP ") {
        current = line.split(separator: " ")[2]
        #expect(seen.insert(current!).inserted)
      } else if line.hasPrefix("# TYPE ") {
        #expect(line == "# TYPE \(current ?? "") gauge")
      } else {
        let name = try #require(current)
        #expect(
          line.hasPrefix(
            "\(name){file=\"C:\\\\data \\\"1\\\"\\n.realm\",format=\"realm\""))
        let value = try #require(line.split(separator: " ").last)
        #expect(Double(value) != nil)
        #expect(seen.insert(line.dropLast(value.count)).inserted, "\(line) is there twice")
      }
    }
  }

  @Test("values are bytes, and bounds are those of the report")
  func values() {
    let text = FileMetrics.text(pulledFile(), file: "x")
    for line in [
      "compaction_lab_file_size_bytes{file=\"x\",format=\"realm\"} 1430000000",
      "compaction_lab_file_space_bytes{file=\"x\",format=\"realm\",use=\"pinned\"} 1160000000",
      "compaction_lab_file_compacted_min_bytes{file=\"x\",format=\"realm\"} 239000000",
      "compaction_lab_file_compacted_max_bytes{file=\"x\",format=\"realm\"} 240000000",
      "compaction_lab_file_oldest_held_version{file=\"x\",format=\"realm\"} 88112",
      "compaction_lab_file_tree_bytes{file=\"x\",format=\"realm\",tree=\"Item\",kind=\"table\"} 200000000",
      "compaction_lab_file_consistent{file=\"x\",format=\"realm\"} 1",
    ] {
      #expect(text.contains(line + "\n"), "\(line) is missing in:\n\(text)")
    }
    #expect(!text.contains("log_bytes"))
  }

  @Test("two trees of one name have one sample")
  func sameNames() {
    var report = pulledFile()
    report.trees.add(TreeUsage(name: "Item", kind: .table, root: 96, pages: 1, bytes: 8))
    let text = FileMetrics.text(report, file: "x")
    #expect(text.split(separator: "\n").count { $0.contains("tree=\"Item\"") } == 1)
  }
}
