// Reads through a fixed number of windows, so that memory is bounded however large the file is.
import SystemIO

/// A source's bytes through a direct-mapped cache of 4 MiB at most.
final class WindowedReader {
  private static let windowBytes = 16 << 10
  private static let windowCount = 256

  private struct Window {
    var index = -1
    var bytes: [UInt8] = []
  }

  private let source: any ByteSource
  /// The length when the reader was made. What is behind it is not read.
  let size: Int
  private var windows = [Window](repeating: Window(), count: windowCount)
  /// The number of reads from the source.
  private(set) var readCount = 0

  init(_ source: any ByteSource) throws(SystemError) {
    self.source = source
    size = try source.size
  }

  /// Returns so many bytes; nil where the source does not have all of them.
  func block(at offset: Int, count: Int) throws(SystemError) -> ByteBlock? {
    guard offset >= 0, count >= 0, offset <= size - count else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count)
    var next = offset
    let end = offset + count
    while next < end {
      let index = next / Self.windowBytes
      let start = index * Self.windowBytes
      let slot = index % Self.windowCount
      if windows[slot].index != index { try load(index, into: slot) }
      let from = next - start
      let upTo = min(end - start, Self.windowBytes)
      // The file was cut after the reader was made.
      guard upTo <= windows[slot].bytes.count else { return nil }
      bytes += windows[slot].bytes[from..<upTo]
      next = start + upTo
    }
    return source.isReadable(offset..<end) ? ByteBlock(bytes) : nil
  }

  private func load(_ index: Int, into slot: Int) throws(SystemError) {
    let offset = index * Self.windowBytes
    windows[slot].index = -1
    windows[slot].bytes = try read(at: offset, count: min(Self.windowBytes, size - offset))
    windows[slot].index = index
  }

  /// Reads from the source, past the windows: what the file has now. Fewer bytes only at the end.
  func read(at offset: Int, count: Int) throws(SystemError) -> [UInt8] {
    guard offset >= 0, count > 0 else { return [] }
    readCount += 1
    return try source.bytes(at: offset, count: count)
  }

  /// The source's length now.
  func currentSize() throws(SystemError) -> Int { try source.size }
}
