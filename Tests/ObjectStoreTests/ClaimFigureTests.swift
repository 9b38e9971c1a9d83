// The figures of Reports/Claims are those of the galleries. Each is named here, in the order of the page, by where it stands
// there; UPDATE_GOLDEN=1 writes them anew when a gallery was made anew.
import Foundation
import TestSupport
import Testing

/// Where a figure stands in a section of the gallery.
private struct Figure {
  enum Location {
    /// In the table, under a policy.
    case highWater(String)
    case final(String)
    /// In the sentence on growth, of the first arm or of the one that is named.
    case growth(String?)
    /// In the file of all cells, of an arm under `automatic`.
    case highWaterOf(String)
  }

  var scenario: String
  var engine: String
  var location: Location

  init(_ scenario: String, _ engine: String, _ location: Location) {
    self.scenario = scenario
    self.engine = engine
    self.location = location
  }

  /// The gallery that has the engine: one of its own where not every machine has its library.
  var gallery: String {
    if case .highWaterOf = location { return "Reports/Peers/\(engine)/\(scenario).csv" }
    return ["mdbx", "realm-core"].contains(engine)
      ? "Reports/Peers/\(engine)/README.md" : "Reports/Gallery/README.md"
  }

  /// nil where the gallery has no such figure.
  func text(in gallery: String) -> String? {
    if case .highWaterOf(let arm) = location { return highWater(of: arm, in: gallery) }
    let section = gallery.components(separatedBy: "\n## ").first { $0.hasPrefix("\(scenario)\n") }
    guard let lines = section?.components(separatedBy: "\n") else { return nil }
    switch location {
    case .highWater(let policy): return cell(policy, lines)?.first
    case .final(let policy): return cell(policy, lines)?.last
    case .growth(let arm):
      let sentence = lines.first { $0.hasPrefix("While snapshots are held") }
      guard let clauses = sentence?.components(separatedBy: "; "),
        let own = clauses.first(where: {
          $0.contains(arm == nil ? "\(engine) grows by" : "\(engine) ")
        })
      else { return nil }
      let start = arm.map { "`\($0)`: " } ?? "\(engine) grows by "
      guard let range = own.range(of: start) else { return nil }
      return own[range.upperBound...].firstMatch(of: #/^\d[\d.]* k?M?B/#).map { String($0.0) }
    case .highWaterOf: return nil
    }
  }

  /// In megabytes, with three digits as all figures have them.
  private func highWater(of arm: String, in cells: String) -> String? {
    let rows = cells.split(whereSeparator: \.isNewline).map {
      $0.split(separator: ",", omittingEmptySubsequences: false)
    }
    guard let column = rows.first?.firstIndex(of: "high_water_bytes"),
      let row = rows.first(where: { $0[1...3] == [Substring(engine), "automatic", Substring(arm)] }
      ),
      let bytes = Double(row[column]), 10e6..<100e6 ~= bytes
    else { return nil }
    return String(format: "%.1f MB", bytes / 1e6)
  }

  private func cell(_ policy: String, _ lines: [String]) -> [String]? {
    func cells(_ line: String) -> [String] {
      line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
    }
    guard let header = lines.first(where: { $0.hasPrefix("| high") }),
      let column = cells(header).firstIndex(of: policy),
      let row = lines.first(where: { cells($0).first == engine && $0.hasPrefix("|") })
    else { return nil }
    return cells(row)[column].components(separatedBy: " → ")
  }
}

@Suite("Claims' figures")
struct ClaimFigureTests {
  private static let figures: [Figure] = [
    Figure("constant-churn", "native", .final("never")),
    Figure("constant-churn", "lmdb", .final("never")),
    Figure("constant-churn", "sqlite", .final("never")),
    Figure("constant-churn", "mdbx", .final("never")),
    Figure("constant-churn", "realm-core", .final("automatic")),
    Figure("deleted-most", "native", .final("never")),
    Figure("deleted-most", "native", .final("every-launch")),
    Figure("deleted-most", "lmdb", .final("never")),
    Figure("deleted-most", "lmdb", .final("every-launch")),
    Figure("deleted-most", "sqlite", .final("never")),
    Figure("deleted-most", "sqlite", .final("every-launch")),
    Figure("deleted-most", "mdbx", .final("never")),
    Figure("deleted-most", "mdbx", .final("every-launch")),
    Figure("deleted-most", "realm-core", .highWater("automatic")),
    Figure("deleted-most", "realm-core", .final("automatic")),
    Figure("deleted-most", "native", .final("every-launch")),
    Figure("deleted-most", "sqlite", .final("every-launch")),
    Figure("deleted-most", "lmdb", .final("every-launch")),
    Figure("deleted-most", "mdbx", .final("every-launch")),
    Figure("deleted-most", "realm-core", .final("every-launch")),
    Figure("deleted-most", "realm-core", .final("automatic")),
    Figure("long-pin", "native", .growth(nil)),
    Figure("long-pin", "lmdb", .growth(nil)),
    Figure("long-pin", "sqlite", .growth(nil)),
    Figure("long-pin", "mdbx", .growth(nil)),
    Figure("long-pin", "realm-core", .growth(nil)),
    Figure("address-space", "native", .final("every-launch")),
    Figure("address-space", "lmdb", .final("never")),
    Figure("address-space", "mdbx", .final("never")),
    Figure("split-files", "native", .growth(nil)),
    Figure("split-files", "lmdb", .growth(nil)),
    Figure("split-files", "lmdb", .growth("four")),
    Figure("split-files", "sqlite", .growth(nil)),
    Figure("split-files", "sqlite", .growth("four")),
    Figure("split-files", "mdbx", .growth(nil)),
    Figure("split-files", "mdbx", .growth("four")),
    Figure("split-files", "realm-core", .growth(nil)),
    Figure("long-reader", "native", .growth(nil)),
    Figure("long-reader", "native-oldest-reader", .growth(nil)),
    Figure("long-reader", "lmdb", .growth(nil)),
    Figure("long-reader", "sqlite", .growth(nil)),
    Figure("long-reader", "mdbx", .growth(nil)),
    Figure("long-reader", "realm-core", .growth(nil)),
    Figure("long-reader", "lmdb", .growth("refresh")),
    Figure("long-reader", "sqlite", .growth("refresh")),
    Figure("long-reader", "mdbx", .growth("refresh")),
    Figure("long-reader", "realm-core", .growth("refresh")),
    Figure("frozen-objects", "native", .growth(nil)),
    Figure("frozen-objects", "native", .growth("window-100")),
    Figure("frozen-objects", "lmdb", .growth(nil)),
    Figure("frozen-objects", "lmdb", .growth("window-100")),
    Figure("frozen-objects", "sqlite", .growth(nil)),
    Figure("frozen-objects", "mdbx", .growth(nil)),
    Figure("frozen-objects", "mdbx", .growth("window-100")),
    Figure("frozen-objects", "realm-core", .highWaterOf("window-10")),
    Figure("frozen-objects", "realm-core", .highWaterOf("window-100")),
    Figure("late-pools", "native", .growth(nil)),
    Figure("late-pools", "native", .growth("never")),
    Figure("late-pools", "lmdb", .growth(nil)),
    Figure("late-pools", "lmdb", .growth("never")),
    Figure("late-pools", "sqlite", .growth(nil)),
    Figure("late-pools", "mdbx", .growth(nil)),
    Figure("late-pools", "mdbx", .growth("never")),
    Figure("late-pools", "realm-core", .growth(nil)),
    Figure("late-pools", "realm-core", .growth("never")),
    Figure("late-pools", "lmdb", .growth("explicit-pool")),
    Figure("late-pools", "sqlite", .growth("explicit-pool")),
    Figure("writers-in-line", "native", .growth(nil)),
    Figure("writers-in-line", "lmdb", .growth(nil)),
    Figure("writers-in-line", "lmdb", .growth("letting-go")),
    Figure("writers-in-line", "sqlite", .growth(nil)),
    Figure("writers-in-line", "sqlite", .growth("letting-go")),
    Figure("writers-in-line", "mdbx", .growth(nil)),
    Figure("writers-in-line", "realm-core", .growth(nil)),
    Figure("deleted-most", "native", .highWater("automatic")),
    Figure("deleted-most", "native", .final("automatic")),
    Figure("long-reader", "native", .final("automatic")),
    Figure("deleted-most", "sqlite", .final("automatic")),
    Figure("deleted-most", "realm-core", .highWater("automatic")),
    Figure("deleted-most", "realm-core", .final("automatic")),
    Figure("long-reader", "realm-core", .final("automatic")),
    Figure("compaction-skipped", "native", .final("every-launch")),
    Figure("compaction-skipped", "lmdb", .final("every-launch")),
    Figure("compaction-skipped", "sqlite", .final("every-launch")),
    Figure("compaction-skipped", "mdbx", .final("every-launch")),
    Figure("compaction-skipped", "realm-core", .final("every-launch")),
    Figure("compaction-at-launch", "native", .final("half-free")),
    Figure("compaction-at-launch", "native", .highWater("half-free")),
    Figure("compaction-at-launch", "lmdb", .final("half-free")),
    Figure("compaction-at-launch", "sqlite", .final("half-free")),
    Figure("compaction-at-launch", "mdbx", .final("half-free")),
    Figure("compaction-at-launch", "realm-core", .final("half-free")),
    Figure("compaction-at-launch", "realm-core", .highWater("half-free")),
  ]

  @Test("every figure of the page stands in the gallery of its engine")
  func figures() throws {
    var galleries: [String: String] = [:]
    for path in Set(Self.figures.map(\.gallery)) {
      galleries[path] = try Repository.text(path)
    }
    let page = try Repository.text("Reports/Claims/README.md")
    let figure = #/`\d[\d.]* k?M?B`/#
    var rest = Self.figures[...]
    var missing: [String] = []
    let written = page.replacing(figure) { match in
      guard let next = rest.popFirst(), let text = galleries[next.gallery].flatMap(next.text)
      else {
        missing.append(String(match.0))
        return String(match.0)
      }
      return "`\(text)`"
    }
    #expect(rest.isEmpty, "the page has fewer figures than are named here")
    #expect(missing == [], "the gallery does not have these, or they are not named here")
    if Repository.isUpdating {
      try Repository.write(written, to: "Reports/Claims/README.md")
    } else {
      #expect(page == written, "UPDATE_GOLDEN=1 swift test --filter ClaimFigureTests")
    }
  }
}
