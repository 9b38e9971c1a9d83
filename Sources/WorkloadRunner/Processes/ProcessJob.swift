// The job of another process: the database to open, and the client's specification. Sent as one line of JSON.
package import EngineInterface
import Generators
package import MetricModel
package import ScenarioModel

package struct ProcessJob: Sendable, Codable {
  package var engine: String
  package var folder: String
  /// All tables of the scenario; the client uses the one that `table` specifies.
  package var tables: [String]
  package var table: TableSpec
  package var isDurable: Bool
  package var automatic: Bool
  package var preset: AutomaticPreset?
  package var thresholds: AutomaticThresholds?
  /// The client's name, which is the label of its snapshots.
  package var name: String
  package var spec: ProcessSpec
  package var seed: UInt64
  /// The label of its streams of random numbers; each start of a client has another one.
  package var stream: String
  /// The key of an encrypted database.
  package var encryptionKey: [UInt8]?
  /// Settings of the log and the file; nil for the engine's defaults.
  package var log: LogSettings?
  package var geometry: FileGeometry?
  package var isShortenable: Bool?

  var options: SessionOptions {
    var options = SessionOptions(
      tables: tables, durability: isDurable ? .full : .none, automaticCompaction: automatic,
      automaticPreset: preset, encryptionKey: encryptionKey)
    options.automaticThresholds = thresholds
    options.log = log
    options.geometry = geometry
    options.isShortenable = isShortenable ?? false
    return options
  }

  /// Takes over the arm's settings of the log and the file.
  mutating func takeSettings(of arm: ArmSpec) {
    log = arm.log?.settings
    geometry = arm.geometry?.settings
    isShortenable = arm.autoVacuum != nil
  }

  var tableIndex: TableIndex {
    guard let index = tables.firstIndex(of: table.name) else {
      preconditionFailure("another process works on table \(table.name), which does not exist")
    }
    return index
  }
}

/// The requests to another process, one a line.
enum ProcessRequest: String {
  case open, pin, read, write, check, release, close, exit
  /// Opens the database, reads a row, and closes it.
  case probe
  /// Opens the database to compact it.
  case compact
}

extension LogSpec {
  /// The settings as engines take them.
  var settings: LogSettings {
    LogSettings(checkpointPages: checkpointPages, keptBytes: sizeLimit, journal: journal)
  }
}

extension GeometrySpec {
  /// The settings as engines take them.
  var settings: FileGeometry {
    FileGeometry(
      lower: lower.map { ByteCount($0) }, upper: upper.map { ByteCount($0) },
      growthStep: growthStep.map { ByteCount($0) },
      shrinkThreshold: shrinkThreshold.map { ByteCount($0) })
  }
}
