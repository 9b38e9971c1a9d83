// Expectations: where to look, on which cells, and what should hold there.
import ScenarioModel

struct ExpectationReader {
  let phases: [PhaseSpec]?
  let launches: Int
  /// nil where they could not be read.
  let engines: [String]?
  /// Engines that may be spoken of besides.
  let guests: [String]
  let policies: [String]?
  let arms: [ArmSpec]?

  func read(_ field: Field?) -> [Expectation] {
    guard let field, let elements = field.list("a list of expectations") else { return [] }
    var all: [Expectation] = []
    for element in elements {
      all += expectations(element, room: Limits.expectations - all.count)
    }
    return all
  }

  /// An entry that names several engines, policies or arms is one expectation for each.
  private func expectations(_ field: Field, room: Int) -> [Expectation] {
    guard let keys = MappingReader(field, ScenarioKeys.expectation),
      let scope = scope(keys), let (text, condition) = ConditionReader(keys).read()
    else { return [] }
    var expectations: [Expectation] = []
    let engines = names(keys["engine"], "engine", spokenOf)
    let policies = names(keys["policy"], "policy", policies)
    let arms = names(keys["arm"], "arm", arms?.map(\.name))
    let against = other(keys["against"], condition)
    let size = keys["size"]?.choice(ScenarioSize.allCases.map { ($0.rawValue, $0) })
    let isOfTurns = keys["schedule"]?.choice([("stepped", true)]) ?? false
    guard engines.count * policies.count * arms.count <= room else {
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
          expectation.size = size
          expectation.isOfTurns = isOfTurns
          expectations.append(expectation)
          reportIfNeverRun(arm, policy, keys)
        }
      }
    }
    return expectations
  }

  private var spokenOf: [String]? {
    engines.map { own in own + guests.filter { !own.contains($0) } }
  }

  /// What `against` names: an arm, a policy or an engine, whichever there is of this name.
  private func other(_ field: Field?, _ condition: Expectation.Condition) -> Expectation.Other? {
    guard let field else { return nil }
    switch condition {
    case .highWater(_, _, .timesOther), .rise(_, _, .timesOther): break
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
}
