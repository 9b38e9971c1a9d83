// Minimum, maximum, sum and average of a property over results, without creating objects.
public import Foundation
import StorageEngine

/// The types of properties that have a minimum and a maximum.
public protocol MinMaxType: PersistedValue {}
extension Int: MinMaxType {}
extension Int8: MinMaxType {}
extension Int16: MinMaxType {}
extension Int32: MinMaxType {}
extension Int64: MinMaxType {}
extension Float: MinMaxType {}
extension Double: MinMaxType {}
extension Date: MinMaxType {}
extension Optional: MinMaxType where Wrapped: MinMaxType & PersistedScalar {}

/// The types of properties that have a sum and an average.
public protocol AddableType: PersistedValue {}
extension Int: AddableType {}
extension Int8: AddableType {}
extension Int16: AddableType {}
extension Int32: AddableType {}
extension Int64: AddableType {}
extension Float: AddableType {}
extension Double: AddableType {}
extension Optional: AddableType where Wrapped: AddableType & PersistedScalar {}

extension Results {
  /// Returns the smallest value; nil if no object has one. nil and numbers that are none do not count. An index, or the
  /// primary key, has it first, and the greatest last.
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
    Value(addUp(name).value(Value.columnKind)) ?? Value.unset
  }

  /// Returns the average of the objects that have a value; nil if none has. Unlike the sum it is computed in floating point.
  public func average<Value: AddableType>(of path: KeyPath<Element, Value>) -> Double? {
    average(ofProperty: ObjectClass.of(Element.self).name(of: path))
  }

  public func average(ofProperty name: String) -> Double? {
    addUp(name).average
  }

  private func addUp(_ name: String) -> NumberSum {
    var sum = NumberSum()
    guard let column = column(name, for: "add") else { return sum }
    forEachValue(column) { value in
      sum.add(value)
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
    forEachValue(column, backward: isInOrder && !isSmallest) { value in
      // Not a number, or nil.
      guard value.order(value) != nil else { return true }
      if let best = found {
        if value.order(best).map(isWanted) ?? false { found = value }
      } else {
        found = value
      }
      return !isInOrder
    }
    return found
  }

  /// Whether the values of the column are found in ascending order.
  private func findsInOrder(_ column: Column) -> Bool {
    guard !query.ordering.contains(where: \.removesObjects),
      let info = instance.classInfo(for: Element.self)
    else { return false }
    let plan = plan(info, findingFirst: column)
    switch plan.access {
    case .index: return plan.followsIndex
    // The rows are found in the order of their keys.
    case .scan, .primaryKey, .backlinks: return info.primary == column.index
    }
  }

  /// Calls `body` with a column's value of each object, until it returns false: in the order in which the plan finds the
  /// objects, or backward.
  private func forEachValue(
    _ column: Column, backward: Bool = false, _ body: (ColumnValue) -> Bool
  ) {
    guard instance.check(), !isInvalidated, let info = instance.classInfo(for: Element.self) else {
      return
    }
    do throws(StorageError) {
      if query.ordering.contains(where: \.removesObjects) {
        for key in keys() {
          var value = ColumnValue.null
          _ = try instance.get(info.table, key) {
            value = MatchedRow(info, key, $0, nil).value(column.index)
          }
          guard body(value) else { return }
        }
        return
      }
      let plan = plan(info, findingFirst: column)
      try instance.forEachMatch(info, plan, wanted: [ColumnPath(column)], backward: backward) {
        body($1.value(column.index))
      }
    } catch {
      Misuse.report(RealmError(error, file: instance.url))
    }
  }

  private func plan(_ info: ClassInfo, findingFirst column: Column) -> QueryPlan {
    let key = SortKey(column: ColumnPath(column), ascending: true)
    return QueryPlan(query.condition, sortedFirstBy: key, info, instance)
  }
}
