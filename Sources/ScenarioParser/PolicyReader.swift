// One entry of `policies`: a word, a word with a predicate, or a mapping with a name.
import MetricModel
import Policies
import PredicateLanguage
import Yams

enum PolicyReader {
  static func read(_ field: Field) -> Policy? {
    guard let mapping = field.node.mapping else { return word(field) }
    // `automatic + on-launch: …` is a mapping to YAML and the text of a policy to a reader.
    if mapping.count == 1, let pair = mapping.first, let key = pair.key.scalar?.string,
      key.contains(where: { "+=(".contains($0) }) || key == "exec"
    {
      return line(
        key, pair.key, Field(node: pair.value, path: field.path, collector: field.collector))
    }
    return parts(field)
  }

  /// `never`, `automatic + every-launch`.
  private static func word(_ field: Field) -> Policy? {
    guard let text = field.text("a policy") else { return nil }
    do {
      return try Policy(parsing: text)
    } catch {
      field.report(error, textStartsAt: text)
      return nil
    }
  }

  /// The one-line form, of which YAML made a key and a value at its colon.
  private static func line(_ key: String, _ keyNode: Node, _ value: Field) -> Policy? {
    guard let text = value.text("a predicate such as totalBytes > 100 MB") else { return nil }
    let lead = "\(key): "
    do {
      return try Policy(parsing: lead + text)
    } catch {
      if error.position.offset >= lead.count {
        value.report(error.moved(by: -lead.count, into: text), textStartsAt: text)
      } else {
        value.collector.report(error, in: keyNode, path: value.path)
      }
      return nil
    }
  }

  /// The forms of a policy in the schema for editors.
  static var schema: SchemaNode {
    let modes =
      "automatic(\\((\(AutomaticPreset.allCases.map(\.rawValue).joined(separator: "|")))\\))?"
    let presets =
      "(\(PolicyPreset.all.map(\.name).joined(separator: "|")))(\\([^()]+\\))?"
    let words = SchemaNode.pattern(
      "never", "every-launch", "\(modes)( \\+ every-launch)?", "(\(modes) \\+ )?\(presets)")
    let withPredicate = SchemaNode.object(
      ("type", .text("object")), ("minProperties", .number(1)), ("maxProperties", .number(1)),
      (
        "patternProperties",
        .members([.init(name: "^((\(modes) \\+ )?exec|\(modes) \\+ on-launch)$", node: .anyText)])
      ), ("additionalProperties", .truth(false)))
    return .anyOf([words, .ref(ScenarioKeys.policy.table.name), withPredicate])
  }

  private static func parts(_ field: Field) -> Policy? {
    guard let (draft, keys) = ScenarioKeys.policy.read(field).map({ ($0.model, $0.given) }) else {
      return nil
    }
    var policy = Policy(
      name: "", automatic: draft.automatic.isOn, preset: draft.automatic.preset,
      onLaunch: draft.onLaunch)
    if !draft.automatic.thresholds.isEmpty { policy.thresholds = draft.automatic.thresholds }
    policy.name = draft.name ?? policy.rule
    if let name = draft.name, !name.allSatisfy({ $0.isLetter || $0.isNumber || "-_.".contains($0) })
    {
      keys[\.name]?.report(
        "\"\(shortened(name))\" is no name", hint: "letters, digits, hyphens and dots, no spaces")
    }
    return policy
  }
}

/// A policy as its keys give it.
struct PolicyDraft {
  struct Automatic: Hashable, Sendable {
    var isOn: Bool
    var preset: AutomaticPreset?
    var thresholds = AutomaticThresholds()

    static var choices: [(String, Self)] {
      [("true", Self(isOn: true)), ("false", Self(isOn: false))]
        + AutomaticPreset.allCases.map { ($0.rawValue, Self(isOn: true, preset: $0)) }
    }
  }

  var name: String?
  var automatic = Automatic(isOn: false)
  var onLaunch = Policy.LaunchRule.never
}

extension ScenarioKeys {
  static let policy = Block("policy", PolicyDraft()) {
    Key(
      "name", \.name, .text, default: "what the policy does",
      "The name in reports, arms and expectations.")
    Key(
      "automatic", \.automatic,
      .automatic,
      "Whether the engine compacts by itself while it runs, in which way, and at which thresholds.")
    Key(
      "on-launch", \.onLaunch, .launchRule, default: "`never`",
      "Asked each time the database is opened: compact now?")
  }
}

extension ValueType where Value == Policy.LaunchRule {
  fileprivate static var launchRule: Self {
    Self(
      "predicate, `always` or `never`", schema: .anyText,
      expected: "a predicate such as totalBytes > 100 MB"
    ) { field, expected in
      guard let text = field.text(expected) else { return nil }
      do throws(PredicateError) {
        return try Policy.LaunchRule(parsing: text)
      } catch {
        field.report(error, textStartsAt: text)
        return nil
      }
    }
  }
}

extension Field {
  /// A mistake in `trimmed`, the text of this scalar without the space around it, or a part of that text, which begins
  /// after `skipped` characters.
  func report(_ error: PredicateError, textStartsAt trimmed: String, skipping skipped: Int = 0) {
    let space = keyText.prefix { $0.isWhitespace }.count
    collector.report(error, in: node, base: space + skipped, path: path)
  }
}
