// Writing planned objects: their rows, the links of these, and the elements of their collections.
import StorageEngine

extension OpenRealm {
  func exists(_ info: ClassInfo, _ key: RowKey) throws(RealmError) -> Bool {
    try mappingErrors { () throws(StorageError) in try get(info.table, key) { _ in } }
  }

  /// Error `invalidValue`: the key is too long for objects that have or are links.
  func checkLinkable(_ key: RowKey) throws(RealmError) {
    guard ElementKey.hasSpace(for: key) else {
      throw RealmError(
        .invalidValue,
        "The primary key of an object that has links or collections, or that links lead to, has at most 253 bytes.",
        file: url)
    }
  }

  /// Throws an error if a property cannot link to an object that is managed. `willExist` returns whether a plan adds it.
  func checkLink(
    to row: ManagedRow, _ column: Column, willExist: () -> Bool = { false }
  ) throws(RealmError) {
    if column.target?.isEmbedded ?? false {
      throw RealmError(
        .invalidValue,
        "An embedded object belongs to one property: this one has an owner already. Assign a new object.",
        file: url)
    }
    try checkLinkable(row.key)
    guard row.instance === self else {
      throw RealmError(
        .invalidValue,
        "The object is managed by another realm: copy it with create(_:value:update:).", file: url)
    }
    guard row.isUsable, row.exists || willExist() else {
      throw RealmError(
        .invalidated,
        "An object of class \(row.info.schema.name) that is linked to was deleted or invalidated.",
        file: url)
    }
  }

  /// Adds an object of a class with links. `contents` returns the contents by column, nil for those of `object`.
  func storeGraph(
    _ object: ObjectBase, _ policy: UpdatePolicy, for purpose: StaticString,
    contents: (ClassInfo) throws(RealmError) -> [PropertyContent?]?
  ) {
    guard let transaction = transaction(for: purpose), let info = classInfo(for: type(of: object))
    else { return }
    do throws(RealmError) {
      var plan = GraphPlan(self, policy, transaction)
      try plan.add(object, given: try contents(info))
      write(plan, transaction)
    } catch {
      Misuse.report(error)
    }
  }

  /// Writes the rows of a plan. Returns whether they were written.
  @discardableResult
  func write(_ plan: GraphPlan, _ transaction: WriteTransaction) -> Bool {
    guard !plan.items.isEmpty else { return true }
    let written: Void? = performChange { () throws(StorageError) in
      for item in plan.items { try write(item, transaction) }
    }
    guard written != nil else { return false }
    for item in plan.items { item.object.wrappersDidBecomeManaged(item.row) }
    return true
  }

  private func write(
    _ item: GraphPlan.Item, _ transaction: WriteTransaction
  ) throws(StorageError) {
    let (info, key) = (item.row.info, item.row.key)
    let schema = info.schema
    let old = item.exists ? try values(info, key) : nil
    var values: [ColumnValue?] = []
    for (column, content) in zip(schema.columns, item.contents) {
      if column.collection == nil, case .value(let element)? = content {
        values.append(Self.columnValue(element))
      } else {
        values.append(old?[column.index] ?? .null)
      }
    }
    let isSame = old.map { old in zip(values, old).allSatisfy { $0 == $1 } } ?? false
    if !isSame {
      try transaction.put(info.table, key, recordBuffer.encode(values, info.columns))
      if info.hasIndexes { try updateIndexes(info, key, from: old, to: values, transaction) }
    }
    if schema.hasLinks {
      try changeLinkedRows(transaction) { (rows) throws(StorageError) in
        for column in schema.columns {
          try Self.writeLinks(
            item, column, values[column.index] ?? .null, old?[column.index], &rows)
        }
        try rows.deleteOrphans()
      }
    }
    if old == nil { info.changes.created += 1 } else { info.changes.updated += 1 }
  }

  private static func writeLinks(
    _ item: GraphPlan.Item, _ column: Column, _ value: ColumnValue, _ old: ColumnValue?,
    _ rows: inout LinkedRows
  ) throws(StorageError) {
    let (info, key) = (item.row.info, item.row.key)
    let position = info.positions[column.index]
    if column.collection != nil {
      guard let content = item.contents[column.index] else { return }
      _ = try replace(info, key, position, content, &rows)
    } else if column.target != nil, old != value {
      try rows.link(info.file, key, position, to: value)
      if let old { try rows.unlink(info.file, key, position, from: old) }
    }
  }

