// A table whose rows have a shape: its rows are written through the engine's own objects, or as rows of key and value.
import EngineInterface
import MetricModel

struct ShapedTable: Sendable {
  let shape: RowShape
  let table: TableIndex
  /// The rows of key and value that stand for the shape; nil on an engine with objects.
  let layout: RowLayout?

  func put(
    _ transaction: any EngineTransaction, _ key: Int64, _ value: UnsafeRawBufferPointer,
    _ parts: RowParts, _ model: ShapeModel
  ) throws(EngineError) {
    if let layout { return try layout.put(transaction, key, value, parts, model) }
    if case .list = parts { return try transaction.put(table, key, value) }
    try Self.objects(transaction).put(table, key, value, parts)
  }

  func delete(
    _ transaction: any EngineTransaction, _ key: Int64, _ model: ShapeModel
  ) throws(EngineError) -> Bool {
    guard let layout else { return try transaction.delete(table, key) }
    return try layout.delete(transaction, key, model)
  }

  func append(
    _ transaction: any EngineTransaction, _ key: Int64, at position: Int64
  ) throws(EngineError) {
    let element = ShapeModel.element(key, at: position)
    guard let layout else {
      return try Self.objects(transaction).append(element, table, key)
    }
    try layout.append(transaction, element, key, at: position)
  }

  func removeFirst(
    _ transaction: any EngineTransaction, _ key: Int64, at position: Int64
  ) throws(EngineError) {
    guard let layout else { return try Self.objects(transaction).removeFirst(table, key) }
    try layout.removeElement(transaction, key, at: position)
  }

  private static func objects(
    _ transaction: any EngineTransaction
  ) throws(EngineError) -> any ShapedTransaction {
    if let shaped = transaction as? any ShapedTransaction { return shaped }
    throw EngineError(
      engine: "\(type(of: transaction))", code: .unsupported,
      message: "its rows have no links, lists, embedded objects or indexes")
  }
}

// MARK: Reading

extension ShapedTable {
  func parts(_ snapshot: any EngineSnapshot, _ key: Int64) throws(EngineError) -> RowParts? {
    if let layout { return try layout.parts(snapshot, key) }
    return try Self.objects(snapshot).parts(table, key)
  }

  func keys(
    _ snapshot: any EngineSnapshot, column: Int, equalTo value: Int64
  ) throws(EngineError) -> [Int64] {
    if let layout { return try layout.keys(snapshot, column: column, equalTo: value) }
    return try Self.objects(snapshot).keys(table, column: column, equalTo: value)
  }

  private static func objects(
    _ snapshot: any EngineSnapshot
  ) throws(EngineError) -> any ShapedSnapshot {
    if let shaped = snapshot as? any ShapedSnapshot { return shaped }
    throw EngineError(
      engine: "\(type(of: snapshot))", code: .unsupported,
      message: "its rows have no links, lists, embedded objects or indexes")
  }
}
