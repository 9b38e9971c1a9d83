// Values that several parts of a scenario have in common.

extension Field {
  /// The text of a key.
  var keyText: String { node.scalar?.string ?? "" }

  /// The value of a key of the mapping that this is.
  func member(_ key: String) -> Field? {
    node.mapping?[key].map { Field(node: $0, path: "\(path).\(key)", collector: collector) }
  }

  /// A span of time, in microseconds.
  func duration(
    _ range: ClosedRange<Int>, _ expected: String = "a time such as 8 h or 10 ms"
  ) -> Int? {
    guard let span = quantity(expected, QuantityText.duration) else {
      return nil
    }
    if range.contains(span) { return span }
    report(
      "the time is out of range",
      hint: "from \(Self.written(range.lowerBound)) to \(Self.written(range.upperBound))")
    return nil
  }

  /// A size in bytes.
  func size(_ range: ClosedRange<Int>, _ expected: String) -> Int? {
    guard let size = quantity(expected, QuantityText.size) else { return nil }
    if range.contains(size) { return size }
    report(
      "the size is out of range",
      hint: "from \(Self.binary(range.lowerBound)) to \(Self.binary(range.upperBound))")
    return nil
  }

  static func binary(_ bytes: Int) -> String {
    let units = [("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10)]
    for (unit, size) in units where bytes > 0 && bytes.isMultiple(of: size) {
      return "\(bytes / size) \(unit)"
    }
    return "\(bytes) B"
  }

  /// A share above 0, at most 1.
  func share(_ expected: String) -> Double? {
    guard let share = quantity(expected, QuantityText.share) else {
      return nil
    }
    if share > 0, share <= 1 { return share }
    let percent = share > 1 && share <= 100 && !keyText.contains("%")
    report(
      "the share is out of range",
      hint: percent ? "write \(keyText) %" : "above 0 %, up to 100 %")
    return nil
  }

  /// Names out of those there are, none twice; one name may stand without the list.
  func uniqueNames(_ what: String, among names: [String]?, _ expected: String) -> [String]? {
    guard let elements = oneOrMore(expected) else { return nil }
    var found: [String] = []
    for element in elements {
      guard let name = element.name(what, among: names) else { continue }
      if found.contains(name) { element.report("\(what) \"\(name)\" is there already") }
      found.append(name)
    }
    return found
  }

  static func written(_ microseconds: Int) -> String {
    if microseconds == 0 { return "0 s" }
    let units = [
      ("d", 86_400_000_000), ("h", 3_600_000_000), ("min", 60_000_000), ("s", 1_000_000),
      ("ms", 1000),
    ]
    for (unit, size) in units where microseconds.isMultiple(of: size) {
      return "\(QuantityText.written(microseconds / size)) \(unit)"
    }
    return "\(microseconds) us"
  }
}
