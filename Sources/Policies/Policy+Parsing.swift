// The one-line form of a policy, as the command line takes it and reports print it.
import MetricModel
package import PredicateLanguage

extension Policy {
  /// Reads `never`, `automatic`, `every-launch`, `on-launch: <predicate>`, or two of them as in
  /// `automatic + on-launch: <predicate>`. `automatic` may name a mode: `automatic(eager)`. A label may stand before:
  /// `half-free = on-launch: usedBytes / totalBytes < 50 %`. A closure, as it stands in an app, decides at launch.
  package init(parsing text: String) throws(PredicateError) {
    var reader = PolicyReader(text)
    self = try reader.policy()
  }
}

extension Policy.LaunchRule {
  /// Reads what stands after `on-launch:`: `always`, `never` or a predicate.
  package init(parsing text: String) throws(PredicateError) {
    switch text.filter({ !$0.isWhitespace }) {
    case "always": self = .always
    case "never": self = .never
    default: self = .when(try Predicate(observed: text))
    }
  }
}

private struct PolicyReader {
  private static let rules =
    ["never", "automatic", "every-launch", "on-launch", "exec"] + PolicyPreset.all.map(\.name)

  private let source: String
  private let text: [Character]
  private var at = 0
  /// The preset for launches as it was written.
  private var presetName: String?

  init(_ source: String) {
    self.source = source
    text = Array(source)
  }

  mutating func policy() throws(PredicateError) -> Policy {
    skipSpace()
    if at < text.count, text[at] == "{" {
      var policy = Policy(name: "", automatic: false, onLaunch: try remainingLaunchRule())
      policy.name = policy.rule
      return policy
    }
    var label: String?
    var word = try self.word()
    skipSpace()
    if at < text.count, text[at] == "=", !Self.rules.contains(String(text[word])) {
      label = String(text[word])
      at += 1
      word = try self.word()
    }
    var policy = Policy(name: "", automatic: false, onLaunch: .never)
    if try rule(word, &policy) {
      while !policy.isLaunchDecided {
        skipSpace()
        guard at < text.count else { break }
        guard text[at] == "+" else {
          throw error(
            .unknownPolicy, "unexpected \"\(abbreviated(String(text[at...])))\"",
            hint: "join two rules as in automatic + on-launch: …", at: at..<text.count)
        }
        at += 1
        let second = try self.word()
        guard try rule(second, &policy) else { break }
      }
      try end()
    }
    policy.name = label ?? name(of: policy)
    return policy
  }

  /// The rule, with a preset for launches by its name.
  private func name(of policy: Policy) -> String {
    guard let presetName else { return policy.rule }
    guard policy.automatic else { return presetName }
    var own = policy
    own.onLaunch = .never
    return "\(own.rule) + \(presetName)"
  }

  /// Applies a rule; false after `never`, which joins with nothing.
  private mutating func rule(
    _ word: Range<Int>, _ policy: inout Policy
  ) throws(PredicateError) -> Bool {
    switch String(text[word]) {
    case "never" where !policy.automatic:
      try end()
      return false
    case "automatic" where !policy.automatic:
      policy.automatic = true
      try settings(&policy)
    case "every-launch": policy.onLaunch = .always
    case "always":
      throw error(.unknownPolicy, "unknown policy \"always\"", hint: "write every-launch", at: word)
    case "on-launch": policy.onLaunch = try launchRule(after: word)
    case "exec": policy.onLaunch = .program(try program(after: word))
    case "never", "automatic":
      throw error(
        .unknownPolicy, "\(String(text[word])) cannot stand here",
        hint: "after automatic + comes on-launch: … or every-launch", at: word)
    case let name:
      if let preset = PolicyPreset.named(name) {
        policy.onLaunch = .when(try predicate(of: preset))
        break
      }
      let near = nearest(to: name, in: Self.rules).map { "did you mean \"\($0)\"?" }
      throw error(
        .unknownPolicy, "unknown policy \"\(abbreviated(name))\"",
        hint: near
          ?? "there are never, automatic, every-launch, on-launch: <predicate>, exec: <program>, "
          + PolicyPreset.all.map(\.form).joined(separator: ", "), at: word)
    }
    return true
  }

  /// Parses the mode and the thresholds of automatic compaction in parentheses, if there are any.
  private mutating func settings(_ policy: inout Policy) throws(PredicateError) {
    guard at < text.count, text[at] == "(" else { return }
    let begin = at + 1
    let end = text[begin...].firstIndex(of: ")") ?? text.count
    let range = begin..<max(begin + 1, end)
    let parts = String(text[begin..<end]).split(separator: ",", omittingEmptySubsequences: false)
      .map { $0.split(whereSeparator: \.isWhitespace).joined(separator: " ") }
    var thresholds = AutomaticThresholds()
    for (index, part) in parts.enumerated() {
      guard let space = part.firstIndex(of: " ") else {
        guard index == 0 else { throw unknownThreshold(part, range) }
        policy.preset = try preset(part, isClosed: end < text.count, range)
        continue
      }
      try setThreshold(
        String(part[..<space]), String(part[part.index(after: space)...]), &thresholds, range)
    }
    guard end < text.count else {
      throw error(.syntax, "the ( is never closed", hint: "close it with )", at: range)
    }
    if let contradiction = thresholds.contradiction {
      throw error(
        .unknownPolicy, contradiction, hint: "compaction would end before it begins", at: range)
    }
    policy.thresholds = thresholds.isEmpty ? nil : thresholds
    at = end + 1
  }

