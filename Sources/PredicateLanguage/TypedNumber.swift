// Numbers of a type, computed as Swift and C compute them. What would end the app is refused with the reason.

/// A number of a type of Swift or C.
enum TypedNumber: Hashable, Sendable {
  case whole(Int128, NumberType)
  case real(Double, NumberType)

  enum Result: Hashable, Sendable {
    case value(TypedNumber)
    /// The variable that has no value.
    case unknown(String)
    /// The app would end here, for this reason.
    case refused(String)
  }

  var value: Double {
    switch self {
    case .whole(let value, _): Double(value)
    case .real(let value, _): value
    }
  }

  /// Returns the number as the type has it: without its fraction in a whole one, rounded in `Float`.
  func converted(to type: NumberType) -> Result {
    switch (self, type.kind) {
    case (.whole(let value, _), .whole): return Self.whole(value, in: type)
    case (.whole(let value, _), .float): return .value(.real(Double(Float(value)), type))
    case (.whole(let value, _), .double): return .value(.real(Double(value), type))
    case (.real(let value, _), .float): return .value(.real(Double(Float(value)), type))
    case (.real(let value, _), .double): return .value(.real(value, type))
    case (.real(let value, _), .whole):
      guard value.isFinite, abs(value) < 1e30 else {
        return .refused("\(type.name) has no value for \(value)")
      }
      return Self.whole(Int128(value.rounded(.towardZero)), in: type)
    }
  }

  /// Returns the value where the type has it.
  private static func whole(_ value: Int128, in type: NumberType) -> Result {
    guard let range = type.range, range.contains(value) else {
      return .refused("\(value) is \(value < 0 ? "below" : "above") what \(type.name) holds")
    }
    return .value(.whole(value, type))
  }

  static func apply(_ op: Arithmetic.Operator, _ a: TypedNumber, _ b: TypedNumber) -> Result {
    switch (a, b) {
    case (.whole(let a, let type), .whole(let b, _)):
      switch op {
      case .plus: return whole(a + b, in: type)
      case .minus: return whole(a - b, in: type)
      case .times:
        let (product, overflow) = a.multipliedReportingOverflow(by: b)
        guard !overflow else { return .refused("\(a) * \(b) is above what \(type.name) holds") }
        return whole(product, in: type)
      case .over:
        guard b != 0 else { return .refused("\(a) / 0 of \(type.name) has no value") }
        return whole(a / b, in: type)
      }
    case (.real(let a, let type), .real(let b, _)):
      let value =
        switch op {
        case .plus: a + b
        case .minus: a - b
        case .times: a * b
        case .over: a / b
        }
      // A sum, product or quotient of two `Float`s that is rounded twice is the one that is rounded once.
      return .value(.real(type.kind == .float ? Double(Float(value)) : value, type))
    default: return .refused("numbers of two types meet")
    }
  }

  var negated: Result {
    switch self {
    case .whole(let value, let type): Self.whole(-value, in: type)
    case .real(let value, let type): .value(.real(-value, type))
    }
  }

  var magnitude: Result {
    switch self {
    case .whole(let value, let type): Self.whole(value < 0 ? -value : value, in: type)
    case .real(let value, let type): .value(.real(abs(value), type))
    }
  }

  var squareRoot: Result {
    switch self {
    case .whole: converted(to: .double).map(\.squareRoot)
    case .real(let value, let type): .value(.real(value.squareRoot(), type))
    }
  }

  func holds(_ op: Comparison.Operator, _ other: TypedNumber) -> Bool {
    if case .whole(let a, _) = self, case .whole(let b, _) = other { return op.holds(a, b) }
    return op.holds(value, other.value)
  }

  /// Returns the lesser of the two, as `min` does: the first of equals, and of what is no number.
  func lesser(_ other: TypedNumber) -> TypedNumber { other.holds(.less, self) ? other : self }

  /// Returns the greater of the two, as `max` does: the last of equals.
  func greater(_ other: TypedNumber) -> TypedNumber { other.holds(.atLeast, self) ? other : self }
}

extension TypedNumber.Result {
  func map(_ transform: (TypedNumber) -> Self) -> Self {
    if case .value(let value) = self { transform(value) } else { self }
  }
}
