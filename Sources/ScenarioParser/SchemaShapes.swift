// What a key may hold, as JSON Schema says it: read off the words with which the table of keys says it to people.
// `1 to 64` is a count, "`full` or `none`" a choice, "`after n commits` or `never`" a pattern.
import ScenarioModel

enum SchemaShapes {
  /// What several keys are, under `$defs`.
  static let quantities: [SchemaNode.Member] = [
    .init(
      name: "count",
      node: quantity("A whole number, with underscores if you like.", least: 0, "\(whole)")),
    .init(name: "commits", node: quantity("50 commits, or 50.", least: 1, "\(whole)( commits?)?")),
    .init(
      name: "size",
      node: quantity("Bytes: 256 B, 1.5 kB (10^3), 1 MiB (2^20).", least: 1, size)),
    .init(
      name: "sizes",
      node: pattern(
        "\(size) +to +\(size)", "log-normal .+ sigma [0-9.]+( up to .+)?",
        "[0-9.]+ *% .+( and [0-9.]+ *% .+)+", histogram
      ).adding(
        "description",
        .text("A range, log-normal, a mixture, or a histogram in a file beside the scenario."))),
    .init(
      name: "keys",
      node: pattern(
        "uniform", "sequential", "fifo", "(zipfian|scrambled|latest)( 0\\.[0-9]+)?",
        "hotspot .+ on .+", histogram
      ).adding("description", .text("Which rows operations fall on."))),
    .init(
      name: "share",
      node: .object(
        ("description", .text("85 % or 0.85.")),
        (
          "anyOf",
          .list([
            .object(
              ("type", .text("number")), ("exclusiveMinimum", .number(0)), ("maximum", .number(1))),
            pattern(share),
          ])
        ))),
    .init(
      name: "duration", node: pattern(time).adding("description", .text("A time: 8 h, 10 ms."))),
    .init(
      name: "rate",
      node: pattern("\(number) *(per|/) *(\(number) *)?\(unit)", "\(share) of maximum")
        .adding("description", .text("100 per s, 30/min, or 70 % of maximum."))),
    .init(
      name: "launchNumbers",
      node: anyOf(
        .object(("type", .text("integer")), ("minimum", .number(1))),
        pattern("\(whole)( to \(whole))?"))),
  ]

  private static let whole = "[0-9]+(_[0-9]+)*"
  private static let number = "[0-9][0-9_.]*"
  private static let unit = "(us|ms|s|min|h|d)"
  private static let size = "\(number) *([kMG]i?)?B?"
  private static let share = "\(number) *%?"
  private static let time = "\(number) *\(unit)"
  private static let histogram = "histogram [^/ ]+\\.csv"

  /// Where the words leave open what they stand for.
  private static let known: [String: SchemaNode] = [
    "text": text, "table": text, "phase": text, "variable": text, "condition": text,
    "arm, policy or engine": text, "predicate, `always` or `never`": text,
    "text or list of texts": oneOrMore(text), "list of texts": list(text),
    "list of policies' names": oneOrMore(text), "arm or list": oneOrMore(text),
    "policy's name or list": oneOrMore(text),
    "engine or list": oneOrMore(
      .object(("type", .list([.text("string"), .text("null")])), ("minLength", .number(1)))),
    "name in kebab-case": .object(
      ("type", .text("string")), ("pattern", .text("^[a-z0-9]+(-[a-z0-9]+)*$")),
      ("maxLength", .number(ScenarioName.maxLength))),
    "whole number": ref("count"), "share": ref("share"), "time": ref("duration"),
    "rate": ref("rate"), "rate, or `share of maximum`": ref("rate"),
    "distribution of keys": ref("keys"),
    "number, `a to b`, or list of numbers": oneOrMore(ref("launchNumbers")),
    "mapping: phase → 1 to 10_000_000": mapping(ref("count")),
    "mapping: name → table": mapping(ref("table")),
    "mapping: name → keys that differ, or `none`": mapping(
      anyOf(.object(("const", .text("none"))), ref("override"))),
    "mapping: name → client": mapping(
      .object(
        (
          "anyOf",
          .list(
            ScenarioKeys.all.filter { ScenarioKeys.clientKinds.values.contains($0) }
              .map { ref($0.name) })
        ))),
    "list of name: arm": list(single(anyOf(ref("arm"), .object(("type", .text("null")))))),
    "list of name: phase": list(single(ref("phase"))),
    "list of clients, or of `client: keys`": oneOrMore(anyOf(text, single(ref("override")))),
    "list of engines": oneOrMore(
      .object(("enum", .list(ScenarioParser.engines.map(SchemaNode.text) + [.null])))),
    "list of policies": list(anyOf(policyWords, ref("policy"), policyWithPredicate)),
    "list of expectations": list(ref("expectation")),
    "`200 commits`, `10 to 200 commits`, `exponential 200 commits`, `log-normal 200 commits σ`, "
      + "`pareto 50 commits α` or `never`": pattern(
        "never", "(\(whole) to )?\(whole)( commits?)?", "exponential \(whole)( commits?)?",
        "(log-normal|pareto) \(whole)( commits?( [0-9.]+)?)?"),
    "`a h to b h`": pattern("[0-9]+ *h to [0-9]+ *h"),
    "time, or `log-normal time sigma σ`": anyOf(
      ref("duration"), pattern("log-normal \(time) sigma [0-9.]+")),
    "`share over time`": pattern("\(share) over \(time)"),
  ]

