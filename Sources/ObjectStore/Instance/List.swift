// Lists of values or objects. An unmanaged list has its own elements; one of a managed object reads and writes the rows of
// its elements.
import StorageEngine

/// The elements of a property in an order that the program chooses: values, or links to objects.
///
/// ```swift
/// class Person: Object {
///   @Persisted var dogs: List<Dog>
/// }
/// ```
///
/// Appending takes two changes of rows, and a third for the way back from an object; inserting and removing moves the
/// elements before or after, whichever are fewer. A deleted object leaves the lists that it is in.
public final class List<Element: CollectionElement>: RandomAccessCollection {
  private var own: [Element] = []
  private var property: ManagedProperty?
  /// Where the elements of a live list are, at a stamp of its instance.
  private var cached: (stamp: Int, first: Int64, count: Int)?

  /// Creates an unmanaged list.
  public init() {}

  public convenience init(_ elements: some Sequence<Element>) {
    self.init()
    own = Array(elements)
  }

  public init(_ property: ManagedProperty) { self.property = property }

  public func attach(_ property: ManagedProperty) {
    guard self.property == nil else { return }
    self.property = property
    own = []
  }

  public var managed: ManagedProperty? { property }

  // MARK: Reading

  private func range(_ property: ManagedProperty) -> (first: Int64, count: Int) {
    let instance = property.instance
    if let cached, cached.stamp == instance.stamp, instance.isCurrent {
      return (cached.first, cached.count)
    }
    var found: (first: Int64, count: Int) = (0, 0)
    if case .list(let first, let count)? = property.header() { found = (first, Int(count)) }
    // A frozen list may be read by many threads.
    if !instance.isFrozen { cached = (instance.stamp, found.first, found.count) }
    return found
  }

  public var startIndex: Int { 0 }
  public var endIndex: Int { count }
  public var count: Int { property.map { range($0).count } ?? own.count }

  public subscript(index: Int) -> Element {
    get {
      guard let property else { return own[index] }
      let (first, count) = range(property)
      check(index, count)
      guard let value = property.element(first + Int64(index)) else { return .unsetElement }
      return Element.makeElement(value, property.source) ?? .unsetElement
    }
    set { replaceSubrange(index..<index + 1, with: CollectionOfOne(newValue)) }
  }

  private func check(_ index: Int, _ count: Int) {
    precondition(
      index >= 0 && index < count, "Index \(index) is out of bounds (must be less than \(count)).")
  }

  /// Iterates over the elements that the list has when it begins, whatever is changed meanwhile.
  public func makeIterator() -> AnyIterator<Element> {
    guard let property else { return AnyIterator(own.makeIterator()) }
    var rest = property.values()[...]
    return AnyIterator {
      rest.popFirst().map { Element.makeElement($0, property.source) ?? .unsetElement }
    }
  }

  /// Returns the first index of an element; nil if the list does not have it.
  public func index(of element: Element) -> Int? { firstIndex(of: element) }

  // MARK: Writing

  public func append(_ element: Element) {
    guard let property else { return own.append(element) }
    property.append(element.elementContent)
  }

  public func append(objectsIn elements: some Sequence<Element>) {
    let end = count
    replaceSubrange(end..<end, with: Array(elements))
  }

  public func insert(_ element: Element, at index: Int) {
    replaceSubrange(index..<index, with: CollectionOfOne(element))
  }

  public func remove(at index: Int) {
    check(index, count)
    replaceSubrange(index..<index + 1, with: [])
  }

  /// Removes the first element, if there is one.
  public func removeFirst() { removeSubrange(0..<Swift.min(1, count)) }

  /// Removes the last element, if there is one.
  public func removeLast() { removeSubrange(Swift.max(0, count - 1)..<count) }

  public func removeSubrange(_ range: Range<Int>) { replaceSubrange(range, with: []) }

  public func removeAll() { removeSubrange(0..<count) }

  public func replace(index: Int, object: Element) { self[index] = object }

  /// Moves an element so that it has another index.
  public func move(from: Int, to: Int) {
    let count = count
    check(from, count)
    check(to, count)
    guard from != to else { return }
    let range = Swift.min(from, to)..<Swift.max(from, to) + 1
    rearrange(range) { values in
      values.insert(values.remove(at: from - range.lowerBound), at: to - range.lowerBound)
    }
  }

  public func swapAt(_ a: Int, _ b: Int) {
    let count = count
    check(a, count)
    check(b, count)
    let range = Swift.min(a, b)..<Swift.max(a, b) + 1
    rearrange(range) { $0.swapAt(0, $0.count - 1) }
  }

  public func replaceSubrange(_ range: Range<Int>, with elements: some Collection<Element>) {
    guard let property else { return own.replaceSubrange(range, with: elements) }
    precondition(
      range.lowerBound >= 0 && range.upperBound <= count,
      "The range \(range) is out of bounds (must end at \(count) or before).")
    let contents = elements.map(\.elementContent)
    property.change(adding: .list(contents)) { (rows, file, position) throws(StorageError) in
      let values = contents.map(OpenRealm.columnValue)
      return try rows.splice(file, property.row.key, position, range, values)
    }
  }

  /// Changes the order of elements, which stay in the list: embedded objects stay what they are.
  private func rearrange(_ range: Range<Int>, _ body: (inout [RearrangedElement<Element>]) -> Void)
  {
    guard let property else {
      var values = own[range].map { RearrangedElement.own($0) }
      body(&values)
      own.replaceSubrange(range, with: values.compactMap(\.element))
      return
    }
    property.change { (rows, file, position) throws(StorageError) in
      let old = try rows.elements(file, property.row.key, position, range)
      var values = old.map { RearrangedElement<Element>.stored($0) }
      body(&values)
      return try rows.rearrange(
        file, property.row.key, position, range, values.compactMap(\.value))
    }
  }
}

/// An element that changes its index: of an unmanaged list, or as it is stored.
enum RearrangedElement<Element> {
  case own(Element)
  case stored(ColumnValue)

  fileprivate var element: Element? { if case .own(let element) = self { element } else { nil } }
  fileprivate var value: ColumnValue? { if case .stored(let value) = self { value } else { nil } }
}

extension List: PersistedCollection {
  public static var persistedShape: PropertyShape? { Element.elementShape.collected(.list) }
  public var persistedContent: PropertyContent { .list(map(\.elementContent)) }
}

extension List: CustomStringConvertible {
  public var description: String {
    "List<\(Element.self)> (\(map { "\($0)" }.joined(separator: ", ")))"
  }
}
