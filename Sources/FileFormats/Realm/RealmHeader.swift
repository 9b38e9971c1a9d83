// The first 24 bytes of a Realm file, and the last 16 of one that was written in one go (realm/alloc_slab.hpp).

struct RealmHeader: Equatable {
  static let bytes = 24
  static let footerBytes = 16
  static let magic = Array("T-DB".utf8)
  private static let footerMagic: UInt64 = 0x3034_1252_37E5_26C8

  /// The offset of the newest version's top array in the file, 0 before the first commit; nil where the footer has it.
  let topReference: Int?
  /// The file format of the newest version; 0 before the first commit.
  let format: Int

  /// Nil if these are not the bytes of a Realm file.
  init?(_ block: ByteBlock) {
    guard block.starts(with: Self.magic, at: 16), let flags = block.little(23, 1) else {
      return nil
    }
    let slot = flags & 1
    guard let reference = block.bits(8 * slot), let format = block.little(20 + slot, 1) else {
      return nil
    }
    let isStreaming = slot == 0 && reference == .max
    topReference = isStreaming ? nil : Int(exactly: reference) ?? .max
    self.format = format
  }

  /// Returns the offset of the top array that a footer has; nil if it is none.
  static func topReference(footer: ByteBlock) -> Int? {
    guard footer.bits(8) == footerMagic else { return nil }
    return footer.little(0, 8)
  }
}

/// The elements of the top array (realm/group.hpp). The first three are always there.
enum RealmTopSlot {
  static let tableNames = 0
  static let tables = 1
  static let logicalSize = 2
  static let freeOffsets = 3
  static let freeLengths = 4
  static let freeVersions = 5
  static let version = 6
  static let historyType = 7
  static let history = 8
  static let evacuation = 11

  /// The lengths that a top array can have.
  static let counts: Set<Int> = [3, 5, 7, 9, 10, 11, 12]

  /// Returns a number from an array that may hold references, in which numbers are doubled and odd.
  static func untagged(_ element: Int) -> Int {
    Int(truncatingIfNeeded: UInt(bitPattern: element) >> 1)
  }
}
