// An array of a Realm file: all that such a file consists of (realm/node_header.hpp).

/// The 8 bytes before an array's elements.
struct RealmArrayHeader: Equatable {
  static let bytes = 8

  let count: Int
  /// Whether elements can be references to other arrays: even ones are, odd ones are numbers.
  let hasReferences: Bool
  /// Whether the array is an inner node of a tree.
  let isInnerNode: Bool
  /// Bits for each element, or bytes by `scheme`.
  let width: Int
  private let scheme: Int

  /// Nil where there are fewer than 8 bytes.
  init?(_ block: ByteBlock, at offset: Int = 0) {
    guard let flags = block.little(offset + 4, 1), let count = block.big(offset + 5, 3) else {
      return nil
    }
    width = (1 << (flags & 7)) >> 1
    scheme = flags >> 3 & 3
    hasReferences = flags & 0x40 != 0
    isInnerNode = flags & 0x80 != 0
    self.count = count
  }

  /// Whether elements are numbers of `width` bits, and not strings or bytes.
  var isPacked: Bool { scheme == 0 }
  /// Whether elements have `width` bytes each.
  var isFixedBytes: Bool { scheme == 1 }

  /// The length behind the header, in whole units of eight.
  var bodyBytes: Int {
    let bytes =
      switch scheme {
      case 0: (count * width + 7) / 8
      case 1: count * width
      default: count
      }
    return (bytes + 7) & ~7
  }

  /// The size of the array in the file.
  var arrayBytes: Int { Self.bytes + bodyBytes }

  /// Returns an element from a part of the body; nil where the part does not have it. Narrow elements have no sign, those of
  /// a byte and more do.
  func element(_ index: Int, in body: ByteBlock, firstBodyByte: Int = 0) -> Int? {
    switch width {
    case 0: return 0
    case 1, 2, 4:
      let bit = index * width
      guard let byte = body.little(bit / 8 - firstBodyByte, 1) else { return nil }
      return byte >> (bit % 8) & (1 << width - 1)
    case 64:
      return body.bits(index * 8 - firstBodyByte).map { Int(Int64(bitPattern: $0)) }
    default:
      guard let value = body.little(index * width / 8 - firstBodyByte, width / 8) else {
        return nil
      }
      let shift = 64 - width
      return (value << shift) >> shift
    }
  }
}

/// A packed array of integers that is in memory as a whole.
package struct RealmArray {
  let header: RealmArrayHeader
  let body: ByteBlock

  package var count: Int { header.count }
  package var hasReferences: Bool { header.hasReferences }
  /// The size of the array in the file.
  package var bytes: Int { header.arrayBytes }

  package subscript(index: Int) -> Int {
    guard index >= 0, index < count, let element = header.element(index, in: body) else {
      preconditionFailure("An array was asked for element \(index) of \(count).")
    }
    return element
  }
}
