// The properties whose changes an observer is told, also those of linked objects: `"name"`, `"dogs.name"`.
import StorageEngine

/// The columns of a class whose changes are delivered, each with the columns of the objects that it links to.
struct ObservedColumns: Sendable {
  /// nil for all of the class; those of linked objects are then not observed.
  private var columns: [Int: ObservedColumns]?
  /// Whether a name was not found, which has been reported.
  private(set) var isUnknown = false

  private static let nothing = ObservedColumns(columns: [:])

  private init(columns: [Int: ObservedColumns]?) { self.columns = columns }

  /// The columns of a class by name, behind links by the names of these; nil for all.
  init(_ names: [String]?, of objectClass: ObjectClass, _ instance: OpenRealm) {
    guard let names else {
      columns = nil
      return
    }
    columns = [:]
    for name in names where !isUnknown {
      let parts = name.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
      guard add(parts[...], of: objectClass) else {
        isUnknown = true
        Misuse.report(
          .invalidValue, "\(objectClass.schema.name) has no property '\(name)' to observe.",
          file: instance.url)
        continue
      }
    }
  }

  /// Returns false if there is no such property.
  private mutating func add(_ names: ArraySlice<String>, of objectClass: ObjectClass) -> Bool {
    guard let first = names.first, let column = objectClass.schema.column(first) else {
      return false
    }
    var behind = columns?[column.index] ?? .nothing
    let rest = names.dropFirst()
    if !rest.isEmpty {
      guard let target = objectClass.target(column), behind.add(rest, of: target) else {
        return false
      }
    }
    columns?[column.index] = behind
    return true
  }

  /// Whether changes of a column are delivered.
  func contains(_ column: Int) -> Bool { columns.map { $0[column] != nil } ?? true }

  /// The observed columns of the objects that a column links to; nil for none.
  func behind(_ column: Int) -> ObservedColumns? {
    guard let behind = columns?[column], behind.columns?.isEmpty == false else { return nil }
    return behind
  }

  // MARK: One row

  /// Returns the columns in which the records of one row differ, of those that are observed.
  func changed(
    _ old: UnsafeRawBufferPointer, _ new: UnsafeRawBufferPointer, _ info: ClassInfo
  ) -> [Int] {
    guard let old = ObjectRecord(old), let new = ObjectRecord(new) else { return [] }
    return info.schema.columns.indices.filter { column in
      guard contains(column) else { return false }
      let position = info.positions[column]
      let (before, after) = (try? old.column(position), try? new.column(position))
      guard let before, let after else { return (before == nil) != (after == nil) }
      return !before.elementsEqual(after)
    }
  }

  /// Returns whether an observed column of a row differs between two versions, which both have the row.
  func areChanged(
    _ key: RowKey, _ difference: VersionDifference, _ info: ClassInfo
  ) throws(StorageError) -> Bool {
    guard columns != nil else { return true }
    var before: [UInt8] = []
    var areChanged = false
    _ = try difference.old.get(info.table, key) { before = Array($0) }
    _ = try difference.new.get(info.table, key) { after in
      areChanged = before.withUnsafeBytes { !changed($0, after, info).isEmpty }
    }
    return areChanged
  }
}
