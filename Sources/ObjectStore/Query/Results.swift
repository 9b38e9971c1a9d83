// Objects that a condition holds of: found when they are asked for, and found anew when the instance sees something else.
import Foundation
import StorageEngine

/// A live collection of the objects of one class, confined as its realm is. In the order of the primary key, or in that
/// of creation where there is none, unless it is sorted.
public struct Results<Element: Object>: RandomAccessCollection {
  let instance: OpenRealm
  private let search: Search
  private let generation: Int
  private let found = Found((-1, []))

  /// The keys of a stamp. Shared by the copies of one collection.
  private typealias Found = LockedValue<(stamp: Int, keys: [RowKey])>

  init(_ instance: OpenRealm, _ search: Search = Search(), generation: Int? = nil) {
    self.instance = instance
    self.search = search
    self.generation = generation ?? instance.generation
  }

  // MARK: Finding

  /// The keys of the rows, in order; none after misuse.
  func keys() -> [RowKey] {
    guard instance.check(), !isInvalidated else { return [] }
    do throws(StorageError) {
      // Pins the version, and with it the stamp.
      if instance.writing == nil { _ = try instance.snapshot() }
      let known = found.withLock { $0 }
      if known.stamp == instance.stamp { return known.keys }
      let keys = try find()
      found.withLock { $0 = (instance.stamp, keys) }
      return keys
    } catch {
      Misuse.report(Realm.Error(error, file: instance.file.url))
      return []
    }
  }

  private func find() throws(StorageError) -> [RowKey] {
    guard let info = instance.bind(Element.self) else { return [] }
    var rows: [(key: RowKey, values: [ColumnValue])] = []
    var keys: [RowKey] = []
    try instance.visit(info, search.condition) { key, value in
      if search.order.isEmpty {
        keys.append(key)
      } else {
        rows.append((key, search.order.map { value($0.column) }))
      }
      return true
    }
    guard !search.order.isEmpty else { return keys }
    let order = search.order
    // Sorted by what is asked for, and by the order of the rows among equals.
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
    guard let info = instance.bind(Element.self) else {
      preconditionFailure("A row was found of a class that the realm does not know.")
    }
    return instance.object(Element.self, info, key)
  }

  // MARK: Collection

  public var startIndex: Int { 0 }
  public var endIndex: Int { count }

  public var count: Int {
    guard case .always = search.condition else { return keys().count }
    guard instance.check(), !isInvalidated, let info = instance.bind(Element.self) else {
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
    if !search.order.isEmpty || found.withLock({ $0.stamp }) == instance.stamp {
      return keys().first.map { object($0) }
    }
    guard instance.check(), !isInvalidated, let info = instance.bind(Element.self) else {
      return nil
    }
    var key: RowKey?
    try? instance.visit(info, search.condition) { found, _ in
      key = found
      return false
    }
    return key.map { object($0) }
  }

  public var last: Element? { keys().last.map { object($0) } }

  /// Goes through the objects as they are when it begins, whatever is changed meanwhile.
  public func makeIterator() -> AnyIterator<Element> {
    var rest = keys()[...]
    return AnyIterator { rest.popFirst().map { object($0) } }
  }

  /// The realm's instance was invalidated since.
  public var isInvalidated: Bool { generation != instance.generation }
  public var realm: Realm? { isInvalidated ? nil : Realm(instance) }
  public var isFrozen: Bool { instance.isFrozen }

  // MARK: Narrowing and sorting

  public func `where`(_ isIncluded: (Query<Element>) -> Query<Bool>) -> Results<Element> {
    let asked = isIncluded(Query<Element>(.object(ObjectSchema.of(Element.self)))).condition
    var search = search
    if case .always = search.condition {
      search.condition = asked
    } else {
      search.condition = .both(search.condition, asked)
    }
    return Results(instance, search, generation: generation)
  }

  /// Sorted by one more property, after those by which it is sorted already.
  public func sorted<Value: PersistedValue>(
    by path: KeyPath<Element, Value>, ascending: Bool = true
  ) -> Results<Element> {
    let schema = ObjectSchema.of(Element.self)
    guard let column = schema.column(of: path) else {
      preconditionFailure("\(schema.name) can be sorted by its persisted properties only.")
    }
    return sorted(column, ascending)
  }

  public func sorted(byKeyPath name: String, ascending: Bool = true) -> Results<Element> {
    let schema = ObjectSchema.of(Element.self)
    guard let column = schema.column(name) else {
      Misuse.report(
        .invalidValue, "\(schema.name) has no property '\(name)' to sort by.",
        file: instance.file.url)
      return self
    }
    return sorted(column, ascending)
  }

  private func sorted(_ column: Column, _ ascending: Bool) -> Results<Element> {
    var search = search
    search.order.append(Search.Order(column: column.index, ascending: ascending))
    return Results(instance, search, generation: generation)
  }

  // MARK: Versions

  /// The same search in the version that is seen now, which stays as it is as long as somebody holds it.
  public func freeze() -> Results<Element> {
    if isFrozen { return self }
    return Results(instance.freeze(), search)
  }

  /// The same search in a live instance of the caller's place; nil where none can be opened.
  public func thaw() -> Results<Element>? {
    guard isFrozen else { return self }
    return instance.thaw().map { Results($0, search) }
  }

  /// Tells what is found, and then each time what changed in it.
  public func observe(
    _ block: @escaping (RealmCollectionChange<Results<Element>>) -> Void
  ) -> NotificationToken {
    instance.observe(ResultsObserver(self, block))
  }
}

/// What results look for.
struct Search {
  struct Order {
    var column: Int
    var ascending: Bool
  }

  var condition = QueryCondition.always
  var order: [Order] = []
}
