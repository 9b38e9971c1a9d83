// Expectations: where to look, on which cells, and what should hold there.
import MetricModel
import PredicateLanguage
import ScenarioModel

struct ExpectationReader {
  let phases: [PhaseSpec]?
  let launches: Int
  /// nil where they could not be read.
  let engines: [String]?
  let policies: [String]?
  let arms: [ArmSpec]?

  func read(_ field: Field?) -> [Expectation] {
    guard let field, let elements = field.list("a list of expectations") else { return [] }
    return elements.flatMap(expectations)
  }

  /// An entry that names several engines, policies or arms is one expectation for each.
  private func expectations(_ field: Field) -> [Expectation] {
    guard let keys = MappingReader(field, ScenarioKeys.expectation),
      let scope = scope(keys), let (text, condition) = condition(keys)
    else { return [] }
    var expectations: [Expectation] = []
    for engine in names(keys["engine"], "engine", engines) {
      for policy in names(keys["policy"], "policy", policies) {
        for arm in names(keys["arm"], "arm", arms?.map(\.name)) {
          expectations.append(
            Expectation(
              text: text, scope: scope, condition: condition, engine: engine, policy: policy,
              arm: arm, line: field.node.mark?.line ?? 0))
          reportIfNeverRun(arm, policy, keys)
        }
      }
    }
    return expectations
  }

  /// nil for all, where the key is absent.
  private func names(_ field: Field?, _ what: String, _ known: [String]?) -> [String?] {
    guard let field else { return [nil] }
    return field.uniqueNames(what, among: known, "\(what.withArticle) or a list") ?? []
  }

  private func reportIfNeverRun(_ arm: String?, _ policy: String?, _ keys: MappingReader) {
    guard let policy, let arm = arms?.first(where: { $0.name == arm }),
      let crossed = arm.policies, !crossed.contains(policy)
    else { return }
    keys["policy"]?.report(
      "arm \"\(arm.name)\" is not run with policy \"\(shortened(policy))\"",
      hint: "it is run with \(listed(crossed))")
  }

  private func scope(_ keys: MappingReader) -> Expectation.Scope? {
    let given = ["in", "after", "at"].filter { keys[$0] != nil }
    guard given.count == 1, let key = given.first, let field = keys[key] else {
      keys.report(
        given.isEmpty
          ? "it is not said where to look"
          : "\(listed(given, "and")) are given, and only one can be",
        hint: "give one of in: <phase>, after: <phase>, at: end")
      return nil
    }
    if key == "at" { return field.choice([("end", Expectation.Scope.atEnd)]) }
    guard let phase = field.name("phase", among: phases?.map(\.name)) else { return nil }
    if key == "in" { return .during(phase: phase) }
    if !isFollowed(phase) {
      field.report("no phase follows \"\(phase)\" in its launch", hint: "use in: or at: end")
    }
    return .after(phase: phase)
  }

  private func isFollowed(_ name: String) -> Bool {
    guard let phases else { return true }
    return (1...launches).contains { launch in
      let here = phases.filter { $0.onlyInLaunches?.contains(launch) ?? true }
      return here.dropLast().contains { $0.name == name }
    }
  }

  private func condition(_ keys: MappingReader) -> (String, Expectation.Condition)? {
    let variable = variable(keys["of"])
    guard let field = keys["that"], let text = field.text("a condition such as plateau") else {
      return nil
    }
    let words = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    let shape: Expectation.Condition? =
      switch words {
      case "plateau": .plateau(variable: variable)
      case "grows", "slope > 0": .grows(variable: variable)
      default: nil
      }
    if let shape { return (keys["of"] == nil ? words : "\(words) (\(variable))", shape) }
    keys["of"]?.report("\"of\" goes with plateau and grows", hint: "name the variable in that:")
    if words.hasPrefix("slope") {
      field.report("expected slope > 0", hint: "there are plateau and grows for the slope")
      return nil
    }
    if let near = nearest(to: words, in: ["plateau", "grows"]) {
      field.report("unknown condition \"\(words)\"", hint: "did you mean \"\(near)\"?")
      return nil
    }
    return timed(field, text).map { (words, $0) }
  }

  private func variable(_ field: Field?) -> String {
    let names = ObservedVariable.all.flatMap { [$0.name] + $0.aliases }
    guard let name = field?.name("variable", among: names) else { return "allBytes" }
    return ObservedVariable.named(name)?.name ?? name
  }

  /// A predicate, with `eventually` or `within n commits` after it.
  private func timed(_ field: Field, _ text: String) -> Expectation.Condition? {
    var words = text.split(whereSeparator: \.isWhitespace)
    var within: Int?
    var isEventual = words.last == "eventually"
    if isEventual {
      words.removeLast()
    } else if words.count >= 3, words[words.count - 3] == "within",
      words.last == "commits" || words.last == "commit"
    {
      let written = String(words[words.count - 2])
      guard let commits = QuantityText.integer(written), (1...Limits.commits).contains(commits)
      else {
        let limit = QuantityText.written(Limits.commits)
        field.report(
          "\"\(shortened(written))\" is no number of commits", hint: "from 1 to \(limit)")
        return nil
      }
      within = commits
      isEventual = true
      words.removeLast(3)
    }
    let end = words.last?.endIndex ?? text.startIndex
    do {
      let predicate = try Predicate(observed: String(text[..<end]))
      return isEventual ? .eventually(predicate, withinCommits: within) : .always(predicate)
    } catch {
      field.report(error, textStartsAt: text)
      return nil
    }
  }
}