  /// Returns a value, or the link to an object that is managed by now.
  static func columnValue(_ element: ElementContent) -> ColumnValue {
    switch element {
    case .value(let value): value
    case .object(let object), .creation(let object, _): object.row.map { .link($0.key) } ?? .null
    }
  }

  /// Replaces the elements of a collection. Returns false if there is no such row.
  static func replace(
    _ info: ClassInfo, _ key: RowKey, _ position: Int, _ content: PropertyContent,
    _ rows: inout LinkedRows
  ) throws(StorageError) -> Bool {
    switch (content, info.file.columns[position].collection?.form) {
    case (.entries(let entries), .map):
      guard try rows.clear(info.file, key, position) else { return false }
      for entry in entries {
        _ = try rows.setEntry(info.file, key, position, entry.key, columnValue(entry.value))
      }
      return true
    case (.list(let elements), .set):
      guard try rows.clear(info.file, key, position) else { return false }
      return try rows.insertMembers(info.file, key, position, elements.map(columnValue)) != nil
    case (.list(let elements), .list):
      guard let (_, count) = try rows.listRange(info.file, key, position) else { return false }
      return try rows.splice(info.file, key, position, 0..<count, elements.map(columnValue))
    default: preconditionFailure("A collection's content is that of another type.")
    }
  }
}

extension ManagedRow {
  /// Writes a link or a collection; adds the objects in it that are unmanaged.
  func write(column: Int, _ content: PropertyContent) {
    let property = ManagedProperty(self, column)
    property.change(adding: content) { (rows, file, position) throws(StorageError) in
      if case .value(let element) = content {
        return try rows.setLink(file, key, position, OpenRealm.columnValue(element))
      }
      return try OpenRealm.replace(info, key, position, content, &rows)
    }
  }
}

extension ManagedProperty {
  /// Adds the unmanaged objects in `content`, then calls `body` in the open transaction; `body` returns false if the owner's
  /// row does not exist. Returns whether the change was made.
  @discardableResult
  func change(
    adding content: PropertyContent = .nothing,
    _ body: (inout LinkedRows, FileClass, Int) throws(StorageError) -> Bool
  ) -> Bool {
    change(body) { (transaction) throws(RealmError) in
      // Nothing is added for an owner that is gone. Otherwise `body` finds out with its own search.
      guard !content.addsObjects || row.exists else {
        row.reportDeleted()
        return false
      }
      var plan = GraphPlan(instance, .error, transaction)
      try plan.add(content, to: row.info.schema.columns[column], of: row.info.schema.name)
      return instance.write(plan, transaction)
    }
  }

  /// Appends an element to a list. A value, or an object of the realm, takes no plan.
  func append(_ element: ElementContent) {
    var known: ColumnValue?
    var linked: ManagedRow?
    switch element {
    case .value(let value): known = value
    case .object(let object):
      linked = object.row
      known = linked.map { .link($0.key) }
    case .creation: break
    }
    guard let known else {
      change(adding: .list([element])) { (rows, file, position) throws(StorageError) in
        try rows.append(file, row.key, position, OpenRealm.columnValue(element))
      }
      return
    }
    change { (rows, file, position) throws(StorageError) in
      try rows.append(file, row.key, position, known)
    } preparing: { (_) throws(RealmError) in
      if let linked { try instance.checkLink(to: linked, row.info.schema.columns[column]) }
      return true
    }
  }

  /// Calls `prepare`, and then `body` if that returns true, in the open transaction.
  @discardableResult
  @inline(__always)
  private func change(
    _ body: (inout LinkedRows, FileClass, Int) throws(StorageError) -> Bool,
    preparing prepare: (WriteTransaction) throws(RealmError) -> Bool
  ) -> Bool {
    guard let transaction = instance.transaction(for: "modify managed objects"), row.checkUsable()
    else { return false }
    do throws(RealmError) {
      try instance.checkLinkable(row.key)
      guard try prepare(transaction) else { return false }
    } catch {
      Misuse.report(error)
      return false
    }
    let position = row.info.positions[column]
    let changed = instance.performChange { () throws(StorageError) in
      try instance.changeLinkedRows(transaction) { (rows) throws(StorageError) in
        try body(&rows, row.info.file, position)
      }
    }
    if changed == false { row.reportDeleted() }
    if changed == true { row.info.changes.updated += 1 }
    return changed ?? false
  }
}
