// Compares a gallery's exact results with those of a run: cell by cell and figure by figure, for the cells that this machine
// can run with the same version of the engine.
package import RecordModel

package struct GalleryComparison: Sendable, Equatable {
  /// Cells that are left out of the comparison for the same reason.
  package struct Skipped: Sendable, Equatable {
    package let reason: String
    /// The cells, each named by scenario, engine, policy and arm.
    package fileprivate(set) var cells: [String]
  }

  /// The differences, each named by scenario, engine, policy, arm and figure.
  package private(set) var differences: [String] = []
  package private(set) var skipped: [Skipped] = []
  package private(set) var compared = 0

  /// - Parameters:
  ///   - stored: the CSV in the gallery.
  ///   - measured: that of the run.
  package init(stored: String, measured: String, name: String) throws(RecordError) {
    let (old, new) = (try Self.rows(stored, name), try Self.rows(measured, name))
    for (key, row) in old.order.map({ ($0, old.cells[$0] ?? []) }) {
      guard let found = new.cells[key] else {
        differences.append("\(key): in the gallery, and not in the run")
        continue
      }
      compare(key, row, found)
    }
    for key in new.order where old.cells[key] == nil {
      differences.append("\(key): in the run, and not in the gallery")
    }
  }

  private mutating func compare(_ key: String, _ stored: [String], _ measured: [String]) {
    let (version, status, reason) = (4, 5, 6)
    if measured[status] == GalleryEntry.unavailable {
      return skip(key, "this machine cannot run them (\(measured[reason]))")
    }
    if stored[status] == GalleryEntry.unavailable {
      return skip(key, "the machine of the gallery could not run them (\(stored[reason]))")
    }
    guard stored[version] == measured[version] else {
      return skip(
        key, "the gallery has version \(stored[version]), this machine \(measured[version])")
    }
    compared += 1
    for (column, (old, new)) in zip(GalleryEntry.columns, zip(stored, measured)) where old != new {
      differences.append(
        "\(key): \(column) \(Self.shown(old)) in the gallery, \(Self.shown(new)) now")
    }
  }

  private mutating func skip(_ key: String, _ reason: String) {
    if let index = skipped.firstIndex(where: { $0.reason == reason }) {
      skipped[index].cells.append(key)
    } else {
      skipped.append(Skipped(reason: reason, cells: [key]))
    }
  }

  private static func shown(_ field: String) -> String { field.isEmpty ? "empty" : field }

  private static func rows(
    _ text: String, _ name: String
  ) throws(RecordError) -> (order: [String], cells: [String: [String]]) {
    let table = try CSVTable(text, header: GalleryEntry.columns, name: name)
    var cells: [String: [String]] = [:]
    let order = table.rows.map { $0[0..<4].joined(separator: " · ") }
    for (key, row) in zip(order, table.rows) { cells[key] = row }
    return (order, cells)
  }
}
