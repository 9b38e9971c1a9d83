// The books of a Realm file, read from its bytes: header, top array, free lists (file format 24, realm/group.hpp,
// realm/node_header.hpp). Realm Core's C interface reports none of this. Only for files that are not encrypted.
import SystemIO

/// Reads a Realm file beside the engine that has it open.
struct RealmFile {
  private let reader: FileReader
  private let path: FilePath

  init(_ path: FilePath) throws(SystemError) {
    reader = try FileReader(path)
    self.path = path
  }

  /// What the newest version's top array has; nil where these are not the bytes of a Realm file, or are encrypted.
  ///
  /// Another thread may commit meanwhile. A commit writes nothing where the version before it is, so what was read is
  /// whole where the header names the same version after as before.
  func books() throws(SystemError) -> RealmBooks? {
    for _ in 0..<Self.attempts {
      guard let top = try topReference() else { return nil }
      let books = try RealmBooks(self, top: top)
      if try topReference() == top { return books }
    }
    return nil
  }

  private static let attempts = 1000
  private static let headerBytes = 24
  private static let magic = Array("T-DB".utf8)
  private static let streamingMagic: UInt64 = 0x3034_1252_37E5_26C8

  static var header: Int { headerBytes }

  /// Returns the offset of the newest version's top array; nil if the header is not that of a Realm file.
  private func topReference() throws(SystemError) -> Int? {
    guard let header = try bytes(at: 0, count: Self.headerBytes) else { return nil }
    guard Array(header[16..<20]) == Self.magic else { return nil }
    let slot = Int(header[23] & 1)
    let reference = header.littleEndian(at: 8 * slot, bytes: 8)
    if reference != .max { return Int(truncatingIfNeeded: reference) }
    // As a compaction writes it: all in one go, with the reference in the last bytes.
    let size = try FileSystem.size(of: path).bytes
    guard let footer = try bytes(at: size - 16, count: 16),
      footer.littleEndian(at: 8, bytes: 8) == Self.streamingMagic
    else { return nil }
    return Int(truncatingIfNeeded: footer.littleEndian(at: 0, bytes: 8))
  }

  /// The newest version's top array; nil where there is none.
  func topArray() throws(SystemError) -> RealmArray? {
    guard let top = try topReference() else { return nil }
    return try array(at: top)
  }

  /// The array at that place; nil where the file has no such bytes.
  func array(at reference: Int) throws(SystemError) -> RealmArray? {
    guard let head = try bytes(at: reference, count: RealmArray.headerBytes) else { return nil }
    var array = RealmArray(head: head)
    guard let body = try bytes(at: reference + head.count, count: array.bodyBytes) else {
      return nil
    }
    array.body = body
    return array
  }

  private func bytes(at offset: Int, count: Int) throws(SystemError) -> [UInt8]? {
    guard offset >= 0 else { return nil }
    let bytes = try reader.bytes(at: offset, count: count)
    return bytes.count == count ? bytes : nil
  }
}

/// A packed array of integers: 0, 1, 2, 4, 8, 16, 32 or 64 bits each.
struct RealmArray {
  static let headerBytes = 8

  let count: Int
  let hasReferences: Bool
  private let width: Int
  private let scheme: UInt8
  fileprivate(set) var body: [UInt8] = []

  init(head: [UInt8]) {
    let flags = head[4]
    width = (1 << Int(flags & 7)) >> 1
    scheme = (flags >> 3) & 3
    hasReferences = flags & 0x40 != 0
    count = Int(head[5]) << 16 | Int(head[6]) << 8 | Int(head[7])
  }

  /// Behind the header, in whole units of eight.
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
  var bytes: Int { Self.headerBytes + bodyBytes }

  /// Narrow elements have no sign, those of a byte and more do.
  subscript(index: Int) -> Int {
    precondition(index < count, "An array was asked for element \(index) of \(count).")
    switch width {
    case 0: return 0
    case 1, 2, 4:
      let bit = index * width
      return Int(body[bit / 8] >> UInt8(bit % 8)) & (1 << width - 1)
    default:
      let value = body.littleEndian(at: index * width / 8, bytes: width / 8)
      let shift = 64 - width
      return Int(Int64(bitPattern: value << UInt64(shift)) >> Int64(shift))
    }
  }
}

extension [UInt8] {
  fileprivate func littleEndian(at offset: Int, bytes: Int) -> UInt64 {
    var value: UInt64 = 0
    for index in (0..<bytes).reversed() { value = value << 8 | UInt64(self[offset + index]) }
    return value
  }
}
