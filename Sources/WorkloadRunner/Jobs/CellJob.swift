// What one process is asked to run: one repetition of one cell. It crosses a pipe as JSON, so that memory, bytes
// written and a crash are the cell's own.
package import RecordModel
package import ScenarioModel

package struct CellJob: Sendable, Codable {
  package var scenario: Scenario
  package var key: CellKey
  package var repetition: Int
  package var schedule: Schedule
  /// Seeds keys, sizes, values and the order of clients; the same for all cells of a repetition, so that policies are
  /// compared on the same operations.
  package var seed: UInt64
  /// The folder that the database is made in: empty, and the cell's alone.
  package var folder: String
  /// The order of turns to be taken once more; nil for one that is drawn from the seed. Stepped schedule only.
  package var interleaving: Interleaving?
  /// Whether the order of turns is to be answered.
  package var keepsInterleaving: Bool
  /// What is done with a trace; nil for an ordinary run.
  package var trace: TraceUse?
  /// Where the database's files are left in the end; nil where they are not kept.
  package var keptFiles: String?

  package init(
    scenario: Scenario, key: CellKey, repetition: Int, schedule: Schedule, seed: UInt64,
    folder: String, interleaving: Interleaving? = nil, keepsInterleaving: Bool = false,
    trace: TraceUse? = nil, keptFiles: String? = nil
  ) {
    self.trace = trace
    self.keptFiles = keptFiles
    self.scenario = scenario
    self.key = key
    self.repetition = repetition
    self.schedule = schedule
    self.seed = seed
    self.folder = folder
    self.interleaving = interleaving
    self.keepsInterleaving = keepsInterleaving
  }
}

/// A trace beside a run.
package enum TraceUse: Sendable, Codable, Equatable {
  /// The run is written down in a new file. `program` is who writes, with its version.
  case record(file: String, program: String)
  /// The operations come from this file, not from the scenario's clients; `speed` times as fast as recorded, or as fast
  /// as it goes.
  case replay(file: String, speed: Double?)
}

/// Why a cell could not be run to its end.
package struct RunnerError: Error, Sendable, CustomStringConvertible {
  package let description: String

  package init(_ description: String) { self.description = description }
}
