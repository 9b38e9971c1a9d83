// Minimum, maximum, sum and average of a property over results, without creating objects.
public import Foundation
import StorageEngine

/// The types of properties that have a minimum and a maximum.
public protocol MinMaxType: PersistedValue {}
extension Int: MinMaxType {}
extension Double: MinMaxType {}
extension Date: MinMaxType {}
extension Optional: MinMaxType where Wrapped: MinMaxType & PersistedScalar {}

/// The types of properties that have a sum and an average.
public protocol AddableType: PersistedValue {}
extension Int: AddableType {}
extension Double: AddableType {}
extension Optional: AddableType where Wrapped: AddableType & PersistedScalar {}

extension Results {
  /// Returns the smallest value; nil if no object has one. nil and numbers that are none do not count. An index, or the
  /// primary key, has it first.
  public func min<Value: MinMaxType>(of path: KeyPath<Element, Value>) -> Value? {
    min(ofProperty: ObjectClass.of(Element.self).name(of: path))
  }

  public func min<Value: MinMaxType>(ofProperty name: String) -> Value? {
    extreme(name) { $0 < 0 }.flatMap { Value($0) }
  }

  /// Returns the greatest value; nil if no object has one.
  public func max<Value: MinMaxType>(of path: KeyPath<Element, Value>) -> Value? {
    max(ofProperty: ObjectClass.of(Element.self).name(of: path))
  }

  public func max<Value: MinMaxType>(ofProperty name: String) -> Value? {
    extreme(name) { $0 > 0 }.flatMap { Value($0) }
  }

  /// Returns the sum; zero if no object has a value. Integers wrap around.
  public func sum<Value: AddableType>(of path: KeyPath<Element, Value>) -> Value {
    sum(ofProperty: ObjectClass.of(Element.self).name(of: path))
  }

  public func sum<Value: AddableType>(ofProperty name: String) -> Value {
    let sum = addUp(name)
    let whole: ColumnValue = Value.columnKind == .int ? .int(sum.integers) : .double(sum.numbers)
    return Value(whole) ?? Value.unset
  }

  /// Returns the average of the objects that have a value; nil if none has. Unlike the sum it is computed in floating point.
  public func average<Value: AddableType>(of path: KeyPath<Element, Value>) -> Double? {
    average(ofProperty: ObjectClass.of(Element.self).name(of: path))
  }

  public func average(ofProperty name: String) -> Double? {
    let sum = addUp(name)
    return sum.count == 0 ? nil : sum.numbers / Double(sum.count)
  }

  private func addUp(_ name: String) -> (integers: Int64, numbers: Double, count: Int) {
    var sum = (integers: Int64(0), numbers: 0.0, count: 0)
    guard let column = column(name, for: "add") else { return sum }
    forEachValue(column) { value in
      switch value {
      case .int(let number):
        sum.integers &+= number
        sum.numbers += Double(number)
      case .double(let number): sum.numbers += number
      default: return true
      }
      sum.count += 1
      return true
    }
    return sum
  }

  /// Returns the value whose order beside all others is wanted.
  private func extreme(_ name: String, _ isWanted: (Int) -> Bool) -> ColumnValue? {
    guard let column = column(name, for: "compare") else { return nil }
    let isSmallest = isWanted(-1)
    var found: ColumnValue?
    let isInOrder = findsInOrder(column)
    forEachValue(column) { value in
      // Not a number, or nil.
      guard value.order(value) != nil else { return true }
      if let best = found {
        if value.order(best).map(isWanted) ?? false { found = value }
      } else {
        found = value
      }
      return !(isInOrder && isSmallest)
    }
    return found
  }

  /// Whether the values of the column are found in ascending order.
  private func findsInOrder(_ column: Int) -> Bool {
    guard !query.ordering.contains(where: \.removesObjects),
      let info = instance.classInfo(for: Element.self)
    else { return false }
    let plan = QueryPlan(
      query.condition, sortedFirstBy: SortKey(column: column, ascending: true), info)
    if case .index = plan.access { return plan.followsIndex }
    return info.primary == column
  }

  /// Calls `body` with a column's value of each object, until it returns false.
  private func forEachValue(_ column: Int, _ body: (ColumnValue) -> Bool) {
    guard instance.check(), !isInvalidated, let info = instance.classInfo(for: Element.self) else {
      return
    }
    do throws(StorageError) {
      if query.ordering.contains(where: \.removesObjects) {
        for key in keys() {
          var value = ColumnValue.null
          _ = try instance.get(info.table, key) { value = MatchedRow(info, $0).value(column) }
          guard body(value) else { return }
        }
        return
      }
      let plan = QueryPlan(
        query.condition, sortedFirstBy: SortKey(column: column, ascending: true), info)
      try instance.forEachMatch(info, plan, wanted: [column]) { body($1.value(column)) }
    } catch {
      Misuse.report(RealmError(error, file: instance.url))
    }
  }
}
