// Count, mean and spread of a series, in one pass and constant memory (Welford).

/// The moments of numbers that were added one by one.
package struct Moments: Sendable, Equatable {
  package private(set) var count = 0
  package private(set) var mean = 0.0
  package private(set) var min = Double.infinity
  package private(set) var max = -Double.infinity
  /// The sum of the squared differences from the mean.
  private var squares = 0.0

  package init() {}

  package mutating func add(_ value: Double) {
    count += 1
    let difference = value - mean
    mean += difference / Double(count)
    squares += difference * (value - mean)
    min = Swift.min(min, value)
    max = Swift.max(max, value)
  }

  package mutating func add(_ value: Int) { add(Double(value)) }

  package mutating func merge(_ other: Self) {
    guard other.count > 0 else { return }
    guard count > 0 else {
      self = other
      return
    }
    let total = Double(count + other.count)
    let difference = other.mean - mean
    squares += other.squares + difference * difference * Double(count) * Double(other.count) / total
    mean += difference * Double(other.count) / total
    count += other.count
    min = Swift.min(min, other.min)
    max = Swift.max(max, other.max)
  }

  package var sum: Double { mean * Double(count) }
  /// The standard deviation; 0 for fewer than two numbers.
  package var deviation: Double { count > 1 ? (squares / Double(count - 1)).squareRoot() : 0 }
  /// The mean as a whole number.
  package var rounded: Int { Int(mean.rounded()) }
}
