// The job of one process: one repetition of one cell. It is sent through a pipe as JSON, because each repetition has a
// process of its own: memory, bytes written and a crash then belong to that cell alone.
//
// The folders of this module in order, each of which uses only those before it:
// Jobs → Clock → Tables → Splitting → Traces → Recording → Snapshots → Processes → Clients → Schedules → Launches →
// Replay → Cell
package import RecordModel
package import ScenarioModel

package struct CellJob: Sendable, Codable {
  package var scenario: Scenario
  package var key: CellKey
  package var repetition: Int
  package var schedule: Schedule
  /// Seeds keys, sizes, values and the order of clients. All cells of a repetition have the same seed, so that policies
  /// are compared on the same operations.
  package var seed: UInt64
  /// The empty folder in which the cell, and only this cell, creates its database.
  package var folder: String
  /// The recorded order of turns to repeat; nil draws the order from the seed. Stepped schedule only.
  package var interleaving: Interleaving?
  /// Whether the result contains the order of turns.
  package var keepsInterleaving: Bool
  /// Records or replays a trace; nil for an ordinary run.
  package var trace: TraceUse?
  /// The folder that receives the database's files after the run; nil discards them.
  package var keptFiles: String?
  /// The disk of its own on which the database lies so that its use is measured; nil for the disk of the folder.
  package var measuredDisk: MeasuredDisk?
  /// Whether a policy may start a program.
  package var allowsPrograms = false

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

/// How a run uses a trace.
package enum TraceUse: Sendable, Codable, Equatable {
  /// Records the run in a new file. `program` is the name and version of the recording program.
  case record(file: String, program: String)
  /// Carries out the operations of this file in place of the scenario's clients, `speed` times as fast as recorded, or
  /// as fast as possible where `speed` is nil.
  case replay(file: String, speed: Double?)
}

/// A disk in memory for one cell, of which the peak use is measured.
package struct MeasuredDisk: Sendable, Codable, Equatable {
  /// Its size; nil for one that no database fills. An arm with a limited disk has that one instead.
  package var bytes: Int?

  package init(bytes: Int? = nil) { self.bytes = bytes }
}
