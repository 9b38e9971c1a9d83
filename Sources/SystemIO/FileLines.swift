// The lines of a file of any size, one after the other, with little memory.

/// Reads the lines of a regular file.
package struct FileLines {
  package struct Line: Sendable, Equatable {
    /// The offset of the first byte.
    package let offset: Int
    /// The bytes without the line feed.
    package let bytes: [UInt8]
    /// False for a last line without a line feed.
    package let isComplete: Bool

    /// The offset after the line.
    package var end: Int { offset + bytes.count + (isComplete ? 1 : 0) }
  }

  private static let pieceSize = 1 << 20

  private let reader: FileReader
  private var piece: [UInt8] = []
  /// The first byte of the piece that has not been returned.
  private var first = 0
  /// The offset of the piece's first byte in the file.
  private var pieceOffset = 0

  package init(_ path: FilePath) throws(SystemError) { reader = try FileReader(path) }

  /// Returns the next line; nil at the end of the file.
  package mutating func next() throws(SystemError) -> Line? {
    let offset = pieceOffset + first
    var bytes: [UInt8] = []
    while true {
      if first == piece.count {
        pieceOffset += piece.count
        piece = try reader.bytes(at: pieceOffset, count: Self.pieceSize)
        first = 0
        guard !piece.isEmpty else {
          return bytes.isEmpty ? nil : Line(offset: offset, bytes: bytes, isComplete: false)
        }
      }
      if let end = piece[first...].firstIndex(of: UInt8(ascii: "\n")) {
        bytes += piece[first..<end]
        first = end + 1
        return Line(offset: offset, bytes: bytes, isComplete: true)
      }
      bytes += piece[first...]
      first = piece.count
    }
  }
}
