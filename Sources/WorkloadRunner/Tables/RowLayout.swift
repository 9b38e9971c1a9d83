// Rows with a shape as rows of key and value, as an app lays them out over an engine without objects: join tables both ways
// for links, a row for each element of a list and each embedded object, an entry for each value of an indexed column. What a
// change replaces is taken from the runner's model, so that no read is added to the writes.
import EngineInterface
import MetricModel

/// The tables that a table with a shape has besides its own.
struct RowLayout: Sendable {
  let shape: RowShape
  let table: TableIndex
  /// The first of its further tables. The others follow it.
  let first: TableIndex

  /// Returns the names of the further tables.
  static func names(_ shape: RowShape, of table: String) -> [String] {
    switch shape {
    case .links: ["\(table)_links", "\(table)_backlinks"]
    case .list: ["\(table)_list"]
    case .tree: ["\(table)_tree"]
    case .indexes: ["\(table)_indexes"]
    }
  }

  fileprivate var backlinks: TableIndex { first + 1 }

  // MARK: Keys

  /// A link by its two rows, whose keys are below 2³¹.
  fileprivate static func link(_ from: Int64, _ to: Int64) -> Int64 { from << 31 | to }
  fileprivate static func element(_ key: Int64, _ position: Int64) -> Int64 {
    key << 32 | position
  }
  fileprivate static func node(_ key: Int64, _ index: Int) -> Int64 { key << 9 | Int64(index) }
  /// An entry of an index: column, value, row.
  fileprivate static func entry(_ column: Int, _ value: Int64, _ key: Int64) -> Int64 {
    Int64(column) << 59 + value << 31 + key
  }
}

// MARK: Writing

extension RowLayout {
  /// Writes a row and the rows of its parts, in place of those that `model` has.
  func put(
    _ transaction: any EngineTransaction, _ key: Int64, _ value: UnsafeRawBufferPointer,
    _ parts: RowParts, _ model: ShapeModel
  ) throws(EngineError) {
    switch parts {
    case .list: try transaction.put(table, key, value)
    case .columns(let columns):
      try putRow(transaction, key, value, columns)
      let old = model.columns[key] ?? []
      for (column, value) in columns.enumerated() {
        if column < old.count {
          if old[column] == value { continue }
          _ = try transaction.delete(first, Self.entry(column, old[column], key))
        }
        try transaction.put(first, Self.entry(column, value, key), noBytes)
      }
    case .tree(let nodes):
      try transaction.put(table, key, value)
      for (index, node) in nodes.enumerated() {
        try put(transaction, first, Self.node(key, index), node)
      }
    case .links(let targets):
      try transaction.put(table, key, value)
      let old = model.links[key] ?? []
      for target in old where !targets.contains(target) {
        try unlink(transaction, key, target)
      }
      for target in targets where !old.contains(target) {
        try transaction.put(first, Self.link(key, target), noBytes)
        try transaction.put(backlinks, Self.link(target, key), noBytes)
      }
    }
  }

  /// Deletes a row and the rows of its parts; returns whether there was a row.
  func delete(
    _ transaction: any EngineTransaction, _ key: Int64, _ model: ShapeModel
  ) throws(EngineError) -> Bool {
    switch shape {
    case .links:
      for target in model.links[key] ?? [] { try unlink(transaction, key, target) }
      for source in model.sources[key] ?? [] where source != key {
        try unlink(transaction, source, key)
      }
    case .list:
      for position in model.lists[key] ?? 0..<0 {
        _ = try transaction.delete(first, Self.element(key, position))
      }
    case .tree(let width):
      for index in 0..<RowShape.treeNodes(width) {
        _ = try transaction.delete(first, Self.node(key, index))
      }
    case .indexes:
      for (column, value) in (model.columns[key] ?? []).enumerated() {
        _ = try transaction.delete(first, Self.entry(column, value, key))
      }
    }
    return try transaction.delete(table, key)
  }

  func append(
    _ transaction: any EngineTransaction, _ element: Int64, _ key: Int64, at position: Int64
  ) throws(EngineError) {
    try put(transaction, first, Self.element(key, position), element.bytes)
  }

