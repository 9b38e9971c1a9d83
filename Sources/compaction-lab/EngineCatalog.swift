// Every engine that there is: the one place that sees all adapters.
import EngineInterface
import LMDBEngine
import NativeEngine
import NullEngine
import RecordModel
import SQLiteEngine

enum EngineCatalog {
  /// All engines in the order of reports, absent ones with the reason.
  static let all: [EngineAvailability] = [
    .available(NativeEngine.exact),
    .available(NativeEngine.oldestReader),
    .available(LMDBEngine()),
    .available(SQLiteEngine()),
    .available(NullEngine()),
  ]

  static var ids: [String] { all.map(\.id) }

  /// The engines of these names, in the catalog's order; nil for an unknown one.
  static func named(_ id: String) -> EngineAvailability? { all.first { $0.id == id } }
}

extension EngineCapabilities {
  /// What a report says of the engine.
  var note: EngineNote {
    func words(_ support: Support) -> String {
      switch support {
      case .supported(let mechanism): mechanism
      case .notApplicable(let reason): "n/a: \(reason)"
      }
    }
    let mechanisms = [
      "never": words(never), "automatic": words(automatic), "on-launch": words(onLaunch),
    ]
    return switch accounting {
    case .exact: EngineNote(summary: summary, isExact: true, mechanisms: mechanisms)
    case .partial(let text):
      EngineNote(summary: summary, isExact: false, accounting: text, mechanisms: mechanisms)
    }
  }
}
