// Closures as typed trees, computed by Swift's own integers and floating-point numbers.

/// Why a closure has no result: the app would have ended.
struct Trap: Error {}

/// A number of a type that Swift has.
enum SwiftNumber: Hashable {
  case int(Int)
  case double(Double)

  enum Kind { case int, double }

  var int: Int? {
    if case .int(let value) = self { value } else { nil }
  }

  var double: Double? {
    if case .double(let value) = self { value } else { nil }
  }
}

indirect enum TypedTree {
  case int(Int)
  case double(String, Double)
  case variable(String)
  case operation(String, [TypedTree])
  case choice(TypedCondition, TypedTree, TypedTree)

  typealias Dice = RoundTripTests.Dice

  static func random(_ dice: inout Dice, depth: Int, of kind: SwiftNumber.Kind) -> TypedTree {
    if depth == 0 || Int.random(in: 0..<5, using: &dice) == 0 { return leaf(&dice, kind) }
    let part = { (dice: inout Dice) in random(&dice, depth: depth - 1, of: kind) }
    switch Int.random(in: 0..<12, using: &dice) {
    case 0: return .operation("neg", [part(&dice)])
    case 1: return .operation("abs", [part(&dice)])
    case 2: return .operation("min", [part(&dice), part(&dice)])
    case 3: return .operation("max", [part(&dice), part(&dice), part(&dice)])
    case 4: return .choice(.random(&dice, depth: 0), part(&dice), part(&dice))
    case 5:
      let other = random(&dice, depth: depth - 1, of: kind == .int ? .double : .int)
      // Swift finds `Double(-(2))` ambiguous.
      return .operation(
        kind == .int ? "Int" : "Double", [other.hasVariable ? other : other.withVariable])
    default:
      let op = ["+", "-", "*", "/"].randomElement(using: &dice)!
      return .operation(op, [part(&dice), part(&dice)])
    }
  }

  private static func leaf(_ dice: inout Dice, _ kind: SwiftNumber.Kind) -> TypedTree {
    let name = ["totalBytes", "usedBytes"].randomElement(using: &dice)!
    let isVariable = Int.random(in: 0..<3, using: &dice) > 0
    switch kind {
    case .int:
      if isVariable { return .variable(name) }
      return .int([0, 1, 2, 3, 7, 1024, 3_000_000_000].randomElement(using: &dice)!)
    case .double:
      if isVariable { return .operation("Double", [.variable(name)]) }
      let (text, value) = [("0.5", 0.5), ("2.0", 2), ("1e3", 1000), ("0.1", 0.1), ("0.0", 0)]
        .randomElement(using: &dice)!
      return .double(text, value)
    }
  }

  /// The tree beside a variable of its type, so that nothing is inferred from literals alone.
  var withVariable: TypedTree {
    isDouble
      ? .operation("+", [.operation("Double", [.variable("usedBytes")]), self])
      : .operation("+", [.variable("usedBytes"), self])
  }

  private var hasVariable: Bool {
    switch self {
    case .int, .double: false
    case .variable: true
    case .operation(_, let operands): operands.contains(where: \.hasVariable)
    case .choice(_, let a, let b): a.hasVariable || b.hasVariable
    }
  }

  private var isDouble: Bool {
    switch self {
    case .int, .variable: false
    case .double: true
    case .operation("Int", _): false
    case .operation("Double", _): true
    case .operation(_, let operands): operands[0].isDouble
    case .choice(_, let a, _): a.isDouble
    }
  }

  func result(_ values: [String: Int]) throws(Trap) -> SwiftNumber {
    switch self {
    case .int(let value): return .int(value)
    case .double(_, let value): return .double(value)
    case .variable(let name): return .int(values[name]!)
    case .choice(let test, let a, let b):
      return try test.result(values) ? a.result(values) : b.result(values)
    case .operation(let name, let operands):
      var results: [SwiftNumber] = []
      for operand in operands { results.append(try operand.result(values)) }
      return try Self.compute(name, results)
    }
  }

  private static func compute(
    _ name: String, _ operands: [SwiftNumber]
  ) throws(Trap) -> SwiftNumber {
    switch operands[0] {
    case .int(let a):
      let others = operands.dropFirst().compactMap(\.int)
      return name == "Double" ? .double(Double(a)) : .int(try whole(name, a, others))
    case .double(let a):
      let others = operands.dropFirst().compactMap(\.double)
      guard name == "Int" else { return .double(real(name, a, others)) }
      // The numbers between which Swift converts.
      guard a > -9_223_372_036_854_777_856, a < 9_223_372_036_854_775_808 else { throw Trap() }
      return .int(Int(a))
    }
  }

  private static func whole(_ name: String, _ a: Int, _ others: [Int]) throws(Trap) -> Int {
    let result: (partialValue: Int, overflow: Bool) =
      switch name {
      case "+": a.addingReportingOverflow(others[0])
      case "-": a.subtractingReportingOverflow(others[0])
      case "*": a.multipliedReportingOverflow(by: others[0])
      case "/": a.dividedReportingOverflow(by: others[0])
      case "neg": (0).subtractingReportingOverflow(a)
      case "abs": a < 0 ? (0).subtractingReportingOverflow(a) : (a, false)
      case "min": (others.reduce(a, Swift.min), false)
      default: (others.reduce(a, Swift.max), false)
      }
    if result.overflow { throw Trap() }
    return result.partialValue
  }

  private static func real(_ name: String, _ a: Double, _ others: [Double]) -> Double {
    switch name {
    case "+": a + others[0]
    case "-": a - others[0]
    case "*": a * others[0]
    case "/": a / others[0]
    case "neg": -a
    case "abs": Swift.abs(a)
    case "min": others.count == 1 ? Swift.min(a, others[0]) : Swift.min(a, others[0], others[1])
    default: others.count == 1 ? Swift.max(a, others[0]) : Swift.max(a, others[0], others[1])
    }
  }

  /// The text in Swift, where `sqrt` and such are left out, since they need a module.
  var text: String {
    switch self {
    case .int(let value): return "\(value)"
    case .double(let text, _): return text
    case .variable(let name): return name
    case .choice(let test, let a, let b): return "(\(test.text) ? \(a.text) : \(b.text))"
    case .operation("neg", let operands): return "-(\(operands[0].text))"
    case .operation(let name, let operands):
      let texts = operands.map(\.text)
      return "+-*/".contains(name)
        ? "(\(texts[0]) \(name) \(texts[1]))" : "\(name)(\(texts.joined(separator: ", ")))"
    }
  }
}

