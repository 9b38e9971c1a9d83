// The phases of a launch.
import MetricModel
import ScenarioModel

struct PhaseReader {
  let arms: [ArmSpec]
  let clients: [String]
  let launches: Int
  /// The names of moments in the background, which samples have in place of a phase's.
  let moments: [String]

  func read(_ field: Field?) -> [PhaseSpec] {
    guard let field, let entries = field.namedList("phase") else { return [] }
    for (name, _) in entries where moments.contains(name.keyText) {
      name.report(
        "a moment in the background is called \(name.keyText), too", hint: "rename the phase")
    }
    let phases = entries.map { name, value in phase(name.keyText, value) }
    for launch in 1...launches {
      let isEmpty = phases.allSatisfy { !($0.onlyInLaunches?.contains(launch) ?? true) }
      if isEmpty { field.report("no phase takes place in launch \(launch)") }
    }
    let commits = phases.reduce(0) { sum, phase in
      let maxCount = arms.map { $0.commits(in: phase) }.max() ?? phase.commits
      return sum + maxCount * (phase.onlyInLaunches?.count ?? launches)
    }
    if commits > Limits.commits {
      field.report(
        "the scenario makes \(QuantityText.written(commits)) commits",
        hint: "up to \(QuantityText.written(Limits.commits)) over all launches")
    }
    return phases
  }

  private func phase(_ name: String, _ field: Field) -> PhaseSpec {
    var phase = PhaseSpec(name: name)
    guard let read = ScenarioKeys.phase.read(field) else { return phase }
    let keys = read.given
    phase = read.model.spec
    phase.name = name
    if phase.newKey != nil, !arms.isEmpty, !arms.contains(where: \.isEncrypted) {
      keys[\.spec.newKey]?.report(
        "no arm is encrypted, so that there is no key to change",
        hint: "give an arm encrypted: true, or drop new-key:")
    }
    if phase.newKey != nil, arms.contains(where: { $0.isEncrypted && $0.files != nil }) {
      keys[\.spec.newKey]?.report(
        "the key is that of one file, and an encrypted arm has several",
        hint: "drop files:, or new-key:")
    }
    phase.clients = read.model.run.map(clientsRun) ?? []
    if phase.commits > 0 { reportMissingWriters(phase, keys) }
    reportLookups(phase, keys)
    return phase
  }

  /// Returns the names of the clients that run, from a list of names and of `name: keys that differ`.
  private func clientsRun(_ field: Field) -> [String] {
    guard let elements = field.oneOrMore("a list of clients") else { return [] }
    var found: [String] = []
    for element in elements {
      var named = element
      if let mapping = element.node.mapping {
        guard mapping.count == 1, let pair = mapping.first else {
          element.report("expected a client's name, or - name: keys that differ in this phase")
          continue
        }
        named = Field(node: pair.key, path: element.path, collector: element.collector)
      }
      guard let name = named.name("client", among: clients) else { continue }
      if found.contains(name) { named.report("client \"\(name)\" is there already") }
      found.append(name)
    }
    return found
  }

  /// Reports lookups that nothing ends, and an end of lookups that there are not.
  private func reportLookups(_ phase: PhaseSpec, _ keys: GivenKeys<PhaseDraft>) {
    let named = arms.flatMap(\.clients).filter { phase.clients.contains($0.name) }
    guard phase.clients.allSatisfy({ name in named.contains { $0.name == name } }) else { return }
    let hasLookups = named.contains(where: \.isLookups)
    if hasLookups, phase.commits == 0, phase.lookupExtent == nil {
      keys.report(
        "nothing ends the lookups of this phase", hint: "give it transactions or lasts, or commits")
    }
    guard !hasLookups else { return }
    (keys[\.spec.lookupTransactions] ?? keys[\.spec.lookupTime])?.report(
      "there are no lookups in this phase", hint: "name a client of kind lookups in run:")
  }

  private func reportMissingWriters(_ phase: PhaseSpec, _ keys: GivenKeys<PhaseDraft>) {
    let named = arms.flatMap(\.clients).filter { phase.clients.contains($0.name) }
    // A client that could not be read may be the writer.
    guard phase.clients.allSatisfy({ name in named.contains { $0.name == name } }) else { return }
    for arm in arms {
      let hasWriter = arm.clients.contains { phase.clients.contains($0.name) && $0.isWriter }
      guard !hasWriter else { continue }
      let scope = arms.count > 1 ? " in arm \"\(shortened(arm.name))\"" : ""
      keys.report("no writer makes this phase's commits\(scope)", hint: "name a writer in run:")
      return
    }
  }
}

extension ClientSpec {
  var isWriter: Bool {
    switch kind {
    case .writer, .queuedWriters: true
    default: false
    }
  }
}