  func removeElement(
    _ transaction: any EngineTransaction, _ key: Int64, at position: Int64
  ) throws(EngineError) {
    _ = try transaction.delete(first, Self.element(key, position))
  }

  private func unlink(
    _ transaction: any EngineTransaction, _ from: Int64, _ to: Int64
  ) throws(EngineError) {
    _ = try transaction.delete(first, Self.link(from, to))
    _ = try transaction.delete(backlinks, Self.link(to, from))
  }

  /// A row whose columns precede its bytes.
  private func putRow(
    _ transaction: any EngineTransaction, _ key: Int64, _ value: UnsafeRawBufferPointer,
    _ columns: [Int64]
  ) throws(EngineError) {
    try put(transaction, table, key, columns.flatMap(\.bytes) + Array(value))
  }

  private func put(
    _ transaction: any EngineTransaction, _ table: TableIndex, _ key: Int64, _ bytes: [UInt8]
  ) throws(EngineError) {
    let written = bytes.withUnsafeBytes { bytes in
      Result { () throws(EngineError) in try transaction.put(table, key, bytes) }
    }
    try written.get()
  }
}

// MARK: Reading

extension RowLayout {
  /// Returns what the row has besides its bytes; nil if there is no such row.
  func parts(_ snapshot: any EngineSnapshot, _ key: Int64) throws(EngineError) -> RowParts? {
    var row: [UInt8] = []
    guard try snapshot.read(table, key, { row = Array($0) }) else { return nil }
    switch shape {
    case .links:
      return .links(
        try rows(snapshot, first, Self.link(key, 0)..<Self.link(key + 1, 0))
          .map { $0.key & (1 << 31 - 1) })
    case .list:
      return .list(
        try rows(snapshot, first, Self.element(key, 0)..<Self.element(key + 1, 0))
          .map { Int64(bytes: $0.bytes[...]) })
    case .tree:
      return .tree(
        try rows(snapshot, first, Self.node(key, 0)..<Self.node(key + 1, 0)).map(\.bytes))
    case .indexes(let count):
      return .columns(
        (0..<count).map { Int64(bytes: row.dropFirst(8 * $0).prefix(8)) })
    }
  }

  func keys(
    _ snapshot: any EngineSnapshot, column: Int, equalTo value: Int64
  ) throws(EngineError) -> [Int64] {
    try rows(snapshot, first, Self.entry(column, value, 0)..<Self.entry(column, value + 1, 0))
      .map { $0.key & (1 << 31 - 1) }
  }

  /// Returns the keys of the rows that link to a row.
  func sources(_ snapshot: any EngineSnapshot, _ key: Int64) throws(EngineError) -> [Int64] {
    try rows(snapshot, backlinks, Self.link(key, 0)..<Self.link(key + 1, 0))
      .map { $0.key & (1 << 31 - 1) }
  }

  /// Returns the rows of a table whose keys are in the range.
  private func rows(
    _ snapshot: any EngineSnapshot, _ table: TableIndex, _ range: Range<Int64>
  ) throws(EngineError) -> [(key: Int64, bytes: [UInt8])] {
    var found: [(key: Int64, bytes: [UInt8])] = []
    var next = range.lowerBound
    while true {
      var last: Int64?
      let count = try snapshot.scan(table, from: next, limit: Self.batch) { key, bytes in
        last = key
        if range.contains(key) { found.append((key, Array(bytes))) }
      }
      guard count == Self.batch, let last, range.contains(last) else { return found }
      next = last + 1
    }
  }

  private static let batch = 64
}

/// A value without bytes, which has an address all the same: without one it would be null to some engines. Never freed.
private nonisolated(unsafe) let noBytes = UnsafeRawBufferPointer(
  start: UnsafeMutableRawPointer.allocate(byteCount: 1, alignment: 1), count: 0)

extension Int64 {
  /// The bytes, the lowest first.
  fileprivate var bytes: [UInt8] { (0..<8).map { UInt8(truncatingIfNeeded: self >> ($0 * 8)) } }

  fileprivate init(bytes: ArraySlice<UInt8>) {
    self = bytes.reversed().reduce(0) { $0 << 8 | Int64($1) }
  }
}
