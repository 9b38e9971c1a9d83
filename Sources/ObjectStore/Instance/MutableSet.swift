// Sets of values or objects.
import StorageEngine

/// The elements of a property, each once: values, or links to objects. A managed set is in the order of its values, one of
/// objects in the order of their keys. Strings and data in it have at most 240 bytes.
public final class MutableSet<Element: CollectionElement>: RandomAccessCollection {
  private var own: [Element] = []
  /// The values in `own`; objects are compared one by one, since what identifies one changes when it is added.
  private var ownValues: Set<ColumnValue> = []
  private var property: ManagedProperty?
  private var cached: (stamp: Int, values: [ColumnValue])?

  /// Creates an unmanaged set.
  public init() {}

  public init(_ property: ManagedProperty) { self.property = property }

  public var managed: ManagedProperty? { property }

  public func attach(_ property: ManagedProperty) {
    guard self.property == nil else { return }
    self.property = property
    own = []
    ownValues = []
  }

  // MARK: Reading

  private func values(_ property: ManagedProperty) -> [ColumnValue] {
    let instance = property.instance
    if let cached, cached.stamp == instance.stamp, instance.isCurrent { return cached.values }
    let values = property.values()
    // A frozen set may be read by many threads.
    if !instance.isFrozen { cached = (instance.stamp, values) }
    return values
  }

  public var startIndex: Int { 0 }
  public var endIndex: Int { count }
  public var count: Int { property?.count ?? own.count }

  public subscript(index: Int) -> Element {
    guard let property else { return own[index] }
    let values = values(property)
    precondition(
      values.indices.contains(index),
      "Index \(index) is out of bounds (must be less than \(values.count)).")
    return Element.makeElement(values[index], property.source) ?? .unsetElement
  }

  /// Iterates over the elements that the set has when it begins, whatever is changed meanwhile.
  public func makeIterator() -> AnyIterator<Element> {
    guard let property else { return AnyIterator(own.makeIterator()) }
    var rest = values(property)[...]
    return AnyIterator {
      rest.popFirst().map { Element.makeElement($0, property.source) ?? .unsetElement }
    }
  }

  public func contains(_ element: Element) -> Bool {
    guard let property else { return ownIndex(element) != nil }
    guard let value = property.stored(element) else { return false }
    return property.contains(value)
  }

  private func ownIndex(_ element: Element) -> Int? {
    if case .value(let value) = element.elementContent, !ownValues.contains(value) { return nil }
    return own.firstIndex(of: element)
  }

  // MARK: Writing

  public func insert(_ element: Element) { insert(objectsIn: CollectionOfOne(element)) }

  public func insert(objectsIn elements: some Sequence<Element>) {
    guard let property else {
      for element in elements where ownIndex(element) == nil {
        own.append(element)
        if case .value(let value) = element.elementContent { ownValues.insert(value) }
      }
      return
    }
    let contents = elements.map(\.elementContent)
    property.change(adding: .list(contents)) { (rows, file, position) throws(StorageError) in
      let values = contents.map(OpenRealm.columnValue)
      return try rows.insertMembers(file, property.row.key, position, values) != nil
    }
  }

  /// Removes an element, if the set has it.
  public func remove(_ element: Element) {
    guard let property else {
      guard let index = ownIndex(element) else { return }
      own.remove(at: index)
      if case .value(let value) = element.elementContent { ownValues.remove(value) }
      return
    }
    let value = property.stored(element)
    property.change { (rows, file, position) throws(StorageError) in
      guard let value else { return true }
      return try rows.removeMember(file, property.row.key, position, value) != nil
    }
  }

  public func removeAll() {
    guard let property else {
      own = []
      ownValues = []
      return
    }
    property.change { (rows, file, position) throws(StorageError) in
      try rows.clear(file, property.row.key, position)
    }
  }

  public func formUnion(_ other: MutableSet) { insert(objectsIn: Array(other)) }

  public func subtract(_ other: MutableSet) { for element in Array(other) { remove(element) } }

  public func formIntersection(_ other: MutableSet) {
    for element in Array(self) where !other.contains(element) { remove(element) }
  }

  public func intersects(_ other: MutableSet) -> Bool { contains { other.contains($0) } }

  public func isSubset(of other: MutableSet) -> Bool { allSatisfy { other.contains($0) } }

}

extension ManagedProperty {
  /// Returns an element as it would be stored; nil for objects that are not in this realm, and values too long to be in a
  /// set.
  func stored(_ element: some CollectionElement) -> ColumnValue? {
    switch element.elementContent {
    case .value(let value):
      return (try? GraphPlan.check(value, "", "")) == nil ? nil : value
    case .object(let object), .creation(let object, _):
      guard let other = object.row, other.instance.coordinator === instance.coordinator else {
        return nil
      }
      return .link(other.key)
    }
  }
}

extension MutableSet: PersistedCollection {
  public static var persistedShape: PropertyShape? { Element.elementShape.collected(.set) }
  public var persistedContent: PropertyContent { .list(map(\.elementContent)) }
}
