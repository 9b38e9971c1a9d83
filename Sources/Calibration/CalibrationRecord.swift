// The record of `calibrate`: calibration.json, with the measurements and the models fitted to them.
import Foundation
package import MetricModel
package import RecordModel

package struct CalibrationRecord: Sendable, Codable, Equatable {
  package static let fileName = "calibration.json"
  package static let currentFormat = 1

  package var calibrationFormat = currentFormat
  package var origin: CalibrationOrigin
  package var device: [DeviceFigure]
  package var engines: [EngineCosts]

  package init(origin: CalibrationOrigin, device: [DeviceFigure], engines: [EngineCosts]) {
    self.origin = origin
    self.device = device
    self.engines = engines
  }

  /// Returns the costs of an engine; nil where it was not measured.
  package func costs(of engine: String) -> EngineCosts? {
    engines.first { $0.engine == engine && $0.absence == nil }
  }

  /// The file's bytes, ending in a line feed, with a digest of the rest in the first line.
  package func json() throws(RecordError) -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    do {
      return CalibrationSeal.sealed(Array(try encoder.encode(self)) + Array("\n".utf8))
    } catch {
      throw RecordError(code: .malformed, message: "cannot write the calibration: \(error)")
    }
  }

  /// Reads the record; the error explains why it cannot be read.
  package init(json bytes: [UInt8], name: String = fileName) throws(RecordError) {
    guard let format = Self.format(of: bytes) else {
      throw RecordError(
        code: .malformed,
        message: "\(name): not a calibration (it is cut off, or another program's file)")
    }
    guard format == Self.currentFormat else {
      throw RecordError(
        code: .otherFormat,
        message:
          "\(name): format \(format); this program reads format \(Self.currentFormat). Run calibrate again"
      )
    }
    guard CalibrationSeal.isWhole(bytes) else {
      throw RecordError(
        code: .changed,
        message:
          "\(name): was changed after the measurement, so its figures are not those that were measured; "
          + "run calibrate again, or restore the file")
    }
    do { self = try JSONDecoder().decode(Self.self, from: Data(bytes)) } catch {
      throw RecordError(
        code: .malformed, message: "\(name): lacks a part of a calibration; run calibrate again")
    }
    guard engines.allSatisfy({ $0.models.allSatisfy(\.isSound) }) else {
      throw RecordError(
        code: .malformed,
        message: "\(name): has a model that no calibration fits; run calibrate again")
    }
  }

  /// Whether the bytes are a calibration, of whatever format.
  package static func isRecord(_ bytes: [UInt8]) -> Bool { format(of: bytes) != nil }

  private static func format(of bytes: [UInt8]) -> Int? {
    struct Head: Decodable { var calibrationFormat: Int }
    return (try? JSONDecoder().decode(Head.self, from: Data(bytes)))?.calibrationFormat
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

/// The first line of calibration.json after the brace: the digest of all the others, as in record.json.
enum CalibrationSeal {
  private static let start = Array("{\n  \"digest\" : \"".utf8)
  private static let end = Array("\",\n".utf8)

  /// Adds the digest to the text, which begins with `{` and a line feed.
  static func sealed(_ text: [UInt8]) -> [UInt8] {
    start + SampleDigest.of(bytes: text).utf8 + end + text.dropFirst(2)
  }

  /// Whether the text has the digest of what it holds.
  static func isWhole(_ text: [UInt8]) -> Bool {
    let count = start.count + 32 + end.count
    guard text.count > count, text.starts(with: start) else { return false }
    return sealed(Array("{\n".utf8) + text.dropFirst(count)) == text
  }
}
