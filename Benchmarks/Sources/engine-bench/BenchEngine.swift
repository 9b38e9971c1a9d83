// What the benchmark asks of an engine: the same few calls for all three, each as its own users would make them.

/// One engine with one file of its own.
protocol BenchEngine: AnyObject {
  var name: String { get }
  /// The files that hold the data, the logs beside it included.
  var files: [String] { get }

  /// Writes all rows, keys 0 up to `rows`, in one durable transaction.
  func load(rows: Int, value: UnsafeRawBufferPointer) throws
  /// From now on commits wait for the disk, or do not.
  func setDurable(_ isDurable: Bool) throws
  /// Gives these rows a new value in one transaction.
  func update(_ keys: [Int64], value: UnsafeRawBufferPointer) throws
  /// Reads these rows, every byte of each, within one read transaction; answers a sum that depends on all of them.
  func read(_ keys: [Int64]) throws -> UInt64
  func close() throws
}

/// A call that an engine refused.
struct BenchError: Error, CustomStringConvertible {
  let description: String
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
