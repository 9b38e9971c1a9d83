// The objects that match a condition: found at the first access, and again after the instance has changed or moved.
import Foundation
import StorageEngine

/// A live collection of the objects of one class, confined as its realm is. It is in the order of the primary key, or of
/// creation if there is none, unless it is sorted.
public struct Results<Element: Object>: RandomAccessCollection {
  let instance: OpenRealm
  private let query: ObjectQuery
  private let generation: Int
  private let cache = Cache((-1, []))

  /// The keys that were found at a stamp of the instance; shared by the copies of one collection.
  private typealias Cache = LockedValue<(stamp: Int, keys: [RowKey])>

  init(_ instance: OpenRealm, _ query: ObjectQuery = ObjectQuery(), generation: Int? = nil) {
    self.instance = instance
    self.query = query
    self.generation = generation ?? instance.generation
  }

  // MARK: Finding

  /// Returns the keys of the rows, in order; none after misuse.
  func keys() -> [RowKey] {
    guard instance.check(), !isInvalidated else { return [] }
    do throws(StorageError) {
      // Pins the version, which changes the stamp.
      if instance.writing == nil { _ = try instance.snapshot() }
      let known = cache.withLock { $0 }
      if known.stamp == instance.stamp { return known.keys }
      let keys = try find()
      cache.withLock { $0 = (instance.stamp, keys) }
      return keys
    } catch {
      Misuse.report(RealmError(error, file: instance.url))
      return []
    }
  }

  private func find() throws(StorageError) -> [RowKey] {
    guard let info = instance.classInfo(for: Element.self) else { return [] }
    var rows: [(key: RowKey, values: [ColumnValue])] = []
    var keys: [RowKey] = []
    try instance.forEachMatch(info, query.condition) { key, value in
      if query.sortOrder.isEmpty {
        keys.append(key)
      } else {
        rows.append((key, query.sortOrder.map { value($0.column) }))
      }
      return true
    }
    guard !query.sortOrder.isEmpty else { return keys }
    let order = query.sortOrder
    // Equal objects stay in the order of the rows.
    let sorted = rows.indices.sorted { a, b in
      for (index, by) in order.enumerated() {
        let (left, right) = (rows[a].values[index], rows[b].values[index])
        if left == right { continue }
        return (left.precedes(right) ?? false) == by.ascending
      }
      return a < b
    }
    return sorted.map { rows[$0].key }
  }

  private func object(_ key: RowKey) -> Element {
    guard let info = instance.classInfo(for: Element.self) else {
      preconditionFailure("A row was found of a class that the realm does not have.")
    }
    return instance.object(Element.self, info, key)
  }

  // MARK: Collection

  public var startIndex: Int { 0 }
  public var endIndex: Int { count }

  public var count: Int {
    guard case .always = query.condition else { return keys().count }
    guard instance.check(), !isInvalidated, let info = instance.classInfo(for: Element.self) else {
      return 0
    }
    return (try? instance.count(info.table)) ?? 0
  }

  public subscript(index: Int) -> Element {
    let keys = keys()
    precondition(
      keys.indices.contains(index),
      "Index \(index) is out of bounds (must be less than \(keys.count)).")
    return object(keys[index])
  }

  public var first: Element? {
    if !query.sortOrder.isEmpty || cache.withLock({ $0.stamp }) == instance.stamp {
      return keys().first.map { object($0) }
    }
    guard instance.check(), !isInvalidated, let info = instance.classInfo(for: Element.self) else {
      return nil
    }
    var key: RowKey?
    try? instance.forEachMatch(info, query.condition) { found, _ in
      key = found
      return false
    }
    return key.map { object($0) }
  }

  public var last: Element? { keys().last.map { object($0) } }

  /// Iterates over the objects that are found when it begins, whatever is changed meanwhile.
  public func makeIterator() -> AnyIterator<Element> {
    var rest = keys()[...]
    return AnyIterator { rest.popFirst().map { object($0) } }
  }

  /// Whether the realm was invalidated since.
  public var isInvalidated: Bool { generation != instance.generation }
  public var isFrozen: Bool { instance.isFrozen }

  // MARK: Narrowing and sorting

  public func `where`(_ isIncluded: (Query<Element>) -> Query<Bool>) -> Results<Element> {
    let added = isIncluded(Query<Element>(.object(ObjectClass.of(Element.self)))).condition
    var query = query
    if case .always = query.condition {
      query.condition = added
    } else {
      query.condition = .and(query.condition, added)
    }
    return Results(instance, query, generation: generation)
  }

  /// Returns the collection sorted by one more property, after those that it is sorted by.
  public func sorted<Value: PersistedValue>(
    by path: KeyPath<Element, Value>, ascending: Bool = true
  ) -> Results<Element> {
    let objectClass = ObjectClass.of(Element.self)
    guard let column = objectClass.column(of: path) else {
      preconditionFailure(
        "\(objectClass.schema.name) can be sorted by its persisted properties only.")
    }
    return sorted(column, ascending)
  }

  public func sorted(byKeyPath name: String, ascending: Bool = true) -> Results<Element> {
    let schema = ObjectClass.of(Element.self).schema
    guard let column = schema.column(name) else {
      Misuse.report(
        .invalidValue, "\(schema.name) has no property '\(name)' to sort by.",
        file: instance.url)
      return self
    }
    return sorted(column, ascending)
  }

  private func sorted(_ column: Column, _ ascending: Bool) -> Results<Element> {
    var query = query
    query.sortOrder.append(SortKey(column: column.index, ascending: ascending))
    return Results(instance, query, generation: generation)
  }

  // MARK: Versions

  /// Returns the same query in the version that is read now, which is pinned until the result is released.
  public func freeze() -> Results<Element> {
    if isFrozen { return self }
    return Results(instance.freeze(), query)
  }

  /// Returns the same query in the live realm of the calling thread; nil if it cannot be opened.
  public func thaw() -> Results<Element>? {
    guard isFrozen else { return self }
    return instance.thaw().map { Results($0, query) }
  }
}
