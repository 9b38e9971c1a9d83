// A number that is computed from a collection: how many elements there are, or match; the smallest or greatest value, the
// sum or the average of the values.

/// What a condition computes before it compares.
struct Computation: Sendable {
  enum Function: Sendable {
    case count(QueryCondition)
    case min, max, sum, average
  }

  let function: Function
  /// The collection.
  let step: LinkStep
  /// The steps from an element to the value, and the column of that.
  var links: [LinkStep] = []
  var column = 0
  /// The kind of the values.
  var kind = ColumnKind.int

  /// Returns the result for the collection of a row; null for the least, the greatest and the average of no values.
  func value(of row: some QueryRow) -> ColumnValue {
    switch function {
    case .count(let condition): .int(count(row, condition))
    case .min: extreme(row) { $0 < 0 }
    case .max: extreme(row) { $0 > 0 }
    case .sum, .average: addUp(row)
    }
  }

  private func count(_ row: some QueryRow, _ condition: QueryCondition) -> Int64 {
    if condition.isAlways, step.kind == .elements {
      // The record has the number.
      switch row.value(step.column) {
      case .list(_, let count), .members(let count): return count
      default: return 0
      }
    }
    var count: Int64 = 0
    row.follow(step) { element in
      if condition.matches(element) { count += 1 }
      return true
    }
    return count
  }

  private func extreme(_ row: some QueryRow, _ isWanted: (Int) -> Bool) -> ColumnValue {
    var found = ColumnValue.null
    row.forEachValue([step] + links, column) { value in
      // Not a number, or nil.
      guard value.order(value) != nil else { return true }
      if found.isNull || value.order(found).map(isWanted) ?? false { found = value }
      return true
    }
    return found
  }

  private func addUp(_ row: some QueryRow) -> ColumnValue {
    var sum = NumberSum()
    row.forEachValue([step] + links, column) { value in
      sum.add(value)
      return true
    }
    if case .average = function { return sum.average.map { .double($0) } ?? .null }
    return sum.value(kind)
  }
}

/// The sum of values that are numbers.
struct NumberSum {
  private(set) var count = 0
  private var integers: Int64 = 0
  private var numbers = 0.0

  mutating func add(_ value: ColumnValue) {
    switch value {
    case .int(let number):
      integers &+= number
      numbers += Double(number)
    case .double(let number): numbers += number
    case .float(let number): numbers += Double(number)
    default: return
    }
    count += 1
  }

  /// The sum as a value of a kind. Integers wrap around.
  func value(_ kind: ColumnKind) -> ColumnValue {
    switch kind {
    case .int: .int(integers)
    case .float: .float(Float(numbers))
    default: .double(numbers)
    }
  }

  /// nil if there is no number.
  var average: Double? { count == 0 ? nil : numbers / Double(count) }
}

extension QueryRow {
  /// Calls `body` with the column's value of each object at the end of the steps, until it returns false.
  func forEachValue(
    _ steps: some Collection<LinkStep>, _ column: Int, _ body: (ColumnValue) -> Bool
  ) {
    guard let first = steps.first else {
      _ = body(value(column))
      return
    }
    let rest = Array(steps.dropFirst())
    var wantsMore = true
    follow(first) { row in
      row.forEachValue(rest, column) {
        wantsMore = body($0)
        return wantsMore
      }
      return wantsMore
    }
  }
}
