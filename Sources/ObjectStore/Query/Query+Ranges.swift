// Conditions that a property lies in a range: `$0.age.contains(20..<30)`. nil lies in none.

extension Query where T: PersistedValue & Comparable {
  public func contains(_ range: Range<T>) -> Query<Bool> {
    self >= range.lowerBound && self < range.upperBound
  }

  public func contains(_ range: ClosedRange<T>) -> Query<Bool> {
    self >= range.lowerBound && self <= range.upperBound
  }

  public func contains(_ range: PartialRangeFrom<T>) -> Query<Bool> { self >= range.lowerBound }
  public func contains(_ range: PartialRangeUpTo<T>) -> Query<Bool> { self < range.upperBound }
  public func contains(_ range: PartialRangeThrough<T>) -> Query<Bool> { self <= range.upperBound }
}

extension Query {
  public func contains<Bound: PersistedScalar & Comparable>(
    _ range: Range<Bound>
  ) -> Query<Bool> where T == Bound? {
    self >= range.lowerBound && self < range.upperBound
  }

  public func contains<Bound: PersistedScalar & Comparable>(
    _ range: ClosedRange<Bound>
  ) -> Query<Bool> where T == Bound? {
    self >= range.lowerBound && self <= range.upperBound
  }

  public func contains<Bound: PersistedScalar & Comparable>(
    _ range: PartialRangeFrom<Bound>
  ) -> Query<Bool> where T == Bound? { self >= range.lowerBound }

  public func contains<Bound: PersistedScalar & Comparable>(
    _ range: PartialRangeUpTo<Bound>
  ) -> Query<Bool> where T == Bound? { self < range.upperBound }

  public func contains<Bound: PersistedScalar & Comparable>(
    _ range: PartialRangeThrough<Bound>
  ) -> Query<Bool> where T == Bound? { self <= range.upperBound }
}
