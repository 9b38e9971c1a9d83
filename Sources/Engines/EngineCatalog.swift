// The catalog of all engines: the only file that imports all adapters.
import DuckDBEngine
package import EngineInterface
import LMDBEngine
import MDBXEngine
package import MetricModel
import NativeEngine
import NullEngine
import RealmCoreEngine
import RocksDBEngine
import SQLiteEngine
import WiredTigerEngine

package enum EngineCatalog {
  package static func entry(of engine: EngineIdentifier) -> EngineEntry {
    switch engine {
    case .native: NativeEngine.exactEntry
    case .nativeOldestReader: NativeEngine.oldestReaderEntry
    case .nativeObjects: NativeEngine.objectsEntry
    case .lmdb: LMDBEngine.entry
    case .sqlite: SQLiteEngine.entry
    case .mdbx: MDBXEngine.entry
    case .realmCore: RealmCoreEngine.entry
    case .rocksDB: RocksDBEngine.entry
    case .duckDB: DuckDBEngine.entry
    case .wiredTiger: WiredTigerEngine.entry
    case .null: NullEngine.entry
    }
  }

  /// The entries, in the order of reports.
  package static let entries = EngineIdentifier.allCases.map(entry)

  package static let ids = EngineIdentifier.allCases.map(\.rawValue)

  /// All engines; an unavailable one with the reason. An engine's library is loaded when the engine is first requested,
  /// so that a cell's process loads no library but that of its own engine.
  package static var all: [EngineAvailability] { entries.map(\.availability) }

  /// Returns the engine of that name; nil if there is none.
  package static func named(_ id: String) -> EngineAvailability? {
    EngineIdentifier(rawValue: id).map { entry(of: $0).availability }
  }
}
