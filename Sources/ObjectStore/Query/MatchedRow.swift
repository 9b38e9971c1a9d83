// A row that a condition is evaluated on.
import StorageEngine

/// A row of a class: its columns, each decoded when it is read. A corrupt one is null, so that it does not match.
struct MatchedRow: QueryRow {
  private let info: ClassInfo
  private let key: RowKey
  private let record: ObjectRecord?
  /// The column of the index that led to the row, if its entry has the whole value.
  private let known: (column: Int, value: ColumnValue)?
  /// Reads what links and collections lead to.
  private let reader: QueryReader?

  init(
    _ info: ClassInfo, _ key: RowKey, _ bytes: UnsafeRawBufferPointer, _ reader: QueryReader?
  ) {
    self.info = info
    self.key = key
    self.reader = reader
    record = ObjectRecord(bytes)
    known = nil
  }

  /// A row of which nothing was read but the entry of an index.
  init(_ info: ClassInfo, _ key: RowKey, _ known: (column: Int, value: ColumnValue)?) {
    self.info = info
    self.key = key
    self.known = known
    record = nil
    reader = nil
  }

  func value(_ column: Int) -> ColumnValue {
    if let known, known.column == column { return known.value }
    let found = try? record?.value(info.positions[column], info.schema.columns[column].kind)
    return found ?? .null
  }

  func follow(_ step: LinkStep, _ body: (LinkedRow) -> Bool) {
    let value = step.kind == .backlinks ? .null : value(step.column)
    reader?.follow(step, key, info, value, body)
  }

  /// Returns the value of a column at the end of to-one links; null if one of these leads to nothing.
  func value(_ path: ColumnPath) -> ColumnValue {
    guard !path.links.isEmpty else { return value(path.column) }
    var value = ColumnValue.null
    forEachValue(path.links[...], path.column) {
      value = $0
      return false
    }
    return value
  }
}