indirect enum TypedCondition {
  case comparison(String, TypedTree, TypedTree)
  case not(TypedCondition)
  case joined(String, TypedCondition, TypedCondition)

  typealias Dice = RoundTripTests.Dice

  static func random(_ dice: inout Dice, depth: Int) -> TypedCondition {
    if depth > 0 {
      let a = random(&dice, depth: depth - 1)
      if Int.random(in: 0..<4, using: &dice) == 0 { return .not(a) }
      let op = ["&&", "||"].randomElement(using: &dice)!
      return .joined(op, a, random(&dice, depth: depth - 1))
    }
    let kind = Bool.random(using: &dice) ? SwiftNumber.Kind.int : .double
    let op = ["<", "<=", ">", ">=", "==", "!="].randomElement(using: &dice)!
    return .comparison(
      op, TypedTree.random(&dice, depth: 2, of: kind).withVariable,
      TypedTree.random(&dice, depth: 2, of: kind))
  }

  func result(_ values: [String: Int]) throws(Trap) -> Bool {
    switch self {
    case .not(let operand): return try !operand.result(values)
    case .joined(let op, let a, let b):
      let first = try a.result(values)
      if first == (op == "||") { return first }
      return try b.result(values)
    case .comparison(let op, let a, let b):
      switch (try a.result(values), try b.result(values)) {
      case (.int(let x), .int(let y)): return RealCondition.holds(op, x, y)
      case (.double(let x), .double(let y)): return RealCondition.holds(op, x, y)
      default: throw Trap()
      }
    }
  }

  var text: String {
    switch self {
    case .comparison(let op, let a, let b): "\(a.text) \(op) \(b.text)"
    case .not(let operand): "!(\(operand.text))"
    case .joined(let op, let a, let b): "((\(a.text)) \(op) (\(b.text)))"
    }
  }
}

