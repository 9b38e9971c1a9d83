// Sessions for the tests of the WiredTiger adapter, and what they ask of a session that the contract does not have.
import EngineInterface
import MetricModel
import SystemIO
import TestSupport
import Testing

@testable import WiredTigerEngine

/// Whether this machine has WiredTiger; the tests of the adapter are skipped where it does not.
let hasWiredTiger = (try? WiredTigerEngine()) != nil

extension EngineSession {
  var tiger: WiredTigerDatabase {
    get throws { try #require(self as? WiredTigerSession).openDatabase() }
  }
}

extension WiredTigerEngine {
  func session(
    _ folder: FilePath, automatic: Bool = false, durability: Durability = .none,
    inBackground: Bool = false
  ) throws -> any EngineSession {
    try open(
      folder,
      SessionOptions(
        tables: ["rows"], durability: durability, automaticCompaction: automatic,
        worksInBackground: inBackground)
    ).session
  }
}
