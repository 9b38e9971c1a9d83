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
      key.contains(where: { "+=(".contains($0) })
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

  private static func parts(_ field: Field) -> Policy? {
    guard let keys = MappingReader(field, ScenarioKeys.policy) else { return nil }
    let (automatic, preset) = keys["automatic"].map(automatic) ?? (false, nil)
    var rule = Policy.LaunchRule.never
    if let launch = keys["on-launch"] {
      rule = launchRule(launch) ?? .always
    }
    var policy = named(automatic, preset, rule)
    if let name = keys["name"]?.text("a name") {
      if !name.allSatisfy({ $0.isLetter || $0.isNumber || "-_.".contains($0) }) {
        keys["name"]?.report(
          "\"\(shortened(name))\" is no name", hint: "letters, digits, hyphens and dots, no spaces")
      }
      policy.name = name
    }
    return policy
  }

  private static func launchRule(_ field: Field) -> Policy.LaunchRule? {
    guard let text = field.text("a predicate such as totalBytes > 100 MB") else { return nil }
    do {
      return try Policy.LaunchRule(parsing: text)
    } catch {
      field.report(error, textStartsAt: text)
      return nil
    }
  }

  /// `true`, `false`, or in which way.
  private static func automatic(_ field: Field) -> (Bool, AutomaticPreset?) {
    let presets = AutomaticPreset.allCases.map { ($0.rawValue, (true, Optional($0))) }
    return field.choice([("true", (true, nil)), ("false", (false, nil))] + presets) ?? (false, nil)
  }

  private static func named(
    _ automatic: Bool, _ preset: AutomaticPreset?, _ onLaunch: Policy.LaunchRule
  ) -> Policy {
    var policy = Policy(name: "", automatic: automatic, preset: preset, onLaunch: onLaunch)
    policy.name = policy.rule
    return policy
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
