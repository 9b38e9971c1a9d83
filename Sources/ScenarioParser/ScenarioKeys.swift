// Every block of keys that a scenario file may have. The parser reads by these declarations and refuses what is not among
// them; the JSON Schema and Docs/ScenarioKeys.md are made from them.
import ScenarioModel

package enum ScenarioKeys {
  /// The tables of all blocks, in the order of the manual.
  package static let all: [KeyTable] = documentTables + clientTables + armTables

  private static let documentTables: [KeyTable] = [
    scenario.table, table.table, value.table, writer.table, transaction.table,
  ]

  private static let clientTables: [KeyTable] = clientKinds.dropFirst().map(\.table)

  private static let armTables: [KeyTable] = [
    arm.table, limits.table, log.table, geometry.table, phase.table, launches.table,
    policy.table, sample.table, expectation.table,
  ]

  /// The writer first: its transaction has a table of its own.
  static let clientKinds: [ClientKind] = [
    ClientKind(writer) { .writer($0.spec) }, ClientKind(reader) { .reader($0) },
    ClientKind(queues) { .queues($0) }, ClientKind(frozen) { .frozen($0) },
    ClientKind(pins) { .pins($0) }, ClientKind(observers) { .observers($0) },
    ClientKind(queuedWriters) { .queuedWriters($0.spec) }, ClientKind(process) { .process($0) },
    ClientKind(savepoint) { .savepoint($0) }, ClientKind(checkpoints) { .checkpoints($0) },
    ClientKind(probe) { .probe($0) },
  ]
}