  private static let modes = "automatic(\\((documented|realm-compatible|eager|idle)\\))?"
  private static let policyWords = pattern("never", "every-launch", "\(modes)( \\+ every-launch)?")
  private static let policyWithPredicate = SchemaNode.object(
    ("type", .text("object")), ("minProperties", .number(1)), ("maxProperties", .number(1)),
    (
      "patternProperties",
      .members([.init(name: "^\(modes) \\+ on-launch$", node: text)])
    ), ("additionalProperties", .truth(false)))

  /// What the key may hold, without its meaning.
  static func shape(of key: KeyTable.Key, in table: KeyTable) -> SchemaNode {
    if key.type == "mapping" { return ref(key.name) }
    if let known = known[key.type] { return known }
    let words = SchemaWords(key.type)
    var shapes: [SchemaNode] = []
    for part in words.others {
      switch part {
      case "time": shapes.append(ref("duration"))
      case "size": shapes.append(ref("size"))
      case "distribution of sizes": shapes.append(ref("sizes"))
      case "mapping": shapes.append(ref(key.name))
      case _ where SchemaWords.isCount(part): shapes.append(ref("count"))
      case _ where SchemaWords.isCount(part, of: " commits"):
        if part.hasPrefix("0 ") { shapes.append(ref("count")) }
        shapes.append(ref("commits"))
      // The bounds of a quantity that is named beside them.
      case _ where !shapes.isEmpty && part.contains(" to "): break
      default: preconditionFailure("“\(key.type)” of \(table.name).\(key.name): what is “\(part)”?")
      }
    }
    if let choices = choices(words) { shapes.append(choices) }
    precondition(!shapes.isEmpty, "“\(key.type)” of \(table.name).\(key.name) says nothing.")
    return anyOf(shapes)
  }

  /// Of words alone, one of them; of words with numbers among them, a pattern.
  private static func choices(_ words: SchemaWords) -> SchemaNode? {
    guard !words.choices.isEmpty else { return nil }
    if words.choices == ["true", "false"] { return .object(("type", .text("boolean"))) }
    let patterns = words.choices.map(SchemaWords.pattern)
    guard patterns == words.choices, words.suffix == nil else {
      let suffix = words.suffix.map { "( \(SchemaWords.pattern($0)))?" } ?? ""
      return pattern("(" + patterns.joined(separator: "|") + ")" + suffix)
    }
    if words.choices.count == 1 { return .object(("const", .text(words.choices[0]))) }
    let values = words.choices.map { choice in
      choice == "true" ? .truth(true) : choice == "false" ? SchemaNode.truth(false) : .text(choice)
    }
    return .object(("enum", .list(values)))
  }

  // MARK: Nodes

  private static let text = SchemaNode.object(
    ("type", .text("string")), ("minLength", .number(1)))

  private static func ref(_ name: String) -> SchemaNode {
    .object(("$ref", .text("#/$defs/" + name)))
  }

  private static func pattern(_ alternatives: String...) -> SchemaNode {
    let all = alternatives.joined(separator: "|")
    return .object(
      ("type", .text("string")),
      ("pattern", .text(alternatives.count == 1 ? "^\(all)$" : "^(\(all))$")))
  }

  private static func quantity(_ meaning: String, least: Int, _ words: String) -> SchemaNode {
    .object(
      ("description", .text(meaning)),
      (
        "anyOf",
        .list([
          .object(("type", .text("integer")), ("minimum", .number(least))), pattern(words),
        ])
      ))
  }

  private static func anyOf(_ shapes: SchemaNode...) -> SchemaNode { anyOf(shapes) }

  private static func anyOf(_ shapes: [SchemaNode]) -> SchemaNode {
    shapes.count == 1 ? shapes[0] : .object(("anyOf", .list(shapes)))
  }

  private static func list(_ node: SchemaNode) -> SchemaNode {
    .object(("type", .text("array")), ("minItems", .number(1)), ("items", node))
  }

  private static func oneOrMore(_ node: SchemaNode) -> SchemaNode { anyOf(node, list(node)) }

  /// A mapping of any names to this.
  private static func mapping(_ node: SchemaNode) -> SchemaNode {
    .object(
      ("type", .text("object")), ("minProperties", .number(1)), ("additionalProperties", node))
  }

  /// The same with one member.
  private static func single(_ node: SchemaNode) -> SchemaNode {
    .object(
      ("type", .text("object")), ("minProperties", .number(1)), ("maxProperties", .number(1)),
      ("additionalProperties", node))
  }
}
