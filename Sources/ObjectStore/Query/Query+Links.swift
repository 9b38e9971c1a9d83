// Conditions on links: `$0.dog == rex`, `$0.dog.name == "Rex"`.

extension Query {
  /// Returns a property of the object that a link leads to; nil if it leads to none.
  public subscript<Target: ObjectBase, Value: Persistable>(
    dynamicMember path: KeyPath<Target, Value>
  ) -> Query<Value> where T == Target? {
    member(path, Value.self)
  }

  /// Returns the condition that the link leads to this object; nil for one that leads to none. The links to an object are
  /// found by its backlinks. An object that is not in the queried realm is misuse, and no object matches.
  public static func == <Target: ObjectBase>(
    query: Query<T>, object: Target?
  ) -> Query<Bool> where T == Target? {
    query.links(to: [object])
  }

  public static func != <Target: ObjectBase>(
    query: Query<T>, object: Target?
  ) -> Query<Bool> where T == Target? {
    query.links(to: [object]) { .compare($1, .notEqual, $0[0]) }
  }

  /// Returns the condition that the link leads to one of these objects.
  public func `in`<Target: ObjectBase>(
    _ objects: some Sequence<Target?>
  ) -> Query<Bool> where T == Target? {
    links(to: Array(objects))
  }

  /// `make` is passed the links to the objects, and the column.
  private func links(
    to objects: [ObjectBase?],
    _ make: ([ColumnValue], Int) -> QueryCondition = QueryCondition.contained(equalTo:_:)
  ) -> Query<Bool> {
    guard let links = content.values(of: objects.map { $0.map { .object($0) } ?? .value(.null) })
    else { return Query<Bool>(.condition(.never)) }
    return condition { make(links, $0) }
  }
}

extension QueryContent {
  /// Returns elements as they are stored; nil, after misuse, if there is an object of another realm.
  func values(of elements: [ElementContent]) -> [ColumnValue]? {
    var values: [ColumnValue] = []
    for element in elements {
      switch element {
      case .value(let value): values.append(value)
      case .object(let object), .creation(let object, _):
        guard let row = object.row, row.instance.coordinator === coordinator else {
          Misuse.report(
            .invalidValue, "An object in a query is one of the realm that is queried.",
            file: coordinator?.url)
          return nil
        }
        values.append(.link(row.key))
      }
    }
    return values
  }

  private var coordinator: RealmCoordinator? {
    switch self {
    case .objects(let path), .property(let path, _), .elements(let path, _): path.coordinator
    case .computed, .condition: nil
    }
  }
}

extension QueryCondition {
  /// The condition that a column has one of these values.
  static func contained(equalTo values: [ColumnValue], _ column: Int) -> QueryCondition {
    values.count == 1 ? .compare(column, .equal, values[0]) : .contained(column, Set(values))
  }
}
