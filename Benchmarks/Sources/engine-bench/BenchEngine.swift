// The operations of an engine that the benchmark uses: the same few for all, implemented as each engine's users would.

/// What a commit waits for.
enum CommitMode: String, CaseIterable {
  case durable
  /// Durable by two syncs, where the engine has that.
  case twoSyncs
  case unsynced
}

/// One engine with one file of its own.
protocol BenchEngine: AnyObject {
  var name: String { get }
  /// The files that hold the data, the logs beside it included.
  var files: [String] { get }
  var modes: [CommitMode] { get }
  /// Whether `read` may be called from two threads at once.
  var readsInParallel: Bool { get }

  /// Writes the rows of these keys, ascending, in one durable transaction.
  func load(_ keys: Range<Int64>, value: UnsafeRawBufferPointer) throws
  func setMode(_ mode: CommitMode) throws
  /// Gives these rows a new value in one transaction.
  func update(_ keys: [Int64], value: UnsafeRawBufferPointer) throws
  /// Deletes these rows in one transaction.
  func delete(_ keys: [Int64]) throws
  /// Reads these rows, every byte of each, within one read transaction. Returns a checksum of them.
  func read(_ keys: [Int64]) throws -> UInt64
  /// Reads all rows in order, every byte of each.
  func scan() throws -> UInt64
  func close() throws
  func reopen() throws
}

/// Touches every byte.
@inline(__always)
func sum(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
  var total: UInt64 = 0
  var offset = 0
  while offset + 8 <= bytes.count {
    total &+= bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
    offset += 8
  }
  while offset < bytes.count {
    total &+= UInt64(bytes[offset])
    offset += 1
  }
  return total
}