  private func preset(
    _ name: String, isClosed: Bool, _ range: Range<Int>
  ) throws(PredicateError) -> AutomaticPreset {
    let names = AutomaticPreset.allCases.map(\.rawValue)
    if isClosed, let preset = AutomaticPreset(rawValue: name) { return preset }
    let near = nearest(to: name, in: names).map { "did you mean \"\($0)\"?" }
    throw error(
      .unknownPolicy, "unknown way of automatic compaction \"\(abbreviated(name))\"",
      hint: near ?? "there are \(names.joined(separator: ", "))", at: range)
  }

  private func setThreshold(
    _ name: String, _ number: String, _ thresholds: inout AutomaticThresholds, _ range: Range<Int>
  ) throws(PredicateError) {
    guard let threshold = AutomaticThreshold.all.first(where: { $0.name == name }) else {
      throw unknownThreshold(name, range)
    }
    guard number.first?.isNumber == true, let formula = try? Formula(observed: number),
      case .value(let value) = formula.evaluate({ _ in nil }),
      threshold.set(value, in: &thresholds)
    else {
      throw error(
        .unknownPolicy, "\"\(abbreviated(number))\" is no value of \(name)",
        hint: "from \(threshold.bounds), as in \(name) \(threshold.example)", at: range)
    }
  }

  private func unknownThreshold(_ name: String, _ range: Range<Int>) -> PredicateError {
    let names = AutomaticThreshold.all.map(\.name)
    let near = nearest(to: name, in: names).map { "did you mean \"\($0)\"?" }
    return error(
      .unknownPolicy, "unknown threshold of automatic compaction \"\(abbreviated(name))\"",
      hint: near ?? "there are \(names.joined(separator: ", "))", at: range)
  }

  /// Parses the number of a preset in parentheses; the usual one if there are none.
  private mutating func predicate(of preset: PolicyPreset) throws(PredicateError) -> Predicate {
    guard at < text.count, text[at] == "(" else {
      presetName = preset.name
      return try preset.predicate(preset.usual)
    }
    let begin = at + 1
    let end = text[begin...].firstIndex(of: ")") ?? text.count
    let number = String(text[begin..<end]).split(whereSeparator: \.isWhitespace)
      .joined(separator: " ")
    guard end < text.count, number.first?.isNumber == true,
      number.allSatisfy({ $0.isNumber || $0.isLetter || " ._%".contains($0) }),
      let formula = try? Formula(observed: number),
      case .value(let value) = formula.evaluate({ _ in nil }), value > 0,
      let predicate = try? preset.predicate(number)
    else {
      throw error(
        .unknownPolicy, "\"\(abbreviated(number))\" is no number for \(preset.name)",
        hint: "write \(preset.form)", at: begin..<max(begin + 1, end))
    }
    at = end + 1
    presetName = "\(preset.name)(\(number))"
    return predicate
  }

  /// The program and its arguments: all that follows the colon.
  private mutating func program(after word: Range<Int>) throws(PredicateError) -> ProgramRule {
    skipSpace()
    guard at < text.count, text[at] == ":" else {
      throw error(
        .unknownPolicy, "exec needs a program", hint: "write exec: ./decide.py", at: word)
    }
    at += 1
    skipSpace()
    let begin = at
    at = text.count
    do {
      return try ProgramRule(parsing: String(text[begin...]))
    } catch {
      throw error.moved(by: begin, into: source)
    }
  }

  /// All that follows the colon.
  private mutating func launchRule(
    after word: Range<Int>
  ) throws(PredicateError) -> Policy.LaunchRule {
    skipSpace()
    guard at < text.count, text[at] == ":" else {
      throw error(
        .unknownPolicy, "on-launch needs a predicate",
        hint: "write on-launch: totalBytes > 100 MB, or every-launch", at: word)
    }
    at += 1
    return try remainingLaunchRule()
  }

  /// Reads all that is left as what decides at launch.
  private mutating func remainingLaunchRule() throws(PredicateError) -> Policy.LaunchRule {
    skipSpace()
    let begin = at
    at = text.count
    do {
      return try Policy.LaunchRule(parsing: String(text[begin...]))
    } catch {
      throw error.moved(by: begin, into: source)
    }
  }

  private mutating func word() throws(PredicateError) -> Range<Int> {
    skipSpace()
    let begin = at
    while at < text.count, text[at].isLetter || text[at].isNumber || "-_.".contains(text[at]) {
      at += 1
    }
    guard at > begin else {
      throw error(
        .unknownPolicy, begin == text.count ? "a policy is missing" : "expected a policy here",
        hint: "there are never, automatic, every-launch, on-launch: <predicate>",
        at: begin..<(begin + 1))
    }
    return begin..<at
  }

  private mutating func end() throws(PredicateError) {
    skipSpace()
    guard at == text.count else {
      throw error(
        .unknownPolicy, "unexpected \"\(abbreviated(String(text[at...])))\"",
        hint: "nothing may follow the policy", at: at..<text.count)
    }
  }

  private mutating func skipSpace() {
    while at < text.count, text[at].isWhitespace { at += 1 }
  }

  private func error(
    _ code: PredicateError.Code, _ message: String, hint: String, at range: Range<Int>
  ) -> PredicateError {
    PredicateError(
      code, message, hint: hint, offset: range.lowerBound, length: range.count, in: source)
  }
}

extension Policy {
  fileprivate var isLaunchDecided: Bool { onLaunch != .never }
}
