// What another process is told when it begins: which database, and what it will be asked to do there. One line of JSON.
package import EngineInterface
import Generators
package import MetricModel
package import ScenarioModel

package struct ProcessJob: Sendable, Codable {
  package var engine: String
  package var folder: String
  /// The scenario's tables; the client works on the one of `table`.
  package var tables: [String]
  package var table: TableSpec
  package var isDurable: Bool
  package var automatic: Bool
  package var preset: AutomaticPreset?
  /// The client's name, under which its snapshots are listed.
  package var name: String
  package var spec: ProcessSpec
  package var seed: UInt64
  /// Names its streams of random numbers: a client's, and one for each start.
  package var stream: String
  /// With which the database is encrypted, where it is.
  package var encryptionKey: [UInt8]?
  /// How it keeps the log and the file, where that is not the engine's own way.
  package var log: LogSettings?
  package var geometry: FileGeometry?
  package var isShortenable: Bool?

  var options: SessionOptions {
    var options = SessionOptions(
      tables: tables, durability: isDurable ? .full : .none, automaticCompaction: automatic,
      automaticPreset: preset, encryptionKey: encryptionKey)
    options.log = log
    options.geometry = geometry
    options.isShortenable = isShortenable ?? false
    return options
  }

  /// Opens the database as this arm does.
  mutating func openAs(_ arm: ArmSpec) {
    log = arm.log?.settings
    geometry = arm.geometry?.settings
    isShortenable = arm.autoVacuum != nil
  }

  var tableIndex: TableIndex {
    guard let index = tables.firstIndex(of: table.name) else {
      preconditionFailure("another process works on table \(table.name), which there is not")
    }
    return index
  }
}

/// What may be said to another process, one to a line.
enum ProcessRequest: String {
  case open, pin, read, write, check, release, close, exit
  /// Opens the database, reads, and closes it.
  case probe
  /// Opens the database to compact it.
  case compact
}

extension LogSpec {
  /// As an engine is told.
  var settings: LogSettings {
    LogSettings(checkpointPages: checkpointPages, keptBytes: sizeLimit, journal: journal)
  }
}

extension GeometrySpec {
  /// As an engine is told.
  var settings: FileGeometry {
    FileGeometry(
      lower: lower.map { ByteCount($0) }, upper: upper.map { ByteCount($0) },
      growthStep: growthStep.map { ByteCount($0) },
      shrinkThreshold: shrinkThreshold.map { ByteCount($0) })
  }
}
