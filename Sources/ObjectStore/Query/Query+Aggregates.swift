// Conditions on numbers that are computed from collections: `$0.scores.sum > 10`, `$0.dogs.age.min >= 3`, and how many
// objects of a collection match: `($0.dogs.age > 3).count == 2`.

extension QueryContent {
  /// Returns what is computed from the values of the collection that the property is, or lies behind.
  func aggregate(_ function: Computation.Function) -> QueryContent {
    switch self {
    case .property(let path, let column):
      guard let elements = column.collection else {
        return path.aggregate(function, column)
      }
      let step = LinkStep(.elements, column, nil)
      return .computed(
        path.steps, Computation(function: function, step: step, kind: elements.elementKind))
    case .elements(let path, let step):
      let column = path.objectClass.schema.columns[step.column]
      let kind = column.collection?.elementKind ?? column.kind
      return .computed(
        path.steps, Computation(function: function, step: step.toValues, kind: kind))
    case .objects, .computed, .condition:
      preconditionFailure("A query computes with the values of a collection.")
    }
  }

  /// Returns the condition that the smallest and the greatest element lie in a range.
  func allElements(in range: ValueRange) -> Query<Bool> {
    let least = aggregate(.min).condition { .compare($0, .greaterOrEqual, range.lower) }
    let greatest = aggregate(.max).condition { .compare($0, range.end, range.upper) }
    return Query<Bool>(.condition(.and(least, greatest)))
  }
}

extension QueryPath {
  /// Returns what is computed from a column's values behind the first collection of the path.
  fileprivate func aggregate(_ function: Computation.Function, _ column: Column) -> QueryContent {
    guard let index = steps.firstIndex(where: \.isToMany) else {
      preconditionFailure("A query computes with the values of a collection.")
    }
    return .computed(
      Array(steps[..<index]),
      Computation(
        function: function, step: steps[index], links: Array(steps[(index + 1)...]),
        column: column.index, kind: column.kind))
  }
}

// MARK: Values of a collection

extension Query where T: ElementCollection, T.Element: MinMaxType {
  /// The smallest and the greatest element; nil if there is none.
  public var min: Query<T.Element> { Query<T.Element>(content.aggregate(.min)) }
  public var max: Query<T.Element> { Query<T.Element>(content.aggregate(.max)) }
}

extension Query where T: ElementCollection, T.Element: AddableType {
  /// The sum of the elements; zero if there is none.
  public var sum: Query<T.Element> { Query<T.Element>(content.aggregate(.sum)) }
  /// The average of the elements, in floating point; nil if there is none.
  public var avg: Query<Double?> { Query<Double?>(content.aggregate(.average)) }
}

extension Query where T: KeyedCollection, T.MappedValue: MinMaxType {
  /// The smallest and the greatest value; nil if there is none.
  public var min: Query<T.MappedValue> { Query<T.MappedValue>(content.aggregate(.min)) }
  public var max: Query<T.MappedValue> { Query<T.MappedValue>(content.aggregate(.max)) }
}

extension Query where T: KeyedCollection, T.MappedValue: AddableType {
  /// The sum of the values; zero if there is none.
  public var sum: Query<T.MappedValue> { Query<T.MappedValue>(content.aggregate(.sum)) }
  /// The average of the values, in floating point; nil if there is none.
  public var avg: Query<Double?> { Query<Double?>(content.aggregate(.average)) }
}

// MARK: Properties of the objects in a collection

extension Query where T: MinMaxType {
  /// The smallest and the greatest value that the property has in the objects of a collection; nil if there is none. Stops the
  /// program if the property does not lie behind a collection.
  public var min: Query<T> { Query(content.aggregate(.min)) }
  public var max: Query<T> { Query(content.aggregate(.max)) }
}

extension Query where T: AddableType {
  /// The sum of the property over the objects of a collection; zero if there is none.
  public var sum: Query<T> { Query(content.aggregate(.sum)) }
  /// The average of the property over the objects of a collection, in floating point; nil if there is none.
  public var avg: Query<Double?> { Query<Double?>(content.aggregate(.average)) }
}

// MARK: Subqueries

extension Query<Bool> {
  /// How many objects of a collection match: `($0.dogs.age > 3 && $0.dogs.name == "Rex").count == 1`. All parts of the
  /// condition are about properties of the objects of one collection; any other stops the program.
  public var count: Query<Int> {
    guard case .condition(let condition) = content, let subquery = condition.subquery else {
      preconditionFailure("A subquery is a condition on the objects of one collection.")
    }
    let computation = Computation(function: .count(subquery.condition), step: subquery.step)
    return Query<Int>(.computed(subquery.links, computation))
  }
}

/// A condition on the elements of a collection.
private struct Subquery {
  /// The links on the way to the collection.
  var links: [LinkStep]
  let step: LinkStep
  var condition: QueryCondition

  /// Returns both conditions as one on the same collection; nil if they are about different ones.
  func combined(
    _ other: Subquery, _ combine: (QueryCondition, QueryCondition) -> QueryCondition
  ) -> Subquery? {
    let isSame =
      links.count == other.links.count && step.isSame(as: other.step)
      && zip(links, other.links).allSatisfy { $0.isSame(as: $1) }
    guard isSame else { return nil }
    return Subquery(links: links, step: step, condition: combine(condition, other.condition))
  }
}

extension QueryCondition {
  /// The condition as one on the elements of a collection; nil if a part of it is about anything else.
  fileprivate var subquery: Subquery? {
    switch self {
    case .linked(let step, let condition):
      if step.isToMany { return Subquery(links: [], step: step, condition: condition) }
      guard var inner = condition.subquery else { return nil }
      inner.links.insert(step, at: 0)
      return inner
    case .and(let a, let b):
      return b.subquery.flatMap { a.subquery?.combined($0, QueryCondition.and) }
    case .or(let a, let b):
      return b.subquery.flatMap { a.subquery?.combined($0, QueryCondition.or) }
    case .not(let condition):
      guard var inner = condition.subquery else { return nil }
      inner.condition = .not(inner.condition)
      return inner
    case .always, .compare, .contained, .text, .computed: return nil
    }
  }
}
