// Whether a file is DuckDB's and has all its blocks. DuckDB reads blocks when they are needed, so that it opens a file that ends
// early and fails later.
import EngineInterface
import MetricModel
import SystemIO

/// The result of checking a file before DuckDB opens it. No part of the process may have it open.
enum FileFinding: Equatable {
  /// There is no file: DuckDB will create a database.
  case absent
  case openable
  case foreign(String)

  init(_ file: FilePath) throws(SystemError) {
    guard FileSystem.exists(file) else {
      self = .absent
      return
    }
    let reader = try FileReader(file)
    let front = try reader.bytes(at: 0, count: DatabaseSetup.headerBytes)
    guard front.count == DatabaseSetup.headerBytes else {
      self = .foreign("\(front.count) bytes are too few for a database")
      return
    }
    guard front[Self.mark].elementsEqual("DUCK".utf8) else {
      self = .foreign("it is not a valid DuckDB database file")
      return
    }
    let headers = Self.headerOffsets.compactMap { Header(front, at: $0) }
    guard let newest = headers.max(by: { $0.iteration < $1.iteration }) else {
      self = .openable
      return
    }
    let bytes = try FileSystem.size(of: file).bytes
    self =
      bytes >= newest.end
      ? .openable
      : .foreign("it is truncated: it has \(bytes) bytes, and its blocks end at \(newest.end)")
  }

  private static let mark = 8..<12
  private static let headerOffsets = [4096, 8192]

  /// One of the two headers that checkpoints write in turn.
  private struct Header {
    let iteration: UInt64
    /// The offset at which the last block ends.
    let end: Int

    /// nil where it cannot be one.
    init?(_ front: [UInt8], at offset: Int) {
      func number(_ index: Int) -> UInt64 {
        let first = offset + 8 * (index + 1)
        return (0..<8).reversed().reduce(0) { $0 << 8 | UInt64(front[first + $1]) }
      }
      let (blocks, size) = (number(3), number(4))
      guard blocks < 1 << 40, 1 << 10...1 << 20 ~= size else { return nil }
      iteration = number(0)
      end = DatabaseSetup.headerBytes + Int(blocks * size)
    }
  }
}
