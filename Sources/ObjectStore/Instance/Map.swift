// Maps from strings to values or objects.
import StorageEngine

/// The type of a map's keys: `String`.
public protocol MapKey: Hashable, Sendable {
  var mapKey: String { get }
  init(mapKey: String)
}

extension String: MapKey {
  public var mapKey: String { self }
  public init(mapKey: String) { self = mapKey }
}

/// The entries of a property: values, or links to objects, by strings of at most 240 bytes. A managed map is in the order of
/// its strings' bytes. Objects are optional: a deleted one leaves nil.
///
/// ```swift
/// class Person: Object {
///   @Persisted var dogs: Map<String, Dog?>
/// }
/// ```
public final class Map<Key: MapKey, Value: CollectionElement>: Sequence {
  private var own: [(key: Key, value: Value)] = []
  private var property: ManagedProperty?

  /// Creates an unmanaged map.
  public init() {}

  public init(_ property: ManagedProperty) { self.property = property }

  public var managed: ManagedProperty? { property }

  public func attach(_ property: ManagedProperty) {
    guard self.property == nil else { return }
    self.property = property
    own = []
  }

  // MARK: Reading

  public var count: Int { property?.count ?? own.count }
  public var isEmpty: Bool { count == 0 }
  public var keys: [Key] {
    property.map { $0.entries().map { Key(mapKey: $0.key) } } ?? own.map(\.key)
  }
  public var values: [Value] { map(\.value) }

  /// The value of a string; nil if the map has none. Setting nil removes the entry.
  public subscript(key: Key) -> Value? {
    get {
      guard let property else { return ownIndex(key).map { own[$0].value } }
      guard let value = property.entry(key.mapKey) else { return nil }
      return Value.makeElement(value, property.source)
    }
    set {
      guard let newValue else { return removeObject(for: key) }
      updateValue(newValue, forKey: key)
    }
  }

  /// Iterates over the entries that the map has when it begins, whatever is changed meanwhile.
  public func makeIterator() -> AnyIterator<(key: Key, value: Value)> {
    guard let property else { return AnyIterator(own.makeIterator()) }
    var rest = property.entries()[...]
    return AnyIterator {
      rest.popFirst().map { entry in
        (Key(mapKey: entry.key), Value.makeElement(entry.value, property.source) ?? .unsetElement)
      }
    }
  }

  /// Returns the position of a string, or nil. Unmanaged maps are sorted by the strings' bytes too.
  private func ownIndex(_ key: Key) -> Int? {
    let index = insertionIndex(key)
    return index < own.count && own[index].key.mapKey.utf8.elementsEqual(key.mapKey.utf8)
      ? index : nil
  }

  private func insertionIndex(_ key: Key) -> Int {
    var range = 0..<own.count
    while !range.isEmpty {
      let middle = (range.lowerBound + range.upperBound) / 2
      let precedes = own[middle].key.mapKey.utf8.lexicographicallyPrecedes(key.mapKey.utf8)
      range = precedes ? middle + 1..<range.upperBound : range.lowerBound..<middle
    }
    return range.lowerBound
  }

  // MARK: Writing

  public func updateValue(_ value: Value, forKey key: Key) {
    guard let property else {
      if let index = ownIndex(key) {
        own[index].value = value
      } else {
        own.insert((key, value), at: insertionIndex(key))
      }
      return
    }
    let content = value.elementContent
    let name = key.mapKey
    property.change(adding: .entries([(key.mapKey, content)])) {
      (rows, file, position) throws(StorageError) in
      let column = OpenRealm.columnValue(content)
      return try rows.setEntry(file, property.row.key, position, name, column)
    }
  }

  /// Removes the entry of a string, if there is one.
  public func removeObject(for key: Key) {
    guard let property else {
      if let index = ownIndex(key) { own.remove(at: index) }
      return
    }
    let name = key.mapKey
    let isLong = name.utf8.count > ElementKey.maxMemberLength
    property.change { (rows, file, position) throws(StorageError) in
      if isLong { return true }
      return try rows.removeEntry(file, property.row.key, position, name) != nil
    }
  }

  public func removeAll() {
    guard let property else {
      own = []
      return
    }
    property.change { (rows, file, position) throws(StorageError) in
      try rows.clear(file, property.row.key, position)
    }
  }
}

extension Map: PersistedCollection {
  public static var persistedShape: PropertyShape? { Value.elementShape.collected(.map) }
  public var persistedContent: PropertyContent {
    .entries(map { ($0.key.mapKey, $0.value.elementContent) })
  }
}
