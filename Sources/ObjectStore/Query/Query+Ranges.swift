// Conditions that a property lies in a range: `$0.age.contains(20..<30)`. nil lies in none.

extension Query where T: PersistedValue & Comparable {
  public func contains(_ range: Range<T>) -> Query<Bool> { lies(in: ValueRange(range)) }
  public func contains(_ range: ClosedRange<T>) -> Query<Bool> { lies(in: ValueRange(range)) }
  public func contains(_ range: PartialRangeFrom<T>) -> Query<Bool> { self >= range.lowerBound }
  public func contains(_ range: PartialRangeUpTo<T>) -> Query<Bool> { self < range.upperBound }
  public func contains(_ range: PartialRangeThrough<T>) -> Query<Bool> { self <= range.upperBound }
}

extension Query {
  public func contains<Bound: PersistedScalar & Comparable>(
    _ range: Range<Bound>
  ) -> Query<Bool> where T == Bound? { lies(in: ValueRange(range)) }

  public func contains<Bound: PersistedScalar & Comparable>(
    _ range: ClosedRange<Bound>
  ) -> Query<Bool> where T == Bound? { lies(in: ValueRange(range)) }

  public func contains<Bound: PersistedScalar & Comparable>(
    _ range: PartialRangeFrom<Bound>
  ) -> Query<Bool> where T == Bound? {
    self >= range.lowerBound
  }

  public func contains<Bound: PersistedScalar & Comparable>(
    _ range: PartialRangeUpTo<Bound>
  ) -> Query<Bool> where T == Bound? { self < range.upperBound }

  public func contains<Bound: PersistedScalar & Comparable>(
    _ range: PartialRangeThrough<Bound>
  ) -> Query<Bool> where T == Bound? { self <= range.upperBound }

  /// Through a collection both ends are conditions on the same element.
  func lies(in range: ValueRange) -> Query<Bool> {
    condition {
      .and(.compare($0, .greaterOrEqual, range.lower), .compare($0, range.end, range.upper))
    }
  }
}

/// The bounds of a range as values.
struct ValueRange {
  let lower: ColumnValue
  let upper: ColumnValue
  /// How a value in the range compares with the upper bound.
  let end: QueryCondition.Comparison

  init<Bound: PersistedValue>(_ range: Range<Bound>) {
    lower = range.lowerBound.columnValue
    upper = range.upperBound.columnValue
    end = .less
  }

  init<Bound: PersistedValue>(_ range: ClosedRange<Bound>) {
    lower = range.lowerBound.columnValue
    upper = range.upperBound.columnValue
    end = .lessOrEqual
  }
}
