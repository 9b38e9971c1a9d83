// Every block of keys that a scenario file may have. The parser reads by these declarations and refuses what is not among
// them; the JSON Schema and Reports/ScenarioKeys.md are made from them.
package import ScenarioModel

package enum ScenarioKeys {
  /// The tables of all blocks, in the order of the manual.
  package static let all: [KeyTable] = documentTables + clientTables + armTables

  private static let documentTables: [KeyTable] = [
    scenario.table, table.table, value.table, writer.table, transaction.table,
  ]

  private static let clientTables: [KeyTable] = clientKinds.dropFirst().map(\.table)

  private static let armTables: [KeyTable] = [
    arm.table, limits.table, log.table, geometry.table, phase.table, launches.table,
    policy.table, automatic.table, sample.table, objective.table, expectation.table,
  ]

  /// The writer first: its transaction has a table of its own.
  static let clientKinds: [ClientKind] = [
    ClientKind(writer, { .writer($0.spec) }, model: { $0.writer }),
    ClientKind(reader, { .reader($0) }, model: { $0.reader }),
    ClientKind(queues, { .queues($0) }, model: { $0.queues }),
    ClientKind(frozen, { .frozen($0) }, model: { $0.frozen }),
    ClientKind(pins, { .pins($0) }, model: { $0.pins }),
    ClientKind(observers, { .observers($0) }, model: { $0.observers }),
    ClientKind(queuedWriters, { .queuedWriters($0.spec) }, model: { $0.queuedWriters }),
    ClientKind(process, { .process($0) }, model: { $0.process }),
    ClientKind(savepoint, { .savepoint($0) }, model: { $0.savepoint }),
    ClientKind(checkpoints, { .checkpoints($0) }, model: { $0.checkpoints }),
    ClientKind(probe, { .probe($0) }, model: { $0.probe }),
    ClientKind(lookups, { .lookups($0.spec) }, model: { $0.lookups }),
  ]

  /// The keys of a client whose values are not the default, with those values as a file has them: `queues: 8`.
  package static func settings(of client: ClientSpec) -> [String] {
    clientKinds.lazy.compactMap { $0.settings(client.kind) }.first ?? []
  }
}

/// Returns the client's keys by its kind; nil for a client of another kind.
extension ClientSpec.Kind {
  fileprivate var writer: WriterDraft? {
    if case .writer(let spec) = self { WriterDraft(spec) } else { nil }
  }

  fileprivate var reader: ReaderSpec? {
    if case .reader(let spec) = self { spec } else { nil }
  }

  fileprivate var queues: QueueSpec? {
    if case .queues(let spec) = self { spec } else { nil }
  }

  fileprivate var frozen: FrozenSpec? {
    if case .frozen(let spec) = self { spec } else { nil }
  }

  fileprivate var pins: PinsSpec? {
    if case .pins(let spec) = self { spec } else { nil }
  }

  fileprivate var observers: ObserverSpec? {
    if case .observers(let spec) = self { spec } else { nil }
  }

  fileprivate var queuedWriters: QueuedWriterDraft? {
    if case .queuedWriters(let spec) = self { QueuedWriterDraft(spec) } else { nil }
  }

  fileprivate var process: ProcessSpec? {
    if case .process(let spec) = self { spec } else { nil }
  }

  fileprivate var savepoint: SavepointSpec? {
    if case .savepoint(let spec) = self { spec } else { nil }
  }

  fileprivate var checkpoints: CheckpointSpec? {
    if case .checkpoints(let spec) = self { spec } else { nil }
  }

  fileprivate var probe: ProbeSpec? {
    if case .probe(let spec) = self { spec } else { nil }
  }

  fileprivate var lookups: LookupDraft? {
    if case .lookups(let spec) = self { LookupDraft(spec) } else { nil }
  }
}
