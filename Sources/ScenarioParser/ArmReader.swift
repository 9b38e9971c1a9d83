// Clients, and the arms that change them. An arm in the file names only what differs; in the model it has all its
// clients in full.
import Generators
import ScenarioModel

struct ArmReader {
  let clients: [(name: Field, value: Field)]
  /// nil where they could not be read.
  let tables: [String]?
  let policies: [String]?
  /// What phases say of the clients that they run.
  let changes: [PhaseChange]
  /// nil where they could not be read.
  let phases: [String]?
  let launches: Int
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
    var arm = ArmSpec(name: name, clients: base)
    arm.inPhases = inPhases([:])
    // `- blocked:` alone is the clients as they are.
    guard !field.isAbsent, let keys = MappingReader(field, ScenarioKeys.arm) else { return arm }
    arm.summary = keys["summary"]?.text() ?? ""
    arm.isEncrypted = keys["encrypted"]?.bool() ?? false
    arm.commits = keys["commits"].flatMap(commits)
    let which = DeletedRows.allCases.map { ($0.rawValue, $0) }
    arm.deletedRows = keys["deleted-rows"]?.choice(which) ?? .spread
    arm.limits = keys["limits"].flatMap(limits)
    arm.log = keys["log"].flatMap(log)
    arm.geometry = keys["geometry"].flatMap(geometry)
    let vacuums = AutoVacuumSpec.allCases.map { ($0.rawValue, $0) }
    arm.autoVacuum = keys["auto-vacuum"]?.choice(vacuums)
    arm.policies = keys["policies"]?
      .uniqueNames("policy", among: policies, "a list of policies' names")
    if let overrides = keys["clients"]?.namedMapping("client") { change(&arm, overrides) }
    reportCheckpoints(arm, keys)
    if let files = keys["files"] { readFiles(files, into: &arm) }
    return arm
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

  /// A minute, in microseconds.
  private static let longestPatience = 60_000_000

  private func limits(_ field: Field) -> LimitSpec? {
    guard let keys = MappingReader(field, ScenarioKeys.limits) else { return nil }
    let limits = LimitSpec(
      versions: keys["versions"]?.integer(2...1_000_000),
      addressSpace: keys["address-space"]?.size(1 << 20...1 << 30),
      disk: keys["disk"]?.size(1 << 20...1 << 30),
      patience: keys["patience"]?.duration(0...Self.longestPatience).map { $0 / 1000 },
      launches: keys["launches"]?.launchNumbers(1...launches))
    if ["versions", "address-space", "disk", "patience"].allSatisfy({ keys[$0] == nil }) {
      keys.report("nothing is limited", hint: "give it versions, address-space, disk or patience")
    }
    if limits.disk != nil, !lifecycle.crashes.isEmpty {
      keys["disk"]?.report(
        "a crash puts another folder in the place of the limited disk",
        hint: "drop crash:, or disk:")
    }
    return limits
  }

  /// `{ import: 10 }`.
  private func commits(_ field: Field) -> [String: Int]? {
    var commits: [String: Int] = [:]
    for (name, value) in field.namedMapping("phase") ?? [] {
      guard let phase = name.name("phase", among: phases) else { continue }
      if let count = value.integer(1...Limits.commits) { commits[phase] = count }
    }
    return commits
  }

