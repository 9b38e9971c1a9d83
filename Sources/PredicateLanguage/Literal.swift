// Numbers as they are written.

/// A number as written: 20971520 for `20 MiB`.
struct Literal: Hashable, Sendable {
  var value: Double
  /// With its unit, and without C's suffix.
  var text: String
  var dimension: Dimension
  /// C's suffix in small letters: `ul`.
  var suffix = ""
  /// The type in Swift or C; nil where it follows from what the number is used with.
  var type: NumberType?

  init(value: Double, text: String, dimension: Dimension, suffix: String = "") {
    self.value = value
    self.text = text
    self.dimension = dimension
    self.suffix = suffix
  }

  private var digits: String { text.filter { $0 != "_" } }

  /// The number itself where it is written as a whole one, without a point, an exponent or a unit.
  var whole: Int128? { Int128(digits) }

  /// The type that C gives the number.
  var typeOfC: NumberType? {
    guard let whole else { return NumberType.named(suffix == "f" ? "float" : "double") }
    if suffix.contains("u") { return .nsUInteger }
    return NumberType.named(suffix.isEmpty && whole <= Int128(Int32.max) ? "int" : "long")
  }

  /// The type that Kotlin gives the number; nil for a suffix that it does not have.
  var typeOfKotlin: NumberType? {
    guard let whole else { return NumberType.ofKotlin(suffix == "f" ? "Float" : "Double") }
    if suffix == "l" { return .kotlinLong }
    if suffix == "f" { return NumberType.ofKotlin("Float") }
    return whole <= Int128(Int32.max) ? .kotlinInt : .kotlinLong
  }

  /// Returns the value in the type.
  var typedValue: TypedNumber.Result {
    let type = type ?? (whole == nil ? .double : .int)
    switch type.kind {
    case .whole:
      guard let whole else { return TypedNumber.real(value, .double).converted(to: type) }
      return TypedNumber.whole(whole, type).converted(to: type)
    case .float: return .value(.real(Float(digits).map(Double.init) ?? value, type))
    case .double: return .value(.real(value, type))
    }
  }

  /// Returns the text that has the same type when it is read again.
  func text(_ typing: Typing) -> String {
    switch (typing, type) {
    case (.real, _), (.swift, NumberType.int?), (.swift, nil): text
    case (.swift, let type?) where type.kind == .double: whole == nil ? text : "\(text).0"
    case (.swift, let type?): "\(type.name)(\(text))"
    case (.c, _): text + suffix
    case (.kotlin, _): text + (suffix == "l" ? "L" : suffix)
    }
  }
}
