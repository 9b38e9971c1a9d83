// The engines that there are, by the names that scenarios, the command line and reports use. An engine is listed here
// whether or not its library is on this machine; the catalog of adapters (module Engines) has one entry for each.

/// An engine's name, in the order of reports.
package enum EngineIdentifier: String, Sendable, Codable, CaseIterable {
  case native
  case nativeOldestReader = "native-oldest-reader"
  case nativeObjects = "native-objects"
  case lmdb
  case sqlite
  case mdbx
  case realmCore = "realm-core"
  case rocksDB = "rocksdb"
  case duckDB = "duckdb"
  case wiredTiger = "wiredtiger"
  case null

  /// Whether a scenario may state expectations of the engine without listing it among its own. True of variants of
  /// another engine, and of engines whose library few machines have: a scenario runs on them only where it is asked to.
  package var isOptional: Bool {
    switch self {
    case .nativeOldestReader, .nativeObjects, .mdbx, .realmCore, .rocksDB, .duckDB,
      .wiredTiger:
      true
    case .native, .lmdb, .sqlite, .null: false
    }
  }

  /// The engines of a scenario that names none: those that store data and are not optional.
  package static let defaults = allCases.filter { !$0.isOptional && $0 != .null }
}
