// The versions that are read in every process: the list of versions in the lock file beside the database (db.cpp, layout
// 14). The list is the last part of the file; what stands before it are the system's mutexes, whose size differs.
import SystemIO

struct RealmLockFile {
  private let reader: FileReader
  private let path: FilePath
  /// The offset of the list's head: the number of entries, the one being made, and the newest.
  private let list: Int

  private static let layout = 14
  private static let entryBytes = 40
  /// The offset of the layout's number, two bytes.
  private static let layoutOffset = 6
  private static let participantsOffset = 12
  /// The length in bytes of the list's head.
  private static let listHead = 16

  /// Opens the lock file; nil if its layout is not that of Realm Core 14.
  init?(_ path: FilePath) throws(SystemError) {
    reader = try FileReader(path)
    self.path = path
    let bytes = try reader.bytes(at: 0, count: FileSystem.size(of: path).bytes)
    guard bytes.count > 64, Int(bytes[Self.layoutOffset]) == Self.layout,
      let list = stride(from: 48, to: bytes.count - Self.listHead, by: 8).first(where: {
        let entries = bytes.number(at: $0, bytes: 4)
        return entries >= 32
          && $0 + Self.listHead + entries * Self.entryBytes == bytes.count
      })
    else { return nil }
    self.list = list
  }

  /// Returns how many openings of the file there are in all processes; those of a dead process count until all have closed.
  func participants() throws(SystemError) -> Int {
    try reader.bytes(at: Self.participantsOffset, count: 4).number(at: 0, bytes: 4)
  }

  /// Returns the versions that are read, and the newest; nil while the list is being extended.
  func versions() throws(SystemError) -> Set<Int>? {
    let bytes = try reader.bytes(at: 0, count: FileSystem.size(of: path).bytes)
    let entries = bytes.number(at: list, bytes: 4)
    let newest = bytes.number(at: list + 8, bytes: 4)
    let first = list + Self.listHead
    guard first + entries * Self.entryBytes <= bytes.count, newest < entries else { return nil }
    var versions: Set<Int> = []
    for entry in 0..<entries {
      let offset = first + entry * Self.entryBytes
      let version = bytes.number(at: offset, bytes: 8)
      let readers = (0..<3).reduce(0) { $0 + bytes.number(at: offset + 24 + 4 * $1, bytes: 4) }
      if version != 0, readers > 0 || entry == newest { versions.insert(version) }
    }
    return versions
  }
}

extension [UInt8] {
  fileprivate func number(at offset: Int, bytes: Int) -> Int {
    var value = 0
    for index in (0..<bytes).reversed() { value = value << 8 | Int(self[offset + index]) }
    return value
  }
}
