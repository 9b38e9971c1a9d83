// The catalog of engines as commands use it.
import EngineInterface
import Engines
import RecordModel
import WorkloadRunner

extension EngineCatalog {
  /// The engine of that name, or why it cannot be had.
  static func available(_ id: String) throws -> any Engine {
    switch named(id) {
    case .available(let engine): return engine
    case .unavailable(_, let reason): throw RunnerError("engine \(id): \(reason)")
    case nil: throw RunnerError("there is no engine \"\(id)\"")
    }
  }
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
