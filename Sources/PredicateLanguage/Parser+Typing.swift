// The types of a closure's numbers: Swift infers those of literals from what they are used with and converts nothing else,
// C converts both operands to one type.

extension Arithmetic {
  /// What is known of the type of an expression before it is used.
  enum StaticType: Hashable {
    /// A whole number that may still become any type.
    case wholeLiteral
    case fractionLiteral
    case typed(NumberType)

    var name: String {
      switch self {
      case .wholeLiteral: NumberType.int.name
      case .fractionLiteral: NumberType.double.name
      case .typed(let type): type.name
      }
    }
  }

  var staticType: StaticType {
    switch self {
    case .number(let literal):
      if let type = literal.type { return .typed(type) }
      return literal.whole == nil ? .fractionLiteral : .wholeLiteral
    case .variable: return .typed(.int)
    case .negated(let operand): return operand.staticType
    case .converted(let type, _), .promoted(let type, _): return .typed(type)
    case .binary(_, let left, let right): return left.staticType.joined(right.staticType)
    case .call(_, let arguments):
      return arguments.dropFirst().reduce(arguments[0].staticType) { $0.joined($1.staticType) }
    case .conditional(_, let yes, let no): return yes.staticType.joined(no.staticType)
    }
  }

  /// Returns the expression with the literals of its value in this type.
  func typed(as type: NumberType) -> Arithmetic {
    switch self {
    case .number(var literal):
      guard literal.type == nil else { return self }
      literal.type = type
      return .number(literal)
    case .variable, .converted, .promoted: return self
    case .negated(let operand): return .negated(operand.typed(as: type))
    case .binary(let op, let left, let right):
      return .binary(op, left.typed(as: type), right.typed(as: type))
    case .call(let function, let arguments):
      return .call(function, arguments.map { $0.typed(as: type) })
    case .conditional(let condition, let yes, let no):
      return .conditional(condition, yes.typed(as: type), no.typed(as: type))
    }
  }

  /// The expression with the types that Swift gives to literals by themselves.
  var defaulted: Arithmetic {
    switch staticType {
    case .wholeLiteral: typed(as: .int)
    case .fractionLiteral: typed(as: .double)
    case .typed: self
    }
  }
}

extension Arithmetic.StaticType {
  /// The type of both: that of the one that has one.
  fileprivate func joined(_ other: Self) -> Self {
    switch (self, other) {
    case (.typed, _): self
    case (_, .typed): other
    case (.fractionLiteral, _), (_, .fractionLiteral): .fractionLiteral
    case (.wholeLiteral, .wholeLiteral): .wholeLiteral
    }
  }
}

extension Parser {
  /// Returns the condition that a variable which is 1 or 0 stands for; nil for any other number. A text that was checked
  /// before has no other numbers in such a place.
  func flag(_ arithmetic: Arithmetic) -> Condition? {
    var variable = arithmetic
    if case .promoted(_, let operand) = variable { variable = operand }
    guard case .variable(let name) = variable, vocabulary?[name]?.isTruth ?? (vocabulary == nil)
    else { return nil }
    var zero = Literal(value: 0, text: "0", dimension: .plain)
    if let type = typing.sizeType { zero.type = type }
    return .comparison(Comparison(left: arithmetic, op: .unequal, right: .number(zero)))
  }

  /// Returns the operands in one type. Swift refuses two: `usedBytes / totalBytes < 0.5`.
  func unified(
    _ operands: [Arithmetic], at range: Range<Int>
  ) throws(PredicateError) -> [Arithmetic] {
    switch typing {
    case .real: return operands
    case .c: return promoted(operands) { $0.common(with: $1) }
    case .kotlin: return promoted(operands) { $0.commonOfKotlin(with: $1) }
    case .swift: break
    }
    let joined = operands.dropFirst().reduce(operands[0].staticType) {
      $0.joined($1.staticType)
    }
    guard case .typed(let type) = joined else { return operands }
    for operand in operands {
      let own = operand.staticType
      let fits =
        switch own {
        case .wholeLiteral: true
        case .fractionLiteral: !type.isWhole
        case .typed(let other): type.mixes(with: other)
        }
      if !fits { throw mixture(operands, at: range) }
    }
    return operands.map { $0.typed(as: type) }
  }

  /// Returns operands that nothing else is computed with: literals that are still free take one type together.
  func finished(_ operands: [Arithmetic]) -> [Arithmetic] {
    guard typing == .swift else { return operands }
    let hasFraction = operands.contains { $0.staticType == .fractionLiteral }
    return operands.map { operand in
      if case .typed = operand.staticType { return operand }
      return operand.typed(as: hasFraction ? .double : .int)
    }
  }

  /// Returns the operands in the type that the language computes in.
  private func promoted(
    _ operands: [Arithmetic], _ join: (NumberType, NumberType) -> NumberType
  ) -> [Arithmetic] {
    let types = operands.compactMap(\.typeOfC)
    guard types.count == operands.count, let first = types.first else { return operands }
    let common = types.dropFirst().reduce(first, join)
    return zip(operands, types).map { operand, type in
      type == common ? operand : .promoted(common, operand)
    }
  }

