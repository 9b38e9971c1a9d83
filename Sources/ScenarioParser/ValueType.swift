// What a key may hold: how it is read, how it is described, and how an editor checks it.
import Generators
import MetricModel

struct ValueType<Value>: Sendable {
  /// The permitted values for the manual: `1 to 64`; literal text is between backquotes.
  let words: String
  let schema: SchemaNode
  /// The expected value in messages: `a whole number such as 2_000`.
  let expected: String
  /// Returns the value, or nil after a report.
  let read: @Sendable (_ field: Field, _ expected: String) -> Value?
  /// The value as the manual shows a default; nil where it cannot be written.
  let written: @Sendable (Value) -> String?
  /// Whether its numbers are amounts that an app's users and data decide.
  private(set) var isScalable = false

  init(
    _ words: String, schema: SchemaNode, expected: String = "",
    written: @escaping @Sendable (Value) -> String? = { _ in nil },
    read: @escaping @Sendable (_ field: Field, _ expected: String) -> Value?
  ) {
    self.words = words
    self.schema = schema
    self.expected = expected
    self.written = written
    self.read = read
  }

  /// The same notation for another value.
  func map<Other>(_ transform: @escaping @Sendable (Value) -> Other) -> ValueType<Other> {
    ValueType<Other>(words, schema: schema, expected: expected) { field, expected in
      read(field, expected).map(transform)
    }
  }

  /// The type of a key that says how much data there is, how much work, and how often: rows and sizes, operations, commits,
  /// rates, times between launches, shares of rows. Robustness varies these keys. It leaves alone what the experiment is
  /// made of (launches, clients, threads, seeds), engines' settings and limits, and how it is measured.
  var scalable: Self {
    var type = self
    type.isScalable = true
    return type
  }
}

extension ValueType where Value: Equatable & Sendable {
  /// Returns the type extended by a word with a meaning of its own: `never`.
  func or(_ word: String, _ value: Value) -> Self {
    Self(
      "\(words), or `\(word)`",
      schema: .anyOf([schema, .object(("const", .text(word)))]),
      expected: "\(expected), or \(word)",
      written: { $0 == value ? "`\(word)`" : written($0) },
      read: { field, expected in
        field.node.scalar?.string == word ? value : read(field, expected)
      })
  }
}

extension ValueType where Value == Int {
  static func count(_ range: ClosedRange<Int>) -> Self {
    Self(
      range.written, schema: .ref("count").adding(range), expected: "a whole number such as 2_000",
      written: { QuantityText.written($0) },
      read: { field, expected in
        field.quantity(expected, QuantityText.integer).flatMap { field.within(range, $0) }
      })
  }

  static func commits(_ range: ClosedRange<Int>) -> Self {
    Self(
      "\(range.written) commits", schema: .ref("commits").adding(range),
      expected: "a number of commits such as 50 commits",
      written: { $0 == 1 ? "1 commit" : "\(QuantityText.written($0)) commits" },
      read: { field, expected in
        field.quantity(expected, QuantityText.commits).flatMap { field.within(range, $0) }
      })
  }

  /// A number of bytes.
  static func size(_ range: ClosedRange<Int>) -> Self {
    Self(
      "size, \(Field.binary(range.lowerBound)) to \(Field.binary(range.upperBound))",
      schema: .ref("size").adding(range), expected: "a size such as 20 MiB",
      written: { Field.binary($0) },
      read: { field, expected in field.size(range, expected) })
  }

  /// A time in milliseconds, of which the range is in microseconds.
  static func milliseconds(_ range: ClosedRange<Int>) -> Self {
    let time = ValueType<VirtualTime>.time(range)
    return Self(
      time.words, schema: time.schema, expected: time.expected,
      written: { time.written(VirtualTime(microseconds: $0 * 1000)) },
      read: { field, expected in time.read(field, expected).map { $0.microseconds / 1000 } })
  }
}

extension ValueType where Value == VirtualTime {
  /// The range is in microseconds.
  static func time(_ range: ClosedRange<Int>) -> Self {
    Self(
      "time, \(Field.written(range.lowerBound)) to \(Field.written(range.upperBound))",
      schema: .ref("duration"), expected: "a time such as 8 h or 10 ms",
      written: { Field.written($0.microseconds) },
      read: { field, expected in
        field.duration(range, expected).map { VirtualTime(microseconds: $0) }
      })
  }
}

