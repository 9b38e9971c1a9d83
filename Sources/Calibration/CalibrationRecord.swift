// The record of `calibrate`: calibration.json, with the measurements and the models fitted to them.
package import MetricModel
package import RecordModel

package struct CalibrationRecord: SealedRecord, Equatable {
  package static let fileName = "calibration.json"
  package static let currentFormat = 1
  package static let formatKey = CodingKeys.calibrationFormat.rawValue
  package static let command = "calibrate"
  package static let isIndented = true

  package var calibrationFormat = currentFormat
  package var origin: CalibrationOrigin
  package var device: [DeviceFigure]
  package var engines: [EngineCosts]
  package var integrity = RecordIntegrity.verified

  private enum CodingKeys: String, CodingKey { case calibrationFormat, origin, device, engines }

  package init(origin: CalibrationOrigin, device: [DeviceFigure], engines: [EngineCosts]) {
    self.origin = origin
    self.device = device
    self.engines = engines
  }

  /// Returns the costs of an engine; nil where it was not measured.
  package func costs(of engine: String) -> EngineCosts? {
    engines.first { $0.engine == engine && $0.absence == nil }
  }

  package var flaw: String? {
    engines.allSatisfy { $0.models.allSatisfy(\.isSound) && $0.writingFit?.isSound ?? true }
      ? nil : "has a model that no calibration fits"
  }
}

/// What was measured on, and how.
package struct CalibrationOrigin: Sendable, Codable, Equatable {
  package var toolVersion: String
  /// The command that repeats the measurement.
  package var command: String
  package var startedAt: String
  package var seed: UInt64
  package var maxFile: ByteCount
  package var operatingSystem: String
  package var processor: String
  package var cores: Int
  package var memory: ByteCount
  /// The file system of the work folder, with its options where the system reports them.
  package var fileSystem: String
  package var conditions: MachineConditions

  package init(
    toolVersion: String, command: String, startedAt: String, seed: UInt64, maxFile: ByteCount,
    operatingSystem: String, processor: String, cores: Int, memory: ByteCount,
    fileSystem: String, conditions: MachineConditions = MachineConditions()
  ) {
    self.toolVersion = toolVersion
    self.command = command
    self.startedAt = startedAt
    self.seed = seed
    self.maxFile = maxFile
    self.operatingSystem = operatingSystem
    self.processor = processor
    self.cores = cores
    self.memory = memory
    self.fileSystem = fileSystem
    self.conditions = conditions
  }
}
