// Access rights that no new file has by itself, so that a copy which was not given them is found out.
package import SystemIO

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

extension FileAccessRights {
  /// Root alone may give files to others.
  package static let maySetOwner = getuid() == 0

  /// A file that one other user may read: 0640, an attribute, an access list where that is one, and, for root, another
  /// owner and group.
  package static var telling: FileAccessRights {
    FileAccessRights(
      mode: 0o640, owner: maySetOwner ? 4321 : getuid(), group: maySetOwner ? 4322 : getgid(),
      attributes: attributes)
  }

  private static var attributes: [String: [UInt8]] {
    #if os(Linux)
      [
        "user.compaction-lab": Array("kept".utf8),
        "system.posix_acl_access": accessList(reader: 1234),
      ]
    #else
      ["compaction-lab": Array("kept".utf8)]
    #endif
  }

  /// An access list in the kernel's form: the owner may read and write, the user `reader` and the group may read.
  package static func accessList(reader: UInt32) -> [UInt8] {
    let no = UInt32.max
    let entries: [(tag: UInt16, rights: UInt16, id: UInt32)] = [
      (0x01, 6, no), (0x02, 4, reader), (0x04, 4, no), (0x10, 4, no), (0x20, 0, no),
    ]
    var bytes = littleEndian(UInt32(2))
    for entry in entries {
      bytes += littleEndian(entry.tag) + littleEndian(entry.rights) + littleEndian(entry.id)
    }
    return bytes
  }

  private static func littleEndian<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
    withUnsafeBytes(of: number.littleEndian) { Array($0) }
  }
}
