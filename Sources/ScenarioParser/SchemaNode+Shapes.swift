// Shapes that several keys of the JSON Schema have.

extension SchemaNode {
  static let anyText = object(("type", .text("string")), ("minLength", .number(1)))

  /// Returns a reference to a definition under `$defs`.
  static func ref(_ name: String) -> SchemaNode { object(("$ref", .text("#/$defs/" + name))) }

  static func pattern(_ alternatives: String...) -> SchemaNode {
    let all = alternatives.joined(separator: "|")
    return object(
      ("type", .text("string")),
      ("pattern", .text(alternatives.count == 1 ? "^\(all)$" : "^(\(all))$")))
  }

  static func anyOf(_ shapes: [SchemaNode]) -> SchemaNode {
    shapes.count == 1 ? shapes[0] : object(("anyOf", .list(shapes)))
  }

  static func listOf(_ node: SchemaNode) -> SchemaNode {
    object(("type", .text("array")), ("minItems", .number(1)), ("items", node))
  }

  static func oneOrMore(_ node: SchemaNode) -> SchemaNode { anyOf([node, listOf(node)]) }

  /// Returns the schema of a mapping from any names to values of `node`.
  static func mapping(_ node: SchemaNode) -> SchemaNode {
    object(
      ("type", .text("object")), ("minProperties", .number(1)), ("additionalProperties", node))
  }

  /// Returns the schema of a mapping from one name to a value of `node`.
  static func single(_ node: SchemaNode) -> SchemaNode {
    object(
      ("type", .text("object")), ("minProperties", .number(1)), ("maxProperties", .number(1)),
      ("additionalProperties", node))
  }

  /// Returns the schema of one of these words; a pattern if they contain numbers.
  static func choice(_ words: [String], suffix: String? = nil) -> SchemaNode {
    if words == ["true", "false"] { return object(("type", .text("boolean"))) }
    let patterns = words.map(PhraseTemplate.pattern)
    guard patterns == words, suffix == nil else {
      let suffix = suffix.map { "( \(PhraseTemplate.pattern($0)))?" } ?? ""
      return pattern("(" + patterns.joined(separator: "|") + ")" + suffix)
    }
    if words.count == 1 { return object(("const", .text(words[0]))) }
    return object(
      (
        "enum",
        .list(
          words.map { word in
            word == "true" ? .truth(true) : word == "false" ? .truth(false) : .text(word)
          })
      ))
  }

  /// Returns the schema with the range of a plain number.
  func adding(_ range: ClosedRange<Int>) -> SchemaNode {
    guard case .members(let members) = self else {
      preconditionFailure("Only an object has members.")
    }
    return .members(
      members + [
        Member(name: "minimum", node: .number(range.lowerBound)),
        Member(name: "maximum", node: .number(range.upperBound)),
      ])
  }

  // MARK: - Quantities

  /// The shared types of several keys, under `$defs`.
  static let quantities: [Member] = [
    Member(
      name: "count",
      node: quantity("A whole number, with underscores if you like.", whole)),
    Member(name: "commits", node: quantity("50 commits, or 50.", "\(whole)( commits?)?")),
    Member(
      name: "size", node: quantity("Bytes: 256 B, 1.5 kB (10^3), 1 MiB (2^20).", size)),
    Member(
      name: "sizes",
      node: pattern(
        "\(size) +to +\(size)", "log-normal .+ sigma [0-9.]+( up to .+)?",
        "[0-9.]+ *% .+( and [0-9.]+ *% .+)+", histogram, parameter
      ).adding(
        "description",
        .text("A range, log-normal, a mixture, or a histogram in a file beside the scenario."))),
    Member(
      name: "keys",
      node: pattern(
        "uniform", "sequential", "fifo", "(zipfian|scrambled|latest)( 0\\.[0-9]+)?",
        "hotspot .+ on .+", histogram, parameter
      ).adding("description", .text("Which rows operations fall on."))),
    Member(
      name: "share",
      node: .object(
        ("description", .text("85 % or 0.85.")),
        (
          "anyOf",
          .list([
            .object(
              ("type", .text("number")), ("exclusiveMinimum", .number(0)), ("maximum", .number(1))),
            pattern(share, parameter),
          ])
        ))),
    Member(
      name: "duration",
      node: pattern(time, parameter).adding("description", .text("A time: 8 h, 10 ms."))),
    Member(
      name: "rate",
      node: pattern("\(number) *(per|/) *(\(number) *)?\(unit)", "\(share) of maximum", parameter)
        .adding("description", .text("100 per s, 30/min, or 70 % of maximum."))),
    Member(
      name: "launchNumbers",
      node: anyOf([
        .object(("type", .text("integer")), ("minimum", .number(1))),
        pattern("\(whole)( to \(whole))?", parameter),
      ])),
  ]

  /// A value with a parameter in it: `$limit`, `$count commits`.
  private static let parameter = "[^$]*\\$[A-Za-z][A-Za-z0-9_]*.*"
  static let whole = "[0-9]+(_[0-9]+)*"
  static let share = "\(number) *%?"
  static let time = "\(number) *\(unit)"
  private static let number = "[0-9][0-9_.]*"
  private static let unit = "(us|ms|s|min|h|d)"
  private static let size = "\(number) *([kMG]i?)?B?"
  private static let histogram = "histogram [^/ ]+\\.csv"

  private static func quantity(_ meaning: String, _ words: String) -> SchemaNode {
    .object(
      ("description", .text(meaning)),
      ("anyOf", .list([.object(("type", .text("integer"))), pattern(words, parameter)])))
  }
}
