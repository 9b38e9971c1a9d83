// Arrays of a Realm file that may be damaged, read in pieces: the header, and elements by the hundred.
import SystemIO

/// An array at its offset, with one piece of its elements in memory.
struct RealmArrayReader {
  private static let pieceCount = 512

  let offset: Int
  let header: RealmArrayHeader
  private let reader: WindowedReader
  private var piece = ByteBlock([])
  private var firstInPiece = 0
  private var endOfPiece = 0

  /// Nil where no array can be: not at a multiple of 8, or not whole before `limit`.
  init?(_ reader: WindowedReader, at offset: Int, limit: Int) throws(SystemError) {
    guard offset >= RealmHeader.bytes, offset & 7 == 0,
      offset <= limit - RealmArrayHeader.bytes,
      let block = try reader.block(at: offset, count: RealmArrayHeader.bytes),
      let header = RealmArrayHeader(block), header.arrayBytes <= limit - offset
    else { return nil }
    self.offset = offset
    self.header = header
    self.reader = reader
  }

  var count: Int { header.count }

  /// Returns an element; nil where the file does not have it.
  mutating func element(_ index: Int) throws(SystemError) -> Int? {
    guard header.isPacked, index >= 0, index < count else { return nil }
    guard header.width > 0 else { return 0 }
    if index < firstInPiece || index >= endOfPiece {
      firstInPiece = index / Self.pieceCount * Self.pieceCount
      endOfPiece = min(count, firstInPiece + Self.pieceCount)
      let from = firstInPiece * header.width / 8
      let bytes = (endOfPiece * header.width + 7) / 8 - from
      guard
        let block = try reader.block(at: offset + RealmArrayHeader.bytes + from, count: bytes)
      else {
        endOfPiece = firstInPiece
        return nil
      }
      piece = block
    }
    return header.element(index, in: piece, firstBodyByte: firstInPiece * header.width / 8)
  }

  /// Returns a string of an array with `width` bytes for each: the last byte is the number of unused ones.
  func string(_ index: Int) throws(SystemError) -> String? {
    guard header.isFixedBytes, header.width > 0, index < count,
      let block = try reader.block(
        at: offset + RealmArrayHeader.bytes + index * header.width, count: header.width),
      let unused = block.bytes.last, Int(unused) < header.width
    else { return nil }
    return String(decoding: block.bytes[..<(header.width - 1 - Int(unused))], as: UTF8.self)
  }
}
