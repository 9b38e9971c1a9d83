// Reading the collections of managed objects.
import StorageEngine

extension ManagedProperty {
  var instance: OpenRealm { row.instance }
  var file: FileClass.FileColumn { row.info.file.columns[row.info.positions[column]] }
  var source: ElementSource { ElementSource(instance) }

  /// Whether the owner was deleted, or the realm invalidated.
  var isInvalidated: Bool { !row.isUsable || !row.exists }

  /// Calls `body` if the caller may read the property; returns `fallback` after misuse.
  private func reading<Result>(
    _ fallback: Result, _ body: () throws(StorageError) -> Result
  ) -> Result {
    guard instance.check(), row.checkUsable() else { return fallback }
    do throws(StorageError) { return try body() } catch {
      Misuse.report(RealmError(error, file: instance.url))
      return fallback
    }
  }

  /// Returns the column's value in the record; nil after misuse.
  func header() -> ColumnValue? {
    reading(nil) { () throws(StorageError) in
      // Pins the version, which changes the stamp.
      if instance.writing == nil { _ = try instance.snapshot() }
      var value: ColumnValue?
      let exists = try instance.get(row.info.table, row.key) { bytes in
        value = try? ObjectRecord(bytes)?.value(row.info.positions[column], file.kind)
      }
      guard exists else {
        row.reportDeleted()
        return nil
      }
      guard let value else { throw OpenRealm.corruptRowError(row.info) }
      return value
    }
  }

  var count: Int {
    switch header() {
    case .list(_, let count), .members(let count): Int(count)
    default: 0
    }
  }

  private var elements: Table {
    guard let table = file.elements else {
      preconditionFailure("\(file.name) is not a collection.")
    }
    return table
  }

  /// Returns the element of a list at a position; nil after misuse.
  func element(_ position: Int64) -> ColumnValue? {
    reading(nil) { () throws(StorageError) in
      var value: ColumnValue?
      let key = RowKey.bytes(ElementKey.position(position, of: row.key))
      _ = try instance.get(elements, key) { value = file.decodeElement($0) }
      guard let value else { throw file.corruptElementError }
      return value
    }
  }

  /// Returns all elements of a list, or all values of a set, in order.
  func values() -> [ColumnValue] {
    let count = count
    guard count > 0 else { return [] }
    return reading([]) { () throws(StorageError) in
      let rows = try instance.rows(elements, prefix: ElementKey.prefix(row.key), limit: count)
      var values: [ColumnValue] = []
      for row in rows { values.append(try file.element(row)) }
      return values
    }
  }

  /// Returns the entries of a map, in the order of their strings.
  func entries() -> [(key: String, value: ColumnValue)] {
    let count = count
    guard count > 0 else { return [] }
    return reading([]) { () throws(StorageError) in
      var entries: [(key: String, value: ColumnValue)] = []
      for row in try instance.rows(elements, prefix: ElementKey.prefix(row.key), limit: count) {
        entries.append(
          (String(decoding: row.key.dropFirst(), as: UTF8.self), try file.element(row)))
      }
      return entries
    }
  }

  /// Returns whether a set has an element.
  func contains(_ value: ColumnValue) -> Bool {
    guard header() != nil else { return false }
    return reading(false) { () throws(StorageError) in
      let key = RowKey.bytes(ElementKey.member(value, ElementKey.prefix(row.key)))
      return try instance.get(elements, key) { _ in }
    }
  }

  /// Returns the value that a map has for a string; nil for none.
  func entry(_ name: String) -> ColumnValue? {
    guard header() != nil, name.utf8.count <= ElementKey.maxMemberLength else { return nil }
    return reading(nil) { () throws(StorageError) in
      var value: ColumnValue?
      let key = RowKey.bytes(ElementKey.member(.string(name), ElementKey.prefix(row.key)))
      guard try instance.get(elements, key, { value = file.decodeElement($0) }) else { return nil }
      guard let value else { throw file.corruptElementError }
      return value
    }
  }

  /// Returns what the property contains.
  func content() -> PropertyContent {
    switch row.info.schema.columns[column].collection?.form {
    case nil: .value(element(row.value(column)))
    case .list, .set: .list(values().map(element))
    case .map: .entries(entries().map { ($0.key, element($0.value)) })
    }
  }

  private func element(_ value: ColumnValue) -> ElementContent {
    guard case .link(let key) = value, let type = row.info.objectClass.targets[column],
      let info = instance.classInfo(for: type)
    else { return .value(value) }
    return .object(instance.object(type, info, key))
  }
}
