// How a list, a set or a map has changed: its elements are rows of a table of their own, which is compared in both versions.
import StorageEngine

/// A property that is observed, in the instance in which its changes are delivered.
struct ObservedCollection {
  let property: ManagedProperty
  /// The properties of the objects in it whose changes are delivered; nil for values.
  let columns: ObservedColumns?

  private var prefix: [UInt8] { ElementKey.prefix(property.row.key) }

  /// Returns the rows of the collection's elements that differ, without the owner in their keys.
  private func changedElements(
    _ difference: VersionDifference
  ) throws(StorageError) -> [(key: [UInt8], wasThere: Bool, isThere: Bool)] {
    guard let table = property.file.elements else { return [] }
    let prefix = prefix
    return try difference.rows(table).compactMap { row in
      guard case .bytes(let bytes) = row.key, bytes.starts(with: prefix) else { return nil }
      return (Array(bytes.dropFirst(prefix.count)), row.wasThere, row.isThere)
    }
  }

  private func elements(_ version: Snapshot) throws(StorageError) -> [ColumnValue] {
    guard let table = property.file.elements else { return [] }
    var values: [ColumnValue] = []
    for row in try version.rows(table, prefix: prefix) {
      values.append(try property.file.element(row))
    }
    return values
  }

  /// Returns the objects that both versions have and whose observed properties differ.
  private func changedObjects(_ difference: VersionDifference) throws(StorageError) -> Set<RowKey> {
    guard let columns, let type = property.row.info.objectClass.targets[property.column],
      let info = property.instance.classInfo(for: type)
    else { return [] }
    return try difference.changedRows(info, columns, property.instance)
  }

  /// Returns how a list or a set has changed. An element of a list that was replaced is modified.
  func changes(_ difference: VersionDifference) throws(StorageError) -> ChangeSet {
    let areElementsSame = try changedElements(difference).isEmpty
    let objects = try changedObjects(difference)
    guard !areElementsSame || !objects.isEmpty else { return ChangeSet() }
    let after = try elements(difference.new)
    var set = ChangeSet()
    if !areElementsSame {
      set = ChangeSet(from: try elements(difference.old), to: after)
      if property.file.collection?.form == .list { set.pairReplacements() }
    }
    set.addModifications(after) { value in
      if case .link(let key) = value { objects.contains(key) } else { false }
    }
    return set
  }

  /// Returns how a map has changed, by its strings.
  func entryChanges(_ difference: VersionDifference) throws(StorageError) -> EntryChanges {
    var changes = EntryChanges()
    var changed: Set<String> = []
    for row in try changedElements(difference) {
      let key = Self.string(row.key)
      changed.insert(key)
      switch (row.wasThere, row.isThere) {
      case (true, true): changes.modifications.append(key)
      case (false, _): changes.insertions.append(key)
      case (true, false): changes.deletions.append(key)
      }
    }
    let objects = try changedObjects(difference)
    guard !objects.isEmpty, let table = property.file.elements else { return changes }
    for row in try difference.new.rows(table, prefix: prefix) {
      let key = Self.string(row.key)
      if case .link(let object) = try property.file.element(row), objects.contains(object),
        !changed.contains(key)
      {
        changes.modifications.append(key)
      }
    }
    return changes
  }

  private static func string(_ rest: [UInt8]) -> String {
    String(decoding: rest.dropFirst(), as: UTF8.self)
  }
}

/// The strings of a map's changes.
struct EntryChanges {
  var deletions: [String] = []
  var insertions: [String] = []
  var modifications: [String] = []

  var isEmpty: Bool { deletions.isEmpty && insertions.isEmpty && modifications.isEmpty }
}
