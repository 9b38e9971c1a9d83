// The transactions of a session over k files: a snapshot of every file, and a write transaction that begins in a file when
// it first needs a row there.
import EngineInterface
import SystemIO

/// Used by one thread at a time, as the snapshots that it wraps.
final class SplitSnapshot: EngineSnapshot, @unchecked Sendable {
  private let parts: [any EngineSnapshot]
  private let division: KeyDivision
  private let versions: ThreadMutex

  init(_ parts: [any EngineSnapshot], _ versions: ThreadMutex) {
    self.parts = parts
    division = KeyDivision(files: parts.count)
    self.versions = versions
  }

  func read(
    _ table: TableIndex, _ key: Int64, _ body: (UnsafeRawBufferPointer) -> Void
  ) throws(EngineError) -> Bool {
    try parts[division.file(of: key)].read(table, key, body)
  }

  /// Merges the rows of all files. Each file is scanned for its share, and again where its keys are denser than the others'.
  func scan(
    _ table: TableIndex, from key: Int64, limit: Int,
    _ body: (Int64, UnsafeRawBufferPointer) -> Void
  ) throws(EngineError) -> Int {
    guard limit > 0 else { return 0 }
    let share = min(limit / parts.count + 1, 1000)
    var cursors = parts.map { ScanCursor($0, table, from: key, share: share) }
    var visited = 0
    while visited < limit {
      var least: (key: Int64, index: Int)?
      for index in cursors.indices {
        guard let key = try cursors[index].key() else { continue }
        if least.map({ key < $0.key }) ?? true { least = (key, index) }
      }
      guard let least else { break }
      cursors[least.index].take(body)
      visited += 1
    }
    return visited
  }

  func count(_ table: TableIndex) throws(EngineError) -> Int {
    var sum = 0
    for part in parts { sum += try part.count(table) }
    return sum
  }

  func refresh() throws(EngineError) {
    try versions.withLock { () throws(EngineError) in
      for part in parts { try part.refresh() }
    }
  }

  func end() { for part in parts { part.end() } }
}

/// The rows of one file in key order, fetched in batches. Their bytes are copied, since they are valid within a call only.
private struct ScanCursor {
  private let snapshot: any EngineSnapshot
  private let table: TableIndex
  private let share: Int
  /// The key from which to fetch the next batch; nil where there are no more rows.
  private var next: Int64?
  private var rows: [(key: Int64, value: [UInt8])] = []
  private var taken = 0

  init(_ snapshot: any EngineSnapshot, _ table: TableIndex, from key: Int64, share: Int) {
    self.snapshot = snapshot
    self.table = table
    self.share = share
    next = key
  }

  /// Returns the key of the next row; nil at the end.
  mutating func key() throws(EngineError) -> Int64? {
    if taken == rows.count, let from = next {
      var fetched: [(key: Int64, value: [UInt8])] = []
      let found = try snapshot.scan(table, from: from, limit: share) {
        fetched.append(($0, Array($1)))
      }
      (rows, taken) = (fetched, 0)
      let last = fetched.last?.key
      next = found < share || last == .max ? nil : last.map { $0 + 1 }
    }
    return taken < rows.count ? rows[taken].key : nil
  }

  /// Calls `body` with the next row and moves past it.
  mutating func take(_ body: (Int64, UnsafeRawBufferPointer) -> Void) {
    let row = rows[taken]
    row.value.withUnsafeBytes { body(row.key, $0) }
    taken += 1
  }
}

final class SplitTransaction: EngineTransaction {
  private struct Part {
    var transaction: any EngineTransaction
    var isChanged = false
  }

  private let sessions: [any EngineSession]
  private let division: KeyDivision
  private let writing: ThreadMutex
  private let versions: ThreadMutex
  private var parts: [Part?]
  private var isOver = false

  init(_ sessions: [any EngineSession], writing: ThreadMutex, versions: ThreadMutex) {
    self.sessions = sessions
    self.writing = writing
    self.versions = versions
    division = KeyDivision(files: sessions.count)
    parts = Array(repeating: nil, count: sessions.count)
  }

  func put(
    _ table: TableIndex, _ key: Int64, _ value: UnsafeRawBufferPointer
  ) throws(EngineError) {
    let file = division.file(of: key)
    try part(file).put(table, key, value)
    parts[file]?.isChanged = true
  }

  func delete(_ table: TableIndex, _ key: Int64) throws(EngineError) -> Bool {
    let file = division.file(of: key)
    let wasThere = try part(file).delete(table, key)
    if wasThere { parts[file]?.isChanged = true }
    return wasThere
  }

  func read(
    _ table: TableIndex, _ key: Int64, _ body: (UnsafeRawBufferPointer) -> Void
  ) throws(EngineError) -> Bool {
    try part(division.file(of: key)).read(table, key, body)
  }

  private func part(_ file: Int) throws(EngineError) -> any EngineTransaction {
    if let begun = parts[file] { return begun.transaction }
    let transaction = try sessions[file].beginWrite()
    parts[file] = Part(transaction: transaction)
    return transaction
  }

  /// Commits in the order of the files. After an error, the files before the failed one have their changes, those after it
  /// do not.
  func commit() throws(EngineError) {
    defer { rollBack() }
    try versions.withLock { () throws(EngineError) in
      for file in parts.indices {
        guard let part = parts[file], part.isChanged else { continue }
        parts[file] = nil
        try part.transaction.commit()
      }
    }
  }

  func rollBack() {
    guard !isOver else { return }
    isOver = true
    for part in parts { part?.transaction.rollBack() }
    parts = []
    writing.unlock()
  }
}
