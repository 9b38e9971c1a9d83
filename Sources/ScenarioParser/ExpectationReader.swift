// Expectations: where to look, on which cells, and what should hold there.
import ScenarioModel

struct ExpectationReader {
  let phases: [PhaseSpec]?
  let launches: Int
  /// The names of the engines; nil if they could not be read.
  let engines: [String]?
  /// Engines that an expectation may name even where the scenario does not.
  let optionalEngines: [String]
  let policies: [String]?
  let arms: [ArmSpec]?

  func read(_ field: Field?) -> [Expectation] {
    guard let field, let elements = field.list("a list of expectations") else { return [] }
    var all: [Expectation] = []
    for element in elements {
      all += expectations(element, upTo: Limits.expectations - all.count)
    }
    return all
  }

  /// An entry that names several engines, policies or arms is one expectation for each.
  private func expectations(_ field: Field, upTo maxCount: Int) -> [Expectation] {
    guard let (draft, keys) = ScenarioKeys.expectation.read(field).map({ ($0.model, $0.given) }),
      let scope = scope(draft, keys), let (text, condition) = ConditionReader(draft).read()
    else { return [] }
    var expectations: [Expectation] = []
    let engines = names(draft.engines, "engine", spokenOf)
    let policies = names(draft.policies, "policy", policies)
    let arms = names(draft.arms, "arm", arms?.map(\.name))
    let against = other(draft.against, condition)
    guard engines.count * policies.count * arms.count <= maxCount else {
      keys.report(
        "with this one there are more than \(QuantityText.written(Limits.expectations)) expectations",
        hint: "a list stands for one each")
      return []
    }
    for engine in engines {
      for policy in policies {
        for arm in arms {
          var expectation = Expectation(
            text: text, scope: scope, condition: condition, engine: engine, policy: policy,
            arm: arm, against: against, line: field.node.mark?.line ?? 0)
          expectation.size = draft.size
          expectation.isOfTurns = draft.isOfTurns
          expectations.append(expectation)
          reportIfNeverRun(arm, policy, draft.policies)
        }
      }
    }
    return expectations
  }

  private var spokenOf: [String]? {
    engines.map { own in own + optionalEngines.filter { !own.contains($0) } }
  }

  /// Returns the arm, policy or engine that `against` names.
  private func other(_ field: Field?, _ condition: Expectation.Condition) -> Expectation.Other? {
    guard let field else { return nil }
    switch condition {
    case .highWater(_, _, .timesOther), .rise(_, _, .timesOther), .figure(_, _, .timesOther): break
    default:
      field.report("nothing is held against another", hint: "write that: high-water <= 1.2 times")
      return nil
    }
    guard let arms, let policies, let engines,
      let name = field.name(
        "arm, policy or engine", among: arms.map(\.name) + policies + engines)
    else { return nil }
    if arms.contains(where: { $0.name == name }) { return .arm(name) }
    return policies.contains(name) ? .policy(name) : .engine(name)
  }

  /// Returns the names in the list. Without the key the result is a nil, which stands for all.
  private func names(_ field: Field?, _ what: String, _ known: [String]?) -> [String?] {
    guard let field else { return [nil] }
    return field.uniqueNames(what, among: known, "\(what.withArticle) or a list") ?? []
  }

  private func reportIfNeverRun(_ arm: String?, _ policy: String?, _ field: Field?) {
    guard let policy, let arm = arms?.first(where: { $0.name == arm }),
      let crossed = arm.policies, !crossed.contains(policy)
    else { return }
    field?.report(
      "arm \"\(arm.name)\" is not run with policy \"\(shortened(policy))\"",
      hint: "it is run with \(listed(crossed))")
  }

  private func scope(
    _ draft: ExpectationDraft, _ keys: GivenKeys<ExpectationDraft>
  ) -> Expectation.Scope? {
    let given = [("in", draft.during), ("after", draft.after), ("at", draft.at)]
      .compactMap { name, field in field.map { (name, $0) } }
    guard given.count == 1, let (key, field) = given.first else {
      keys.report(
        given.isEmpty
          ? "it is not said where to look"
          : "\(listed(given.map(\.0), "and")) are given, and only one can be",
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
}

/// An expectation as its keys give it.
struct ExpectationDraft {
  var during: Field?
  var after: Field?
  var at: Field?
  var engines: Field?
  var policies: Field?
  var arms: Field?
  var size: ScenarioSize?
  var isOfTurns = false
  var condition: Field?
  var against: Field?
  var variable: Field?
}

extension ScenarioKeys {
  static let expectation = Block("expectation", ExpectationDraft()) {
    Key(
      "in", \.during, .nameLater("phase"), default: "see below",
      "Looks at the samples of the phase.")
    Key(
      "after", \.after, .nameLater("phase"), default: "see below",
      "Looks at the samples from the phase's end to the launch's end.")
    Key(
      "at", \.at, .later("`end`", schema: .choice(["end"])), default: "see below",
      "Looks at the last sample of the run.")
    Key(
      "engine", \.engines,
      .later(
        "engine or list",
        schema: .oneOrMore(
          .object(
            ("type", .list([.text("string"), .text("null")])), ("minLength", .number(1))))),
      default: "all",
      "Only on these. Need not be the scenario's own: "
        + "\(listed(ScenarioParser.optionalEngines.map { "`\($0)`" }, "and"))."
    )
    Key(
      "policy", \.policies, .later("policy's name or list", schema: .oneOrMore(.anyText)),
      default: "all", "Only with these policies.")
    Key(
      "arm", \.arms, .later("arm or list", schema: .oneOrMore(.anyText)), default: "all",
      "Only in these arms.")
    Key("size", \.size, .choice, default: "all", "Only where it is run in this size.")
    Key(
      "schedule", \.isOfTurns, .choice([("stepped", true)]), default: "both",
      "Not on real threads, where a client whose turn comes late pins for longer.")
    Key("that", \.condition, .nameLater("condition"), default: .required, "What should hold.")
    Key(
      "against", \.against, .nameLater("arm, policy or engine"), default: "none",
      "The cell that differs in this alone, to which `times` in a limit refers.")
    Key(
      "of", \.variable, .nameLater("variable"), default: "`allBytes`",
      "What a shape of the curve speaks of; `reclaimed` of `pinnedBytes` where it is absent.")
  }
}
