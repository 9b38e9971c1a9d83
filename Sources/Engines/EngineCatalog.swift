// Every engine that there is: the one place that imports all adapters.
package import EngineInterface
import LMDBEngine
import MDBXEngine
package import MetricModel
import NativeEngine
import NullEngine
import RealmCoreEngine
import SQLiteEngine

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
    case .null: NullEngine.entry
    }
  }

  /// In the order of reports.
  package static let entries = EngineIdentifier.allCases.map(entry)

  package static let ids = EngineIdentifier.allCases.map(\.rawValue)

  /// All engines; one that is absent with the reason. An engine's library is opened when the engine is first asked for,
  /// so that a cell's process has no other engine's library than its own.
  package static var all: [EngineAvailability] { entries.map(\.availability) }

  /// The engine of that name; nil where there is none of it.
  package static func named(_ id: String) -> EngineAvailability? {
    EngineIdentifier(rawValue: id).map { entry(of: $0).availability }
  }
}
