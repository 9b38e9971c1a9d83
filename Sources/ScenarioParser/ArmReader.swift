// Clients, and the arms that change them. An arm in the file names only what differs; in the model it has all its
// clients in full.
import Generators
import ScenarioModel

struct ArmReader {
  let clients: [(name: Field, value: Field)]
  /// The names of the policies; nil if they could not be read.
  let policies: [String]?
  /// The differences of clients in phases.
  let changes: [PhaseChange]
  let lifecycle: LifecycleSpec

  func read(_ field: Field?) -> [ArmSpec] {
    let base = clients.compactMap { client($0, overrides: []) }
    guard let field else {
      var arm = ArmSpec(name: "default", clients: base)
      arm.inPhases = inPhases([:])
      return [arm]
    }
    return field.namedList("arm")?.map { name, value in arm(name.keyText, value, base) } ?? []
  }

  private func arm(_ name: String, _ field: Field, _ base: [ClientSpec]) -> ArmSpec {
    // `- blocked:` alone is the clients as they are.
    let read = field.isAbsent ? nil : ScenarioKeys.arm.read(field)
    var arm = read?.model.spec ?? ArmSpec(name: name, clients: base)
    arm.name = name
    arm.clients = base
    arm.inPhases = inPhases([:])
    guard let (draft, keys) = read.map({ ($0.model, $0.given) }) else { return arm }
    arm.commits = draft.commits.flatMap(commits)
    arm.policies = draft.policies?
      .uniqueNames("policy", among: policies, "a list of policies' names")
    if let overrides = draft.clients?.namedMapping("client") { change(&arm, overrides) }
    reportCrashes(arm, keys)
    reportCheckpoints(arm, keys)
    if let files = draft.files, files > 1, let field = keys[\.files] {
      arm.files = files
      for (what, hint) in obstacles(to: arm) { field.report(what, hint: hint) }
    }
    return arm
  }

  /// A crash goes on in a copy of the folder, which no disk limits.
  private func reportCrashes(_ arm: ArmSpec, _ keys: GivenKeys<ArmDraft>) {
    guard arm.limits?.disk != nil, !lifecycle.crashes.isEmpty else { return }
    keys[\.spec.limits]?.member("disk")?.report(
      "a crash puts another folder in the place of the limited disk",
      hint: "drop crash:, or disk:")
  }

  /// Checkpoints are of a write-ahead log.
  private func reportCheckpoints(_ arm: ArmSpec, _ keys: GivenKeys<ArmDraft>) {
    guard arm.log?.isRollback ?? false else { return }
    for client in arm.clients {
      guard case .checkpoints = client.kind else { continue }
      keys[\.spec.log]?.report(
        "client \"\(shortened(client.name))\" makes checkpoints, and there is no write-ahead log",
        hint: "leave it out of the arm: clients: { \(shortened(client.name)): none }")
    }
  }

  /// The clients in the arm: as they are, as it changes them, or not at all.
  private func change(_ arm: inout ArmSpec, _ overrides: [(name: Field, value: Field)]) {
    let names = clients.map(\.name.keyText)
    for (name, _) in overrides { _ = name.name("client", among: names) }
    var own: [String: Field] = [:]
    arm.clients = clients.compactMap { entry in
      let override = overrides.last { $0.name.keyText == entry.name.keyText }?.value
      own[entry.name.keyText] = override
      if override?.node.scalar?.string == "none" { return nil }
      if let override, reportsKind(override) { return nil }
      return client(entry, overrides: override.map { [$0] } ?? [])
    }
    arm.inPhases = inPhases(own)
  }

  /// `{ import: 10 }`.
  private func commits(_ field: Field) -> [String: Int]? {
    var commits: [String: Int] = [:]
    for (name, value) in field.namedMapping("phase") ?? [] {
      guard let phase = name.name("phase", among: name.collector.known.phases) else { continue }
      value.collector.addScalable(value)
      let count = ValueType<Int>.count(Limits.commitCounts)
      if let count = count.read(value, count.expected) { commits[phase] = count }
    }
    return commits
  }

  /// Returns the clients that a phase changes. The phase's keys replace the arm's.
  private func inPhases(_ own: [String: Field]) -> [String: [ClientSpec]] {
    var changed: [String: [ClientSpec]] = [:]
    for change in changes {
      guard let entry = clients.first(where: { $0.name.keyText == change.client }),
        own[change.client]?.node.scalar?.string != "none", !reportsKind(change.keys)
      else { continue }
      let overrides = [own[change.client]].compactMap { $0 } + [change.keys]
      if let client = client(entry, overrides: overrides) {
        changed[change.phase, default: []].append(client)
      }
    }
    return changed
  }

  private func reportsKind(_ override: Field) -> Bool {
    guard override.node.mapping?["kind"] != nil else { return false }
    override.report(
      "an arm or a phase changes how a client behaves, not its kind", hint: "drop kind:")
    return true
  }

  private func client(
    _ entry: (name: Field, value: Field), overrides: [Field]
  ) -> ClientSpec? {
    let field = entry.value
    guard let mapping = field.node.mapping else {
      field.report("expected a mapping with kind and more, found \(field.kind)")
      return nil
    }
    let kinds = ScenarioKeys.clientKinds.sorted { $0.name < $1.name }
    guard
      let node = mapping.first(where: { field.collector.restored($0.key).scalar?.string == "kind" })
    else {
      field.report("key \"kind\" is missing", hint: "it is \(listed(kinds.map(\.name)))")
      return nil
    }
    let kindField = Field(
      node: node.value, path: "\(field.path).kind", collector: field.collector)
    guard let kind = kindField.choice(kinds.map { ($0.name, $0) }),
      let spec = kind.read(field, overrides)
    else { return nil }
    return ClientSpec(name: entry.name.keyText, kind: spec)
  }
}
