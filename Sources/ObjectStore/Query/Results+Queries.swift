// Narrowing, sorting and searching results, and the plan of a query.
import StorageEngine

extension Results {
  // MARK: Narrowing

  /// Returns the objects that match both this collection's condition and another. Objects are compared with the conditions
  /// first: `distinct` retains the first of those that match.
  public func `where`(_ isIncluded: (Query<Element>) -> Query<Bool>) -> Results<Element> {
    let path = QueryPath(instance.coordinator, ObjectClass.of(Element.self))
    let added = isIncluded(Query<Element>(.objects(path))).condition
    var query = query
    query.condition = query.condition.isAlways ? added : .and(query.condition, added)
    return with(query)
  }

  // MARK: Sorting

  /// Returns the collection sorted by one more property, after those that it is sorted by. nil is first. Strings are in the
  /// order of their bytes in UTF-8.
  /// A key path over to-one links, `\.dog?.name`, sorts objects without a link as those with nil.
  public func sorted<Value: PersistedValue>(
    by path: KeyPath<Element, Value>, ascending: Bool = true
  ) -> Results<Element> {
    sorted(by: [SortDescriptor(keyPath: path, ascending: ascending)])
  }

  public func sorted(byKeyPath name: String, ascending: Bool = true) -> Results<Element> {
    sorted(by: [SortDescriptor(keyPath: name, ascending: ascending)])
  }

  /// Returns the collection sorted by several properties: by each where those before it are equal. Reports misuse, and
  /// returns the collection, for a name that is no property's.
  public func sorted(by descriptors: some Sequence<SortDescriptor>) -> Results<Element> {
    var keys: [SortKey] = []
    for descriptor in descriptors {
      guard let column = columnPath(descriptor.keyPath, for: "sort by") else { return self }
      keys.append(SortKey(column: column, ascending: descriptor.ascending))
    }
    var query = query
    query.sort(by: keys)
    return with(query)
  }

  // MARK: Distinct

  /// Returns the first object, in the order of the collection, for each combination of values. nil equals nil.
  public func distinct(by paths: [PartialKeyPath<Element>]) -> Results<Element> {
    let objectClass = ObjectClass.of(Element.self)
    return distinct(by: paths.map { objectClass.name(of: $0) })
  }

  /// The same for properties by name. Reports misuse, and returns the collection, for a name that is no property's.
  public func distinct(by names: some Sequence<String>) -> Results<Element> {
    var columns: [ColumnPath] = []
    for name in names {
      guard let column = columnPath(name, for: "compare") else { return self }
      columns.append(column)
    }
    var query = query
    query.ordering.append(.distinct(columns))
    return with(query)
  }

  /// Returns the column of a property, of the class or at the end of to-one links; reports misuse if there is none.
  private func columnPath(_ name: String, for purpose: String) -> ColumnPath? {
    let path = ColumnPath(name, of: ObjectClass.of(Element.self))
    if path == nil { reportUnknown(name, purpose) }
    return path
  }

  /// Returns the column of a property of the class; reports misuse if there is none.
  func column(_ name: String, for purpose: String) -> Column? {
    let column = ObjectClass.of(Element.self).schema.column(name)
    if column == nil { reportUnknown(name, purpose) }
    return column
  }

  private func reportUnknown(_ name: String, _ purpose: String) {
    Misuse.report(
      .invalidValue,
      "\(ObjectClass.name(of: Element.self)) has no property '\(name)' to \(purpose).",
      file: instance.url)
  }

  // MARK: Searching

  /// Returns the object's index; nil if it is not in the collection, or not in this realm.
  public func index(of object: Element) -> Int? {
    guard let row = object.row, row.instance === instance else { return nil }
    return index(of: row.key)
  }

  /// Returns the index of the first object that matches; nil if none does.
  public func index(matching isIncluded: (Query<Element>) -> Query<Bool>) -> Int? {
    // The first object of a set of equal ones may not match where another does.
    guard !query.ordering.contains(where: \.removesObjects) else {
      let matching = Set(`where`(isIncluded).with(unordered: true).keys())
      return keys().firstIndex { matching.contains($0) }
    }
    return `where`(isIncluded).firstKey.flatMap { index(of: $0) }
  }

  /// The same objects in the order of their keys, of equal ones all.
  private func with(unordered: Bool) -> Results<Element> {
    var query = query
    if unordered { query.ordering = [] }
    return with(query)
  }

  private func index(of key: RowKey) -> Int? {
    let keys = keys()
    guard query.ordering.isEmpty else { return keys.firstIndex(of: key) }
    let index = keys.lowerBound(of: key)
    return index < keys.count && keys[index] == key ? index : nil
  }

  // MARK: Plan

  /// Returns how the objects are found, in one line: the index, or the primary key, with the conditions that limit the range
  /// of it that is read; then the conditions with which rows are compared; then the order. The primary key comes before an
  /// index and backlinks, equality before a range with two ends, and that before one with one end. What no condition limits
  /// is a scan.
  ///
  /// ```
  /// index Person.name: name starts with "A"; filter: age > 30; sort by age descending
  /// ```
  public func explain() -> String {
    guard instance.check(), !isInvalidated, let info = instance.classInfo(for: Element.self) else {
      return "no objects of \(ObjectClass.name(of: Element.self))"
    }
    return plan(info).text(query.ordering, info)
  }
}

extension [RowKey] {
  /// Returns the index of the first key that is not less, in ascending keys.
  func lowerBound(of key: RowKey) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if self[middle] < key { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