extension ValueType where Value == Double {
  /// Above 0, at most 1.
  static var share: Self {
    Self("share", schema: .ref("share"), expected: "a share such as 85 % or 0.85") {
      $0.share($1)
    }
  }
}

extension ValueType where Value == Bool {
  static var flag: Self {
    Self(
      "`true` or `false`", schema: .object(("type", .text("boolean"))), expected: "true or false",
      written: { $0 ? "`true`" : "`false`" },
      read: { $0.quantity($1, QuantityText.bool) })
  }
}

extension ValueType where Value == String {
  static var text: Self {
    Self(
      "text", schema: .anyText, expected: "text", written: { $0.isEmpty ? "empty" : $0 },
      read: { $0.text($1) })
  }

  /// The name of something in the file: `table`.
  static func name(
    of what: String, among names: @escaping @Sendable (KnownNames) -> [String]?
  ) -> Self {
    Self(
      what, schema: .anyText,
      read: { field, _ in
        field.name(what, among: names(field.collector.known))
      })
  }
}

extension ValueType where Value == [String] {
  static var texts: Self {
    Self("list of texts", schema: .listOf(.anyText), expected: "a list of texts") {
      field, expected in
      field.list(expected)?.compactMap { $0.text() }
    }
  }

  static var textOrTexts: Self {
    Self("text or list of texts", schema: .oneOrMore(.anyText), expected: "a list of texts") {
      field, expected in field.oneOrMore(expected)?.compactMap { $0.text() }
    }
  }
}

extension ValueType where Value: Equatable & Sendable {
  /// One of a few words.
  static func choice(_ choices: [(String, Value)]) -> Self {
    let names = choices.map(\.0)
    return Self(
      listed(names.map { "`\($0)`" }), schema: .choice(names),
      written: { value in choices.first { $0.1 == value }.map { "`\($0.0)`" } },
      read: { field, _ in field.choice(choices) })
  }
}

extension ValueType
where Value: CaseIterable & RawRepresentable & Equatable & Sendable, Value.RawValue == String {
  /// One of the words of the cases.
  static var choice: Self { choice(Value.allCases.map { ($0.rawValue, $0) }) }
}

extension ValueType where Value == Field {
  /// A value that is read once what it refers to is known.
  static func later(_ words: String, schema: SchemaNode) -> Self {
    Self(words, schema: schema) { field, _ in field }
  }

  /// A name that is looked up once all of its kind are known.
  static func nameLater(_ what: String) -> Self { later(what, schema: .anyText) }
}

extension ValueType {
  /// A mapping with keys of its own.
  static func block(_ block: Block<Value>) -> Self {
    Self("mapping", schema: .ref(block.table.name)) { field, _ in block.read(field)?.model }
  }

  /// A mapping with keys of its own, and where they stand.
  static func readBlock<Model>(_ block: Block<Model>) -> Self where Value == ReadBlock<Model> {
    Self("mapping", schema: .ref(block.table.name)) { field, _ in block.read(field) }
  }
}

extension ValueType where Value == KeyDistribution {
  static var keys: Self {
    Self(
      "distribution of keys", schema: .ref("keys"),
      written: { $0 == .uniform ? "`uniform`" : nil },
      read: { field, _ in field.keyDistribution() })
  }
}

extension ValueType where Value == SizeDistribution {
  static var sizes: Self {
    Self(
      "size or distribution of sizes, 1 B to 16 MiB",
      schema: .anyOf([.ref("size"), .ref("sizes")]),
      read: { field, _ in field.sizeDistribution() })
  }
}

extension ValueType where Value == [Int] {
  /// Numbers of launches of the scenario, from 1.
  static var launches: Self {
    Self(ValueType<Field>.launchesLater.words, schema: ValueType<Field>.launchesLater.schema) {
      field, _ in field.launchNumbers(1...field.collector.known.launches)
    }
  }
}

extension ValueType where Value == Field {
  static var launchesLater: Self {
    later("number, `a to b`, or list of numbers", schema: .oneOrMore(.ref("launchNumbers")))
  }
}

extension ClosedRange<Int> {
  /// `1 to 10_000`.
  var written: String {
    "\(QuantityText.written(lowerBound)) to \(QuantityText.written(upperBound))"
  }
}