  private func mixture(_ operands: [Arithmetic], at range: Range<Int>) -> PredicateError {
    let types = operands.map(\.staticType)
    let other = types.first { $0.name != types[0].name } ?? types[0]
    let whole = operands.first {
      if case .typed(let type) = $0.staticType { type.isWhole } else { false }
    }
    let hint = whole.map { whole in
      if case .binary(.over, let a, let b) = whole, !a.isConstant, !b.isConstant {
        return
          "write \(Self.asDouble(a)) / \(Self.asDouble(b)), or the condition without let and return"
      }
      return "write \(Self.asDouble(whole)), or the condition without let and return"
    }
    return error(
      .type, "Swift does not mix \(types[0].name) and \(other.name)", hint: hint, at: range)
  }

  private static func asDouble(_ operand: Arithmetic) -> String {
    let text = operand.text(within: 0, typing: .swift)
    return "Double(\(text.count <= 60 ? text : "…"))"
  }

  /// Returns the operand as the value of a definition of this type, which may be absent.
  func defined(
    _ operand: Arithmetic, as type: NumberType?, at range: Range<Int>
  ) throws(PredicateError) -> Arithmetic {
    switch typing {
    case .real: return operand
    case .c:
      guard let type, let own = operand.typeOfC, type != own else { return operand }
      return type.isWhole && !own.isWhole ? .converted(type, operand) : .promoted(type, operand)
    case .kotlin:
      guard let type, let own = operand.typeOfC, own != type else { return operand }
      guard own.isWhole, type.isWhole, operand.isConstant else {
        throw error(
          .type, "Kotlin does not take \(own.name) for \(type.name)",
          hint: "write .to\(type.name)()", at: range)
      }
      return .promoted(type, operand)
    case .swift:
      guard let type else { return operand.defaulted }
      switch operand.staticType {
      case .wholeLiteral: return operand.typed(as: type)
      case .fractionLiteral where !type.isWhole: return operand.typed(as: type)
      case .typed(let own) where type.mixes(with: own): return operand
      case .fractionLiteral, .typed:
        throw error(
          .type, "Swift does not take \(operand.staticType.name) for \(type.name)",
          hint: "write \(type.name)(…)", at: range)
      }
    }
  }

  /// Returns what a conversion of a closure makes of the operand.
  func typedConversion(_ operand: Arithmetic, _ type: NumberType) -> Arithmetic {
    if typing == .swift, case .number(let literal) = operand, literal.type == nil,
      !type.isWhole || literal.whole != nil
    {
      return operand.typed(as: type)
    }
    return .converted(type, typing == .swift ? operand.defaulted : operand)
  }

  /// Refuses a constant that ends the app, and a variable with a fraction that is not converted.
  func checkTyped(_ arithmetic: Arithmetic, at range: Range<Int>) throws(PredicateError) {
    guard typing != .real, vocabulary != nil else { return }
    if case .binary(.over, _, let divisor) = arithmetic, divisor.isConstant,
      case .typed(let type) = divisor.staticType, type.isWhole,
      case .value(.whole(0, _)) = divisor.typedValue({ _ in nil })
    {
      throw error(.noValue, "this divides by zero", hint: "it never has a value", at: range)
    }
    guard arithmetic.isConstant, case .typed = arithmetic.staticType,
      case .refused(let reason) = arithmetic.typedValue({ _ in nil })
    else { return }
    throw error(.tooLarge, reason, at: range)
  }

  /// Refuses a variable with a fraction where a closure has whole numbers.
  func checkWhole(_ name: String, at range: Range<Int>) throws(PredicateError) {
    guard typing != .real, let variable = vocabulary?[name], !variable.dimension.isWhole,
      !isConverted
    else { return }
    throw error(
      .type, "\(name) has a fraction, and a closure has whole numbers",
      hint: typing == .kotlin ? "write \(name).toDouble()" : "write Double(\(name))", at: range)
  }

  /// Whether a conversion stands right before this token and takes nothing else; in Kotlin behind it.
  private var isConverted: Bool {
    if typing == .kotlin {
      guard next.kind == .symbol("."), index + 2 < tokens.count else { return false }
      return [.name("toDouble"), .name("toFloat")].contains(tokens[index + 2].kind)
    }
    guard index >= 2, tokens[index - 1].kind == .symbol(typing == .c ? ")" : "("),
      case .name(let name) = tokens[index - 2].kind, let type = NumberType.named(name)
    else { return false }
    return !type.isWhole && (typing == .c || next.kind == .symbol(")"))
  }
}

extension Arithmetic {
  /// The type in C: that of an operand, since both have one by now.
  fileprivate var typeOfC: NumberType? {
    switch staticType {
    case .typed(let type): type
    case .wholeLiteral, .fractionLiteral: nil
    }
  }
}

extension Dimension {
  /// Whether values of this dimension have no fraction, as the values of a closure in an app.
  fileprivate var isWhole: Bool { seconds == 0 }
}
