// Sessions for the tests of the RocksDB adapter, and what they ask of a session that the contract does not have.
import EngineInterface
import MetricModel
import SystemIO
import TestSupport
import Testing

@testable import RocksDBEngine

/// Whether this machine has RocksDB; the tests of the adapter are skipped where it does not.
let hasRocksDB = (try? RocksDBEngine()) != nil

extension EngineSession {
  var rocks: RocksDBDatabase {
    get throws { try #require(self as? RocksDBSession).openDatabase() }
  }
}

extension RocksDBEngine {
  func session(
    _ folder: FilePath, automatic: Bool = false, preset: AutomaticPreset? = nil,
    inBackground: Bool = false
  ) throws -> any EngineSession {
    try open(
      folder,
      SessionOptions(
        tables: ["rows"], automaticCompaction: automatic, automaticPreset: preset,
        worksInBackground: inBackground)
    ).session
  }
}