/// A closure with definitions and branches, as people write them.
struct RandomClosure {
  private var whole: TypedTree
  private var real: TypedTree
  private var first: TypedCondition
  private var second: TypedCondition
  private var third: TypedCondition
  private var form: Int
  private var lead: String

  typealias Dice = RoundTripTests.Dice

  init(_ dice: inout Dice) {
    whole = .random(&dice, depth: 1, of: .int).withVariable
    real = .random(&dice, depth: 1, of: .double).withVariable
    first = .random(&dice, depth: 1)
    second = .random(&dice, depth: 1)
    third = .random(&dice, depth: 0)
    form = Int.random(in: 0..<6, using: &dice)
    lead = ["totalBytes, usedBytes in", "(totalBytes: Int, usedBytes: Int) -> Bool in"]
      .randomElement(using: &dice)!
  }

  private static let sizes = [
    0, 1, 2, 3, 4, 1023, 4096, 1_000_000, 104_857_600, 3_000_000_000, 1 << 40, (1 << 48) - 1,
  ]

  static func values(_ dice: inout Dice) -> [String: Int] {
    [
      "totalBytes": sizes.randomElement(using: &dice)!,
      "usedBytes": sizes.randomElement(using: &dice)!,
    ]
  }

  /// The closure that is compiled or pasted.
  var text: String {
    switch form {
    case 0: "{ \(lead) \(first.text) }"
    case 1: "{ \(lead)\n  return \(first.text)\n}"
    case 2:
      "{ \(lead)\n  let size = \(whole.text)\n  let share: Double = \(real.text)\n"
        + "  return size > 1024 && share < 0.5 || \(third.text)\n}"
    case 3:
      "{ \(lead)\n  if \(first.text) { return true }\n"
        + "  let share = \(real.text)\n  return share < 2 && \(third.text)\n}"
    case 4:
      "{ \(lead)\n  guard \(first.text) else { return \(third.text) }\n"
        + "  if \(second.text) {\n    return true\n  } else if \(third.text) {\n    return false\n  }\n"
        + "  return \(whole.text) > 7\n}"
    default:
      "{ \(lead)\n  let limit = if \(third.text) { \(whole.text) } else { 3 }\n"
        + "  return totalBytes > limit\n}"
    }
  }

  func outcome(_ values: [String: Int]) -> Outcome {
    do throws(Trap) { return Outcome(try result(values)) } catch { return .trap }
  }

  private func result(_ values: [String: Int]) throws(Trap) -> Bool {
    switch form {
    case 0, 1: return try first.result(values)
    case 2:
      let (size, share) = (try whole.int(values), try real.real(values))
      if size > 1024 && share < 0.5 { return true }
      return try third.result(values)
    case 3:
      if try first.result(values) { return true }
      guard try real.real(values) < 2 else { return false }
      return try third.result(values)
    case 4:
      guard try first.result(values) else { return try third.result(values) }
      if try second.result(values) { return true }
      if try third.result(values) { return false }
      return try whole.int(values) > 7
    default:
      let limit = try third.result(values) ? whole.int(values) : 3
      return values["totalBytes"]! > limit
    }
  }
}

extension TypedTree {
  func int(_ values: [String: Int]) throws(Trap) -> Int {
    guard case .int(let value) = try result(values) else { throw Trap() }
    return value
  }

  func real(_ values: [String: Int]) throws(Trap) -> Double {
    guard case .double(let value) = try result(values) else { throw Trap() }
    return value
  }
}
