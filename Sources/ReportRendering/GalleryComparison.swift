// Whether a gallery's exact results reproduce: cell by cell and figure by figure, for those engines whose version is the
// same.
package import RecordModel

package struct GalleryComparison: Sendable, Equatable {
  /// What differs, each with scenario, engine, policy, arm and figure.
  package private(set) var differences: [String] = []
  /// What could not be compared, and why.
  package private(set) var notes: [String] = []
  package private(set) var compared = 0

  /// - Parameters:
  ///   - kept: the CSV in the gallery.
  ///   - made: that of the run.
  package init(kept: String, made: String, name: String) throws(RecordError) {
    let (old, new) = (try Self.rows(kept, name), try Self.rows(made, name))
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

  private mutating func compare(_ key: String, _ kept: [String], _ made: [String]) {
    let (version, status) = (4, 5)
    if made[status] == "absent" {
      notes.append("\(key): not on this machine")
      return
    }
    guard kept[version] == made[version] else {
      notes.append(
        "\(key): the gallery has version \(kept[version]), this machine \(made[version])")
      return
    }
    compared += 1
    for (column, (old, new)) in zip(GalleryEntry.columns, zip(kept, made)) where old != new {
      differences.append(
        "\(key): \(column) \(Self.shown(old)) in the gallery, \(Self.shown(new)) now")
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