  /// The clients that a phase changes, as they are in it: the phase's keys stand in place of the arm's.
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
    let kinds = ScenarioKeys.clientKinds.keys.sorted()
    guard
      let node = mapping.first(where: { field.collector.restored($0.key).scalar?.string == "kind" })
    else {
      field.report("key \"kind\" is missing", hint: "it is \(listed(kinds))")
      return nil
    }
    let kindField = Field(
      node: node.value, path: "\(field.path).kind", collector: field.collector)
    guard let kind = kindField.choice(kinds.map { ($0, $0) }),
      let table = ScenarioKeys.clientKinds[kind],
      let keys = MappingReader(field, table, overrides: overrides)
    else { return nil }
    return ClientSpec(name: entry.name.keyText, kind: self.kind(kind, keys))
  }

  private func kind(_ kind: String, _ keys: MappingReader) -> ClientSpec.Kind {
    switch kind {
    case "writer": .writer(writer(keys))
    case "reader": .reader(reader(keys))
    case "queues": .queues(queues(keys))
    case "pins": .pins(pins(keys))
    case "observers": .observers(observers(keys))
    case "queued-writers": .queuedWriters(queuedWriters(keys))
    case "process": .process(process(keys))
    case "savepoint": .savepoint(savepoint(keys))
    case "checkpoints": .checkpoints(checkpoints(keys))
    case "probe": .probe(probe(keys))
    default: .frozen(frozen(keys))
    }
  }

  func writer(_ keys: MappingReader) -> WriterSpec {
    var writer = WriterSpec(table: table(keys))
    if let distribution = keys["keys"]?.keyDistribution() { writer.keys = distribution }
    writer.load = LoadReader(keys).read()
    writer.valueSize = keys["value"]?.valueSizes()
    writer.sway = keys["sways"].flatMap(sway)
    guard let field = keys["transaction"] else { return writer }
    let told = field.collector.count
    guard let parts = MappingReader(field, ScenarioKeys.transaction)
    else { return writer }
    let operations = 0...100_000
    writer.inserts = parts["insert"]?.integer(operations) ?? 0
    writer.updates = parts["update"]?.integer(operations) ?? 0
    writer.deletes = parts["delete"]?.integer(operations) ?? 0
    writer.reads = parts["read"]?.integer(operations) ?? 0
    writer.scans = parts["scan"]?.integer(operations) ?? 0
    writer.scanLength = parts["scan-length"]?.integer(1...1_000_000) ?? 100
    let kinds = WriterSpec.Reload.allCases.map { ($0.rawValue, $0) }
    writer.reload = parts["reload"]?.choice(kinds)
    let writes = writer.inserts + writer.updates + writer.deletes
    if writer.reload != nil, writes + writer.scans > 0 {
      parts["reload"]?.report(
        "the transaction does more than the table anew", hint: "drop its other keys, or reload:")
    }
    let isEmpty = parts["empty"]?.bool() ?? false
    if writes == 0, writer.reload == nil, !isEmpty, keys["sways"] == nil,
      field.collector.count == told
    {
      parts.report("the transaction writes nothing", hint: "give it insert, update or delete")
    }
    if keys["sways"] != nil,
      writer.inserts + writer.deletes > 0 || isEmpty || writer.reload != nil
    {
      keys["sways"]?.report(
        "the sway inserts and deletes rows", hint: "drop insert, delete, reload and empty, or sways"
      )
    }
    if isEmpty, writer.reload != nil || writes + writer.reads + writer.scans > 0 {
      parts["empty"]?.report("the transaction is not empty", hint: "drop its other keys")
    }
    return writer
  }

  private func reader(_ keys: MappingReader) -> ReaderSpec {
    var reader = ReaderSpec(table: table(keys))
    shared(keys, &reader.reads, &reader.keys)
    let expected = "holds, invalidates or refreshes every 50 commits"
    let parse = { (text: String) -> ReaderSpec.WhileBlocked? in
      switch text {
      case "holds": .holds
      case "invalidates": .invalidates
      default: Self.commits(after: "refreshes every ", text).map { .refreshes(everyCommits: $0) }
      }
    }
    if let behaviour = keys["while-blocked"]?.quantity(expected, parse) {
      reader.whileBlocked = behaviour
      if case .refreshes(let commits) = behaviour {
        _ = keys["while-blocked"]?.within(1...1_000_000, commits)
      }
    }
    return reader
  }

  private func queues(_ keys: MappingReader) -> QueueSpec {
    var queues = QueueSpec(table: table(keys), release: .atEndOfBlock)
    shared(keys, &queues.reads, &queues.keys)
    queues.queues = keys["queues"]?.integer(1...64) ?? queues.queues
    queues.isConcurrent = keys["concurrent"]?.bool() ?? false
    if let commits = keys["job-every"]?.commits(1...1_000_000) { queues.jobEveryCommits = commits }
    queues.isTargeted = keys["targeted"]?.bool() ?? false
    let expected = "at end of block, after 200 commits, when idle for 50 commits or never"
    let parse = { (text: String) -> QueueSpec.Release? in
      switch text {
      case "at end of block": .atEndOfBlock
      case "never": .never
      default:
        Self.commits(after: "after ", text).map { .late(afterCommits: $0) }
          ?? Self.commits(after: "when idle for ", text).map { .idle(forCommits: $0) }
      }
    }
    if let release = keys["release"]?.quantity(expected, parse) {
      queues.release = release
      switch release {
      case .late(let commits), .idle(let commits):
        _ = keys["release"]?.within(1...1_000_000, commits)
      case .atEndOfBlock, .never: break
      }
    }
    return queues
  }

  private func frozen(_ keys: MappingReader) -> FrozenSpec {
    var frozen = FrozenSpec(table: table(keys), window: 1)
    shared(keys, &frozen.reads, &frozen.keys)
    if let commits = keys["take-every"]?.commits(1...1_000_000) {
      frozen.takeEveryCommits = commits
    }
    let parse = { (text: String) in text == "unlimited" ? 0 : QuantityText.integer(text) }
    if let window = keys["window"]?.quantity("a number of snapshots, or unlimited", parse) {
      let isUnlimited = keys["window"]?.node.scalar?.string == "unlimited"
      frozen.window = isUnlimited ? 0 : keys["window"]?.within(1...100_000, window) ?? 1
    }
    return frozen
  }

  func shared(
    _ keys: MappingReader, rows: String = "reads", _ reads: inout Int,
    _ distribution: inout KeyDistribution
  ) {
    reads = keys[rows]?.integer((rows == "rows" ? 1 : 0)...100_000) ?? reads
    distribution = keys["keys"]?.keyDistribution() ?? distribution
  }

  func table(_ keys: MappingReader) -> String {
    if let field = keys["table"] { return field.name("table", among: tables) ?? "" }
    if let tables, Set(tables).count > 1 {
      keys.report("key \"table\" is missing", hint: "there are \(listed(tables, "and"))")
    }
    return tables?.first ?? ""
  }

  /// The number in `refreshes every 50 commits`.
  static func commits(after prefix: String, _ text: String) -> Int? {
    guard text.hasPrefix(prefix), text.hasSuffix("commits") || text.hasSuffix("commit") else {
      return nil
    }
    return QuantityText.commits(String(text.dropFirst(prefix.count)))
  }
}
