// A figure that a page of Reports/Claims takes from a gallery, and the comparison of a page with the galleries.
import Foundation
import SystemIO
import TestSupport
import Testing

/// Where a figure stands in a section of the gallery.
struct GalleryFigure {
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
    let own = "Reports/Peers/\(engine)/README.md"
    return FileSystem.exists(Repository.root.pushing(FilePath(own)))
      ? own : "Reports/Gallery/README.md"
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

/// Compares the figures of a page, in their order, with where they stand in the galleries.
func expectFigures(_ figures: [GalleryFigure], on path: String) throws {
  var galleries: [String: String] = [:]
  for path in Set(figures.map(\.gallery)) { galleries[path] = try Repository.text(path) }
  let page = try Repository.text(path)
  var rest = figures[...]
  var missing: [String] = []
  let written = page.replacing(#/`\d[\d.]* k?M?B`/#) { match in
    guard let next = rest.popFirst(), let text = galleries[next.gallery].flatMap(next.text)
    else {
      missing.append(String(match.0))
      return String(match.0)
    }
    return "`\(text)`"
  }
  #expect(rest.isEmpty, "\(path) has fewer figures than are named here")
  #expect(missing == [], "the gallery does not have these, or they are not named here")
  if Repository.isUpdating {
    try Repository.write(written, to: path)
  } else {
    #expect(page == written, "UPDATE_GOLDEN=1 swift test --filter ClaimFigureTests")
  }
}
