// Sessions for the tests of the DuckDB adapter.
import EngineInterface
import MetricModel
import SystemIO
import TestSupport
import Testing

@testable import DuckDBEngine

/// Whether this machine has DuckDB; the tests of the adapter are skipped where it does not.
let hasDuckDB = (try? DuckDBEngine()) != nil

extension DuckDBEngine {
  func session(_ folder: FilePath, automatic: Bool = false) throws -> any EngineSession {
    try open(folder, SessionOptions(tables: ["rows"], automaticCompaction: automatic)).session
  }
}
