// The objects that match a condition: found at the first access, and again after the instance has changed or moved.
import Foundation
import StorageEngine

/// A live collection of the objects of one class, confined as its realm is. It is in the order of the primary key, or of
/// creation if there is none, unless it is sorted.
public struct Results<Element: Object>: RandomAccessCollection {
  let instance: OpenRealm
  let query: ObjectQuery
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

  /// Takes over keys that are those of the version that the instance sees.
  func adopt(_ keys: [RowKey]) { cache.withLock { $0 = (instance.stamp, keys) } }

  private func find() throws(StorageError) -> [RowKey] {
    guard let info = instance.classInfo(for: Element.self) else { return [] }
    let plan = plan(info)
    let columns = query.orderingColumns
    var keys: [RowKey] = []
    var rows: [OrderedRow] = []
    try instance.forEachMatch(info, plan, wanted: columns) { key, row in
      if query.ordering.isEmpty {
        keys.append(key)
      } else {
        rows.append(OrderedRow(key: key, values: columns.map { row.value($0) }))
      }
      return true
    }
    return query.ordering.isEmpty ? keys : query.ordered(rows).map(\.key)
  }

  func plan(_ info: ClassInfo) -> QueryPlan {
    QueryPlan(query.condition, sortedFirstBy: query.firstSortKey, info, instance)
  }

  /// Returns the key of the first or the last row without finding the others, where the rows are found in order.
  private func findEnd(_ end: End) throws(StorageError) -> RowKey? {
    guard let info = instance.classInfo(for: Element.self) else { return nil }
    let columns = query.orderingColumns
    let isAscending = query.firstSortKey?.ascending ?? true
    var rows: [OrderedRow] = []
    try instance.forEachMatch(
      info, plan(info), wanted: columns, backward: (end == .last) == isAscending
    ) { key, row in
      let values = columns.map { row.value($0) }
      // The rows at this end have the same value there, and the others have others.
      if let first = rows.first?.values.first, let value = values.first,
        first.sortsBefore(value) || value.sortsBefore(first)
      {
        return false
      }
      rows.append(OrderedRow(key: key, values: values))
      return !columns.isEmpty
    }
    let ordered = query.ordered(rows.sorted { $0.key < $1.key })
    return end == .first ? ordered.first?.key : ordered.last?.key
  }

  private enum End { case first, last }

  /// Whether rows are found in the order of the first property that the collection is sorted by, or in the other direction.
  private var isFoundInOrder: Bool {
    guard !query.ordering.isEmpty else { return true }
    guard let key = query.firstSortKey, query.ordering.count == 1,
      let info = instance.classInfo(for: Element.self)
    else { return false }
    // Entries of strings and data may lie in another order than the values.
    let kind = info.schema.columns[key.column.column].kind
    return plan(info).followsIndex && kind != .string && kind != .data
  }

  func object(_ key: RowKey) -> Element {
    guard let info = instance.classInfo(for: Element.self) else {
      preconditionFailure("A row was found of a class that the realm does not have.")
    }
    return instance.object(Element.self, info, key)
  }

  // MARK: Collection

  public var startIndex: Int { 0 }
  public var endIndex: Int { count }

  public var count: Int {
    guard query.condition.isAlways, !query.ordering.contains(where: \.removesObjects) else {
      return keys().count
    }
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

  /// The first and the last object. Where the collection is in the order of its class, or of an index, the others are not
  /// found for that.
  public var first: Element? { key(at: .first).map { object($0) } }
  public var last: Element? { key(at: .last).map { object($0) } }

  /// The key of the first row.
  var firstKey: RowKey? { key(at: .first) }

  private func key(at end: End) -> RowKey? {
    guard instance.check(), !isInvalidated else { return nil }
    if cache.withLock({ $0.stamp }) == instance.stamp || !isFoundInOrder {
      return end == .first ? keys().first : keys().last
    }
    do throws(StorageError) { return try findEnd(end) } catch {
      Misuse.report(RealmError(error, file: instance.url))
      return nil
    }
  }

  /// Iterates over the objects that are found when it begins, whatever is changed meanwhile.
  public func makeIterator() -> AnyIterator<Element> {
    var rest = keys()[...]
    return AnyIterator { rest.popFirst().map { object($0) } }
  }

  /// Whether the realm was invalidated since.
  public var isInvalidated: Bool { generation != instance.generation }
  public var isFrozen: Bool { instance.isFrozen }

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

  /// Returns another query on the same objects.
  func with(_ query: ObjectQuery) -> Results<Element> {
    Results(instance, query, generation: generation)
  }
}
