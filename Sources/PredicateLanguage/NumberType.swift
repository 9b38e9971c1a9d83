// The types of numbers in Swift and in C, and which of their rules a text is computed by.

/// The rules by which a text computes with numbers.
package enum Typing: String, Hashable, Sendable {
  /// All numbers are real: a condition, or a closure with units.
  case real
  /// A closure of Swift: `Int` divides without a fraction, and types are converted by name only.
  case swift
  /// A block of Objective-C: whole numbers divide without a fraction, and types are converted as C does.
  case c
  /// A function of Kotlin: `Long` divides without a fraction, and becomes `Double` beside one.
  case kotlin

  /// The type of sizes; nil where numbers have none.
  var sizeType: NumberType? {
    switch self {
    case .real: nil
    case .swift: .int
    case .c: .nsUInteger
    case .kotlin: .kotlinLong
    }
  }

  func type(named name: String) -> NumberType? {
    self == .kotlin ? NumberType.ofKotlin(name) : NumberType.named(name)
  }
}

/// A type of numbers, by its name in Swift or C.
struct NumberType: Hashable, Sendable {
  enum Kind: Hashable, Sendable {
    case double
    case float
    case whole(bits: Int, isSigned: Bool)
  }

  let name: String
  let kind: Kind

  static let double = NumberType(name: "Double", kind: .double)
  static let int = NumberType(name: "Int", kind: .whole(bits: 64, isSigned: true))
  /// The type of sizes in Objective-C.
  static let nsUInteger = NumberType(name: "NSUInteger", kind: .whole(bits: 64, isSigned: false))

  private static let swift: [NumberType] =
    [
      double, int, NumberType(name: "Float", kind: .float),
      // Swift converts between CGFloat and Double without being asked.
      NumberType(name: "CGFloat", kind: .double),
      NumberType(name: "UInt", kind: .whole(bits: 64, isSigned: false)),
    ]
    + [8, 16, 32, 64].flatMap { bits in
      [
        NumberType(name: "Int\(bits)", kind: .whole(bits: bits, isSigned: true)),
        NumberType(name: "UInt\(bits)", kind: .whole(bits: bits, isSigned: false)),
      ]
    }

  private static let c: [NumberType] = [
    nsUInteger, NumberType(name: "double", kind: .double),
    NumberType(name: "float", kind: .float),
    NumberType(name: "NSInteger", kind: .whole(bits: 64, isSigned: true)),
    NumberType(name: "long", kind: .whole(bits: 64, isSigned: true)),
    NumberType(name: "int", kind: .whole(bits: 32, isSigned: true)),
    NumberType(name: "short", kind: .whole(bits: 16, isSigned: true)),
    NumberType(name: "unsigned", kind: .whole(bits: 32, isSigned: false)),
    NumberType(name: "size_t", kind: .whole(bits: 64, isSigned: false)),
    NumberType(name: "int32_t", kind: .whole(bits: 32, isSigned: true)),
    NumberType(name: "int64_t", kind: .whole(bits: 64, isSigned: true)),
    NumberType(name: "uint32_t", kind: .whole(bits: 32, isSigned: false)),
    NumberType(name: "uint64_t", kind: .whole(bits: 64, isSigned: false)),
  ]

  static let kotlinLong = NumberType(name: "Long", kind: .whole(bits: 64, isSigned: true))
  static let kotlinInt = NumberType(name: "Int", kind: .whole(bits: 32, isSigned: true))

  /// Returns Kotlin's type of this name.
  static func ofKotlin(_ name: String) -> NumberType? {
    switch name {
    case "Long": kotlinLong
    case "Int": kotlinInt
    case "Double": double
    case "Float": NumberType(name: "Float", kind: .float)
    default: nil
    }
  }

  private static let named = Dictionary(
    uniqueKeysWithValues: (swift + c).map { ($0.name, $0) })

  static func named(_ name: String) -> NumberType? { named[name] }

  /// Whether only C has a type of this name.
  static func isOfC(_ name: String) -> Bool { c.contains { $0.name == name } }

  /// The type that C's words name together: `unsigned long`.
  static func joined(_ words: [NumberType]) -> NumberType? {
    guard let last = words.last, words.count > 1 else { return words.last }
    guard words.allSatisfy(\.isWhole), words.contains(where: { $0.name == "unsigned" }),
      case .whole(let bits, _) = last.kind
    else { return last }
    return unsignedType(bits: bits)
  }

  private static func unsignedType(bits: Int) -> NumberType {
    switch bits {
    case 64: nsUInteger
    case 32: NumberType(name: "uint32_t", kind: .whole(bits: 32, isSigned: false))
    default: NumberType(name: "unsigned", kind: .whole(bits: bits, isSigned: false))
    }
  }

  var isWhole: Bool {
    if case .whole = kind { true } else { false }
  }

  /// The whole numbers of the type; nil for one with fractions.
  var range: ClosedRange<Int128>? {
    guard case .whole(let bits, let isSigned) = kind else { return nil }
    let width = Int128(bits)
    return isSigned ? -(1 << (width - 1))...((1 << (width - 1)) - 1) : 0...((1 << width) - 1)
  }

  /// Whether Swift computes with values of both types together.
  func mixes(with other: NumberType) -> Bool {
    self == other || (kind == .double && other.kind == .double)
  }

  /// The type that Kotlin computes in, given operands of two: whole numbers are signed, and a real one decides.
  func commonOfKotlin(with other: NumberType) -> NumberType {
    switch (kind, other.kind) {
    case (.double, _), (_, .double): .double
    case (.float, _): self
    case (_, .float): other
    case (.whole(let a, _), .whole(let b, _)): max(a, b) > 32 ? .kotlinLong : .kotlinInt
    }
  }

  /// The type that C computes in, given operands of two: its usual arithmetic conversions.
  func common(with other: NumberType) -> NumberType {
    switch (kind, other.kind) {
    case (.double, _): return self
    case (_, .double): return other
    case (.float, _): return self
    case (_, .float): return other
    case (.whole(let a, let isSigned), .whole(let b, let isOtherSigned)):
      let int = NumberType(name: "int", kind: .whole(bits: 32, isSigned: true))
      if max(a, b) < 32 { return int }
      if a == b { return isSigned ? other : self }
      let (wide, bits, isWideSigned) = a > b ? (self, a, isSigned) : (other, b, isOtherSigned)
      // An unsigned type that is narrower fits in the wider signed one.
      return isWideSigned || bits >= 32 ? wide : int
    }
  }
}
