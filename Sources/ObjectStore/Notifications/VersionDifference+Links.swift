// Changes that are not in an object's own row: of the elements of its collections, and of objects that it links to. The
// owners are found from what has changed, by the keys of elements and by backlinks.
import StorageEngine

extension VersionDifference {
  /// Returns, by column, the rows whose collections, or objects behind links, have changed in what is observed.
  func linkedChanges(
    _ info: ClassInfo, _ observed: ObservedColumns, _ instance: OpenRealm
  ) throws(StorageError) -> [Int: Set<RowKey>] {
    var changes: [Int: Set<RowKey>] = [:]
    for column in info.schema.columns where column.isLinked && observed.contains(column.index) {
      let file = info.file.columns[info.positions[column.index]]
      var owners: Set<RowKey> = []
      if let elements = file.elements { owners = try self.owners(elements, info.table.keyKind) }
      if let behind = observed.behind(column.index), let backlinks = file.backlinks,
        let type = info.objectClass.targets[column.index],
        let target = instance.classInfo(for: type)
      {
        for key in try changedRows(target, behind, instance) {
          for row in try new.rows(backlinks, prefix: ElementKey.prefix(key)) {
            if let owner = row.key.withUnsafeBytes({ RowKey(linkBytes: $0) }) {
              owners.insert(owner)
            }
          }
        }
      }
      if !owners.isEmpty { changes[column.index] = owners }
    }
    return changes
  }

  /// Returns the rows that both versions have and whose observed columns differ, also behind links.
  func changedRows(
    _ info: ClassInfo, _ observed: ObservedColumns, _ instance: OpenRealm
  ) throws(StorageError) -> Set<RowKey> {
    var keys: Set<RowKey> = []
    for row in try rows(info.table) where row.wasThere && row.isThere {
      if try observed.areChanged(row.key, self, info) { keys.insert(row.key) }
    }
    for owners in try linkedChanges(info, observed, instance).values { keys.formUnion(owners) }
    return keys
  }

  /// Returns the owners of the elements that have changed.
  private func owners(_ elements: Table, _ kind: KeyKind) throws(StorageError) -> Set<RowKey> {
    var owners: Set<RowKey> = []
    for row in try rows(elements) {
      if case .bytes(let bytes) = row.key, let owner = ElementKey.owner(ofEntry: bytes, kind) {
        owners.insert(owner)
      }
    }
    return owners
  }

  /// Returns whether any row of these tables differs.
  func differs(in tables: Set<Table>) throws(StorageError) -> Bool {
    for table in tables where try !rows(table).isEmpty { return true }
    return false
  }
}

// MARK: What a query depends on

extension ObjectQuery {
  /// The tables by whose rows objects match, or are ordered, besides the class's own.
  func linkedTables(_ info: ClassInfo, _ instance: OpenRealm) -> Set<Table> {
    var tables: Set<Table> = []
    condition.addTables(info, instance, &tables)
    for path in orderingColumns {
      var owner: ClassInfo? = info
      for link in path.links { owner = link.addTables(owner, instance, &tables) }
    }
    return tables
  }
}

extension QueryCondition {
  fileprivate func addTables(_ info: ClassInfo?, _ instance: OpenRealm, _ tables: inout Set<Table>)
  {
    switch self {
    case .always, .compare, .contained, .text: break
    case .linked(let step, let condition):
      let target = step.addTables(info, instance, &tables)
      condition.addTables(target, instance, &tables)
    case .computed(let computation, _):
      var owner = computation.step.addTables(info, instance, &tables)
      if case .count(let condition) = computation.function {
        condition.addTables(owner, instance, &tables)
      }
      for link in computation.links { owner = link.addTables(owner, instance, &tables) }
    case .and(let a, let b), .or(let a, let b):
      a.addTables(info, instance, &tables)
      b.addTables(info, instance, &tables)
    case .not(let condition): condition.addTables(info, instance, &tables)
    }
  }
}

extension LinkStep {
  /// Returns the class behind the step; nil for values.
  fileprivate func addTables(
    _ owner: ClassInfo?, _ instance: OpenRealm, _ tables: inout Set<Table>
  ) -> ClassInfo? {
    let next = target.flatMap { instance.classInfo(for: $0.type) }
    if let next { tables.insert(next.table) }
    if let info = kind == .backlinks ? next : owner {
      let file = info.file.columns[info.positions[column]]
      if let table = kind == .backlinks ? file.backlinks : file.elements { tables.insert(table) }
    }
    return next
  }
}
