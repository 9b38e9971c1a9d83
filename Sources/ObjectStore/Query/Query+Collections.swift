// Conditions on collections: `$0.friends.contains(ada)`, `$0.dogs.age > 3`, `$0.dogs.count == 2`, `$0.ratings["taste"] > 4`.

/// A list, a set, or the objects that link to an object.
public protocol ElementCollection<Element>: Persistable, SendableMetatype {
  associatedtype Element
}

extension List: ElementCollection {}
extension MutableSet: ElementCollection {}
extension LinkingObjects: ElementCollection {}

/// A map.
public protocol KeyedCollection<Key, MappedValue>: Persistable, SendableMetatype {
  associatedtype Key: MapKey
  associatedtype MappedValue: CollectionElement
}

extension Map: KeyedCollection {
  public typealias MappedValue = Value
}

extension QueryContent {
  /// The path to a collection, and the step to its elements.
  var collection: (path: QueryPath, step: LinkStep) {
    switch self {
    case .elements(let path, let step): return (path, step)
    case .property(let path, let column):
      if let step = path.step(column) { return (path, step) }
    case .objects, .computed, .condition: break
    }
    preconditionFailure("A query counts and contains the elements of collections only.")
  }

  /// The number of elements.
  var count: QueryContent {
    let (path, step) = collection
    return .computed(path.steps, Computation(function: .count(.always), step: step))
  }

  /// Returns the condition that one of the values is in the collection.
  func containsAny(_ elements: [ElementContent]) -> Query<Bool> {
    guard let members = values(of: elements) else { return Query<Bool>(.condition(.never)) }
    let (path, step) = collection
    let isMember = QueryCondition.contained(equalTo: members, 0)
    return Query<Bool>(.condition(path.steps.wrap(.linked(step.toValues, isMember))))
  }
}

// MARK: Lists and sets

extension Query where T: ElementCollection {
  /// The number of elements, without reading them.
  public var count: Query<Int> { Query<Int>(content.count) }
}

extension Query where T: ElementCollection, T.Element: ObjectBase {
  /// Returns a property of the objects in the collection: a condition on it is that any of them matches.
  public subscript<Value: Persistable>(dynamicMember path: KeyPath<T.Element, Value>) -> Query<
    Value
  > {
    member(path, Value.self)
  }
}

extension Query where T: ElementCollection, T.Element: CollectionElement {
  /// Returns the condition that the collection has an element. Objects are found by their backlinks.
  public func contains(_ element: T.Element) -> Query<Bool> {
    content.containsAny([element.elementContent])
  }

  /// Returns the condition that the collection has one of these elements.
  public func containsAny(in elements: some Sequence<T.Element>) -> Query<Bool> {
    content.containsAny(elements.map(\.elementContent))
  }
}

extension Query where T: ElementCollection, T.Element: MinMaxType & Comparable {
  /// Returns the condition that all elements lie in a range, and that there is one, as in the SDK.
  public func contains(_ range: Range<T.Element>) -> Query<Bool> {
    content.allElements(in: ValueRange(range))
  }

  public func contains(_ range: ClosedRange<T.Element>) -> Query<Bool> {
    content.allElements(in: ValueRange(range))
  }
}

// MARK: Maps

extension Query where T: KeyedCollection {
  /// The number of entries, without reading them.
  public var count: Query<Int> { Query<Int>(content.count) }

  /// The strings: a condition is that any of them matches.
  public var keys: Query<String> {
    let (path, step) = content.collection
    let column = path.objectClass.schema.columns[step.column]
    return Query<String>(.elements(path, LinkStep(.keys, column, nil)))
  }

  /// The values: a condition is that any of them matches.
  public var values: Query<T.MappedValue> {
    let (path, step) = content.collection
    return Query<T.MappedValue>(.elements(path, step))
  }

  /// The value of a string; nil if the map has none.
  public subscript(key: T.Key) -> Query<T.MappedValue> {
    let (path, step) = content.collection
    let column = path.objectClass.schema.columns[step.column]
    let entry = LinkStep(.entry(key.mapKey), column, path.objectClass.target(column))
    return Query<T.MappedValue>(.elements(path, entry))
  }

  /// Returns the condition that an entry has this value.
  public func contains(_ value: T.MappedValue) -> Query<Bool> {
    content.containsAny([value.elementContent])
  }

  /// Returns the condition that an entry has one of these values.
  public func containsAny(in values: some Sequence<T.MappedValue>) -> Query<Bool> {
    content.containsAny(values.map(\.elementContent))
  }

  /// Returns a property of the objects in the map: a condition on it is that any of them matches.
  public subscript<Target: ObjectBase, Value: Persistable>(
    dynamicMember path: KeyPath<Target, Value>
  ) -> Query<Value> where T.MappedValue == Target? {
    member(path, Value.self)
  }
}

extension Query where T: KeyedCollection, T.MappedValue: MinMaxType & Comparable {
  /// Returns the condition that all values lie in a range, and that there is one.
  public func contains(_ range: Range<T.MappedValue>) -> Query<Bool> {
    content.allElements(in: ValueRange(range))
  }

  public func contains(_ range: ClosedRange<T.MappedValue>) -> Query<Bool> {
    content.allElements(in: ValueRange(range))
  }
}
