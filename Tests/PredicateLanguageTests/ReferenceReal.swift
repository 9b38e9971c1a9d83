// Conditions of real numbers as trees, with the meaning that the manual gives them.

/// A number, a value that is missing, or one that nothing has.
enum Quantity: Hashable {
  case value(Double)
  case undefined, unknown
}

indirect enum RealNumber {
  case literal(String, Double)
  case variable(String)
  case operation(String, [RealNumber])
  case choice(RealCondition, RealNumber, RealNumber)

  typealias Dice = RoundTripTests.Dice

  static let literals = [
    ("3", 3.0), ("0", 0), ("0.5", 0.5), ("1e3", 1000), ("2_000", 2000), ("7", 7),
  ]

  static func random(_ dice: inout Dice, depth: Int) -> RealNumber {
    if depth == 0 || Int.random(in: 0..<5, using: &dice) == 0 {
      if Bool.random(using: &dice) {
        let (text, value) = literals.randomElement(using: &dice)!
        return .literal(text, value)
      }
      return .variable(
        ["totalBytes", "usedBytes", "freeBytes", "pins"].randomElement(using: &dice)!)
    }
    let kinds = ["+", "-", "*", "/", "neg", "Int", "Double", "min", "max", "abs", "sqrt", "if"]
    let kind = kinds.randomElement(using: &dice)!
    let part = { (dice: inout Dice) in random(&dice, depth: depth - 1) }
    switch kind {
    case "if": return .choice(.random(&dice, depth: 1), part(&dice), part(&dice))
    case "neg", "Int", "Double", "abs", "sqrt": return .operation(kind, [part(&dice)])
    case "min", "max":
      let count = Int.random(in: 2...3, using: &dice)
      return .operation(kind, (0..<count).map { _ in part(&dice) })
    default: return .operation(kind, [part(&dice), part(&dice)])
    }
  }

  /// Small numbers, so that they are often equal, and one that is missing now and then.
  static func values(_ dice: inout Dice) -> [String: Double?] {
    var values: [String: Double?] = [:]
    for name in ["totalBytes", "usedBytes", "freeBytes", "pins"] {
      let isMissing = Int.random(in: 0..<8, using: &dice) == 0
      values[name] = .some(isMissing ? nil : Double(Int.random(in: 0...8, using: &dice)))
    }
    return values
  }

  func result(_ values: [String: Double?]) -> Quantity {
    switch self {
    case .literal(_, let value): return .value(value)
    case .variable(let name): return (values[name] ?? nil).map(Quantity.value) ?? .unknown
    case .choice(let condition, let a, let b):
      switch condition.outcome(values) {
      case .yes: return a.result(values)
      case .no: return b.result(values)
      case .unknown:
        let (x, y) = (a.result(values), b.result(values))
        return x == y ? x : .unknown
      case .undefined, .trap: return .undefined
      }
    case .operation(let name, let operands):
      let results = operands.map { $0.result(values) }
      if results.contains(.unknown) { return .unknown }
      var numbers: [Double] = []
      for case .value(let number) in results { numbers.append(number) }
      guard numbers.count == results.count else { return .undefined }
      let value = Self.compute(name, numbers)
      return value.isNaN ? .undefined : .value(value)
    }
  }

  private static func compute(_ name: String, _ x: [Double]) -> Double {
    switch name {
    case "+": x[0] + x[1]
    case "-": x[0] - x[1]
    case "*": x[0] * x[1]
    case "/": x[1] == 0 ? .nan : x[0] / x[1]
    case "neg": -x[0]
    case "Int": x[0] < 0 ? x[0].rounded(.up) : x[0].rounded(.down)
    case "min": x.min()!
    case "max": x.max()!
    case "abs": x[0].magnitude
    case "sqrt": x[0].squareRoot()
    default: x[0]
    }
  }

  func text(_ dice: inout Dice) -> String {
    switch self {
    case .literal(let text, _): return text
    case .variable(let name): return name
    case .choice(let condition, let a, let b):
      let (test, yes, no) = (condition.text(&dice), a.text(&dice), b.text(&dice))
      return Bool.random(using: &dice)
        ? "(if \(test) { \(yes) } else { \(no) })" : "((\(test)) ? \(yes) : \(no))"
    case .operation("neg", let operands): return "-\(operands[0].text(&dice))"
    case .operation(let name, let operands):
      let texts = operands.map { $0.text(&dice) }
      if "+-*/".contains(name) { return "(\(texts[0]) \(name) \(texts[1]))" }
      return "\(name)(\(texts.joined(separator: ", ")))"
    }
  }
}

