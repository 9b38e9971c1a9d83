// A table during a run: its specification and the keys that it contains.
import EngineInterface
import Generators
import MetricModel
import ScenarioModel
import SystemIO

/// A table of the scenario during a run. `keys` and `model` are used within write transactions only, under `lock`.
final class TableState: @unchecked Sendable {
  let index: TableIndex
  let spec: TableSpec
  let lock = ThreadMutex()
  var keys = KeySet()
  /// How the rows' shape is written; nil for rows of bytes alone.
  let shaped: ShapedTable?
  /// What the rows have besides their bytes; empty without a shape.
  var model = ShapeModel()
  /// The range of its keys, for threads that read without the lock.
  let publishedKeys = PublishedKeys()
  private let engine: any Engine

  init(
    _ index: TableIndex, _ spec: TableSpec, of engine: any Engine, shaped: ShapedTable? = nil
  ) {
    self.index = index
    self.spec = spec
    self.shaped = shaped
    self.engine = engine
  }

  /// Whether the engine stores rows at all.
  var storesRows: Bool { engine.capabilities.keepsRows }

  /// Writes a row, with parts that `chooser` draws if the table has a shape; returns the bytes of the parts.
  func put(
    _ transaction: any EngineTransaction, _ key: Int64, _ value: UnsafeRawBufferPointer,
    _ chooser: inout PartsChooser?, among rows: borrowing KeySet
  ) throws(EngineError) -> Int {
    guard let shaped, let parts = chooser?.next(key, among: rows, model) else {
      try transaction.put(index, key, value)
      return 0
    }
    try shaped.put(transaction, key, value, parts, model)
    model.put(key, parts)
    return parts.byteCount
  }

  /// Deletes a row and all that it has. Error `corrupt` if there is no such row.
  func delete(_ transaction: any EngineTransaction, _ key: Int64) throws(EngineError) {
    guard let shaped else { return try expect(try transaction.delete(index, key), key) }
    try expect(try shaped.delete(transaction, key, model), key)
    model.remove(key)
  }

  /// Appends an element to the list of a row.
  func append(_ transaction: any EngineTransaction, _ key: Int64) throws(EngineError) {
    try shaped?.append(transaction, key, at: model.append(key))
  }

  /// Removes the first element of the list of a row; returns false for an empty list.
  func removeFirst(_ transaction: any EngineTransaction, _ key: Int64) throws(EngineError) -> Bool {
    guard let position = model.removeFirst(key) else { return false }
    try shaped?.removeFirst(transaction, key, at: position)
    return true
  }

  /// Throws if an expected row was not found, unless the engine stores no rows at all.
  func expect(_ found: Bool, _ key: Int64) throws(EngineError) {
    guard !found, engine.capabilities.keepsRows else { return }
    throw EngineError(
      engine: engine.id, code: .corrupt, message: "row \(key) of table \(spec.name) is lost")
  }
}

extension TableState {
  /// Returns the tables of a scenario. Those that lay out the shapes of others follow the scenario's own.
  static func tables(of specs: [TableSpec], on engine: any Engine) -> [TableState] {
    let hasObjects = engine.capabilities.shapes.isSupported
    var next = specs.count
    return specs.enumerated().map { index, spec in
      let shaped = spec.shape.map { shape in
        ShapedTable(
          shape: shape, table: index,
          layout: hasObjects ? nil : RowLayout(shape: shape, table: index, first: next))
      }
      next += shaped?.layout.map { RowLayout.names($0.shape, of: spec.name).count } ?? 0
      return TableState(index, spec, of: engine, shaped: shaped)
    }
  }
}

extension [TableState] {
  /// The names of all tables in the file, by their index.
  var names: [String] {
    map(\.spec.name)
      + flatMap { state in
        state.shaped?.layout.map { RowLayout.names($0.shape, of: state.spec.name) } ?? []
      }
  }

  /// The shapes that an engine with objects has, by the table's index; empty without any.
  var shapes: [RowShape?] {
    let shapes = map { $0.shaped?.layout == nil ? $0.shaped?.shape : nil }
    return shapes.contains { $0 != nil } ? shapes : []
  }
}

extension RowParts {
  /// The bytes that were requested with them.
  fileprivate var byteCount: Int {
    switch self {
    case .links(let parts), .list(let parts), .columns(let parts):
      parts.count * MemoryLayout<Int64>.size
    case .tree(let nodes): nodes.reduce(0) { $0 + $1.count }
    }
  }
}
