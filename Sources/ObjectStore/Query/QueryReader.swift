// What conditions read besides the row that they are evaluated on: linked objects, and elements of collections.
import StorageEngine

/// Reads rows of one version, or of the instance as it is.
final class QueryReader {
  private let instance: OpenRealm
  /// nil for what the instance sees.
  private let snapshot: Snapshot?
  /// The first error; rows that could not be read do not match.
  private(set) var failure: StorageError?

  init(_ instance: OpenRealm, _ snapshot: Snapshot? = nil) {
    self.instance = instance
    self.snapshot = snapshot
  }

  private func attempt<Result>(
    _ fallback: Result, _ body: () throws(StorageError) -> Result
  ) -> Result {
    do throws(StorageError) { return try body() } catch {
      if failure == nil { failure = error }
      return fallback
    }
  }

  private func get(_ table: Table, _ key: RowKey, _ body: (UnsafeRawBufferPointer) -> Void) -> Bool
  {
    attempt(false) { () throws(StorageError) in
      if let snapshot { return try snapshot.get(table, key, body) }
      return try instance.get(table, key, body)
    }
  }

  private func rows(_ table: Table, _ owner: RowKey) -> [(key: [UInt8], value: [UInt8])] {
    let prefix = ElementKey.prefix(owner)
    return attempt([]) { () throws(StorageError) in
      if let snapshot { return try snapshot.rows(table, prefix: prefix) }
      return try instance.rows(table, prefix: prefix)
    }
  }

  // MARK: Steps

  /// Calls `body` with what a step leads to from the row of `owner`, until it returns false.
  func follow(
    _ step: LinkStep, _ owner: RowKey, _ info: ClassInfo, _ value: ColumnValue,
    _ body: (LinkedRow) -> Bool
  ) {
    switch step.kind {
    case .link: _ = visit(value, step, body)
    case .elements:
      if value.isNull { return }
      let column = info.file.columns[info.positions[step.column]]
      guard let table = column.elements else { return }
      for row in rows(table, owner) {
        guard visit(element(row, column), step, body) else { return }
      }
    case .entry(let name):
      let column = info.file.columns[info.positions[step.column]]
      _ = visit(value.isNull ? .null : entry(name, owner, column), step, body)
    case .keys:
      if value.isNull { return }
      guard let table = info.file.columns[info.positions[step.column]].elements else { return }
      for row in rows(table, owner) {
        let key = ColumnValue.string(String(decoding: row.key.dropFirst(), as: UTF8.self))
        guard body(.value(key)) else { return }
      }
    case .backlinks: followBacklinks(step, owner, body)
    }
  }

  private func followBacklinks(
    _ step: LinkStep, _ owner: RowKey, _ body: (LinkedRow) -> Bool
  ) {
    guard let target = step.target, let info = instance.classInfo(for: target.type),
      let table = info.file.columns[info.positions[step.column]].backlinks
    else { return }
    for row in rows(table, owner) {
      guard let key = row.key.withUnsafeBytes({ RowKey(linkBytes: $0) }) else { continue }
      for _ in 0..<Backlink.count(row.value) {
        guard visit(.link(key), step, body) else { return }
      }
    }
  }

  /// Calls `body` with a value, or with the object of a link. Returns what it returns.
  private func visit(
    _ value: ColumnValue, _ step: LinkStep, _ body: (LinkedRow) -> Bool
  ) -> Bool {
    guard let target = step.target else { return body(.value(value)) }
    var wantsMore = true
    guard case .link(let key) = value, let info = instance.classInfo(for: target.type),
      get(info.table, key, { wantsMore = body(.row(MatchedRow(info, key, $0, self))) })
    else { return body(.value(.null)) }
    return wantsMore
  }

  // MARK: Elements

  /// Returns an element of a collection; null for a corrupt one, after recording the error.
  private func element(
    _ row: (key: [UInt8], value: [UInt8]), _ column: FileClass.FileColumn
  ) -> ColumnValue {
    attempt(.null) { () throws(StorageError) in try column.element(row) }
  }

  private func entry(
    _ name: String, _ owner: RowKey, _ column: FileClass.FileColumn
  ) -> ColumnValue {
    guard let table = column.elements, name.utf8.count <= ElementKey.maxMemberLength else {
      return .null
    }
    let key = RowKey.bytes(ElementKey.member(.string(name), ElementKey.prefix(owner)))
    var value: ColumnValue?
    guard get(table, key, { value = column.decodeElement($0) }) else { return .null }
    return attempt(.null) { () throws(StorageError) in
      guard let value else { throw column.corruptElementError }
      return value
    }
  }
}

/// What a step leads to: an object's row, or a value. Null in place of an object is one whose properties are nil.
enum LinkedRow: QueryRow {
  case row(MatchedRow)
  case value(ColumnValue)

  func value(_ column: Int) -> ColumnValue {
    switch self {
    case .row(let row): row.value(column)
    case .value(let value): value
    }
  }

  func follow(_ step: LinkStep, _ body: (LinkedRow) -> Bool) {
    switch self {
    case .row(let row): row.follow(step, body)
    case .value: if !step.isToMany { _ = body(.value(.null)) }
    }
  }
}
