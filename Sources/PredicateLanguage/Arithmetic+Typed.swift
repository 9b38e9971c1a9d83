// The value of an expression by the rules of Swift or C, whose types the parser has worked out.

extension Arithmetic {
  /// Returns the value of an expression whose literals and operands have types.
  func typedValue(_ value: (String) -> Double?) -> TypedNumber.Result {
    switch self {
    case .number(let literal): return literal.typedValue
    case .variable(let name): return Self.whole(value(name), name)
    case .negated(let operand): return operand.typedValue(value).map(\.negated)
    case .converted(let type, .variable(let name)) where !type.isWhole,
      .converted(let type, .promoted(_, .variable(let name))) where !type.isWhole:
      guard let found = value(name) else { return .unknown(name) }
      return TypedNumber.real(found, .double).converted(to: type)
    case .converted(let type, let operand), .promoted(let type, let operand):
      return operand.typedValue(value).map { $0.converted(to: type) }
    case .binary(let op, let left, let right):
      return Self.join(left.typedValue(value), right.typedValue(value)) {
        TypedNumber.apply(op, $0, $1)
      }
    case .call(let function, let arguments):
      return function.typedValue(arguments.map { $0.typedValue(value) })
    case .conditional(let condition, let yes, let no):
      switch condition.evaluate(.swift, value) {
      case .yes: return yes.typedValue(value)
      case .no: return no.typedValue(value)
      case .refused(let reason): return .refused(reason)
      case .undefined: return .refused("a condition has no value")
      case .unknown(let name):
        let (a, b) = (yes.typedValue(value), no.typedValue(value))
        return a == b ? a : .unknown(name)
      }
    }
  }

  private static func whole(_ found: Double?, _ name: String) -> TypedNumber.Result {
    guard let found else { return .unknown(name) }
    guard found.isFinite, found == found.rounded(), abs(found) < 1e18 else {
      return .refused("\(name) is \(found), no whole number")
    }
    return .value(.whole(Int128(found), .int))
  }

  /// What ends the app wins over what is not known, since both operands are computed.
  static func join(
    _ a: TypedNumber.Result, _ b: TypedNumber.Result,
    _ apply: (TypedNumber, TypedNumber) -> TypedNumber.Result
  ) -> TypedNumber.Result {
    switch (a, b) {
    case (.refused, _): a
    case (_, .refused): b
    case (.unknown, _): a
    case (_, .unknown): b
    case (.value(let a), .value(let b)): apply(a, b)
    }
  }
}

extension Arithmetic.Function {
  fileprivate func typedValue(_ arguments: [TypedNumber.Result]) -> TypedNumber.Result {
    let first = arguments[0]
    switch self {
    case .absolute: return first.map(\.magnitude)
    case .squareRoot: return first.map(\.squareRoot)
    case .minimum, .maximum:
      return arguments.dropFirst().reduce(first) { result, argument in
        Arithmetic.join(result, argument) {
          .value(self == .minimum ? $0.lesser($1) : $0.greater($1))
        }
      }
    }
  }
}
