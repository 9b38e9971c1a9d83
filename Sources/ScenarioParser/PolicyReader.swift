// One entry of `policies`: a word, a word with a predicate, or a mapping with a name.
import MetricModel
import Policies
import PredicateLanguage

enum PolicyReader {
  static func read(_ field: Field) -> Policy? {
    guard let mapping = field.node.mapping else { return word(field) }
    // `on-launch: …` and `automatic + on-launch: …` are mappings to YAML and policies to a reader.
    if mapping.count == 1, let pair = mapping.first, let key = pair.key.scalar?.string {
      let words = key.split(separator: "+").map(QuantityText.trimmed)
      if words.count == 2, words.last == "on-launch" {
        let value = Field(node: pair.value, path: field.path, collector: field.collector)
        guard let own = try? Policy(parsing: String(words[0])), own.automatic else {
          field.collector.report(
            at: pair.key, path: field.path, "unknown policy \"\(shortened(key))\"",
            hint:
              "there are never, automatic, every-launch, on-launch: … and automatic + on-launch: …")
          return nil
        }
        return predicate(value).map { named(true, own.preset, .when($0)) }
      }
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

  private static func parts(_ field: Field) -> Policy? {
    guard let keys = MappingReader(field, ScenarioKeys.policy) else { return nil }
    let (automatic, preset) = keys["automatic"].map(automatic) ?? (false, nil)
    var rule = Policy.LaunchRule.never
    if let launch = keys["on-launch"] {
      switch launch.node.scalar?.string {
      case "always": rule = .always
      case "never": rule = .never
      default: rule = predicate(launch).map(Policy.LaunchRule.when) ?? .always
      }
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

  private static func predicate(_ field: Field) -> Predicate? {
    guard let text = field.text("a predicate such as totalBytes > 100 MB") else { return nil }
    do {
      return try Predicate(observed: text)
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