indirect enum RealCondition {
  case comparison(String, RealNumber, RealNumber)
  case not(RealCondition)
  case joined(String, RealCondition, RealCondition)
  case choice(RealCondition, RealCondition, RealCondition)

  typealias Dice = RoundTripTests.Dice

  static func random(_ dice: inout Dice, depth: Int) -> RealCondition {
    guard depth > 0 else {
      let op = ["<", "<=", ">", ">=", "==", "!="].randomElement(using: &dice)!
      return .comparison(
        op, RealNumber.random(&dice, depth: 2), RealNumber.random(&dice, depth: 2))
    }
    let part = { (dice: inout Dice) in random(&dice, depth: depth - 1) }
    switch Int.random(in: 0..<8, using: &dice) {
    case 0: return .not(part(&dice))
    case 1: return .choice(part(&dice), part(&dice), part(&dice))
    case 2, 3, 4: return .joined("&&", part(&dice), part(&dice))
    default: return .joined("||", part(&dice), part(&dice))
    }
  }

  func outcome(_ values: [String: Double?]) -> Outcome {
    switch self {
    case .comparison(let op, let a, let b):
      switch (a.result(values), b.result(values)) {
      case (.unknown, _), (_, .unknown): return .unknown
      case (.value(let x), .value(let y)): return Outcome(Self.holds(op, x, y))
      default: return .undefined
      }
    case .not(let operand):
      let outcome = operand.outcome(values)
      return outcome == .yes ? .no : outcome == .no ? .yes : outcome
    case .joined(let op, let a, let b):
      let decisive = op == "&&" ? Outcome.no : .yes
      let sides = [a.outcome(values), b.outcome(values)]
      for outcome in [decisive, .unknown, .undefined] where sides.contains(outcome) {
        return outcome
      }
      return sides[0]
    case .choice(let test, let a, let b):
      switch test.outcome(values) {
      case .yes: return a.outcome(values)
      case .no: return b.outcome(values)
      case .unknown:
        let (x, y) = (a.outcome(values), b.outcome(values))
        return x == y ? x : .unknown
      case .undefined, .trap: return .undefined
      }
    }
  }

  static func holds<N: Comparable>(_ op: String, _ a: N, _ b: N) -> Bool {
    switch op {
    case "<": a < b
    case "<=": a <= b
    case ">": a > b
    case ">=": a >= b
    case "==": a == b
    default: a != b
    }
  }

  func text(_ dice: inout Dice) -> String {
    switch self {
    case .comparison(let op, let a, let b): return "\(a.text(&dice)) \(op) \(b.text(&dice))"
    case .not(let operand):
      return Bool.random(using: &dice)
        ? "!(\(operand.text(&dice)))" : "(not (\(operand.text(&dice))))"
    case .joined(let op, let a, let b): return "((\(a.text(&dice))) \(op) (\(b.text(&dice))))"
    case .choice(let test, let a, let b):
      let (condition, yes, no) = (test.text(&dice), a.text(&dice), b.text(&dice))
      return Bool.random(using: &dice)
        ? "(if \(condition) { \(yes) } else { \(no) })" : "((\(condition)) ? (\(yes)) : (\(no)))"
    }
  }
}
