// A table during a run: its specification and the keys that it contains.
import EngineInterface
import Generators
import ScenarioModel
import SystemIO

/// A table of the scenario during a run. `keys` is used within write transactions only, under `lock`.
final class TableState: @unchecked Sendable {
  let index: TableIndex
  let spec: TableSpec
  let lock = ThreadMutex()
  var keys = KeySet()
  /// The range of its keys, for threads that read without the lock.
  let publishedKeys = PublishedKeys()
  private let engine: any Engine

  init(_ index: TableIndex, _ spec: TableSpec, of engine: any Engine) {
    self.index = index
    self.spec = spec
    self.engine = engine
  }

  /// Whether the engine stores rows at all.
  var storesRows: Bool { engine.capabilities.keepsRows }

  /// Throws if an expected row was not found, unless the engine stores no rows at all.
  func expect(_ found: Bool, _ key: Int64) throws(EngineError) {
    guard !found, engine.capabilities.keepsRows else { return }
    throw EngineError(
      engine: engine.id, code: .corrupt, message: "row \(key) of table \(spec.name) is lost")
  }
}
