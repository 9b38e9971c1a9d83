// The versions that are read in every process: the list of versions in the lock file beside the database (db.cpp, layout
// 14). The list is the last part of the file; what stands before it are the system's mutexes, whose size differs.
package import SystemIO

package struct RealmLockFile {
  private let source: any ByteSource
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
  package init?(_ path: FilePath) throws(SystemError) {
    try self.init(FileSource(path))
  }

  /// The same for a source.
  init?(_ source: any ByteSource) throws(SystemError) {
    self.source = source
    let bytes = try Self.bytes(source)
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
  package func participants() throws(SystemError) -> Int {
    let bytes = try Self.bytes(source)
    return bytes.count < Self.participantsOffset + 4
      ? 0 : bytes.number(at: Self.participantsOffset, bytes: 4)
  }

  /// Returns the file's bytes: of 32 versions a page, of 26,000 the megabyte that is read at most.
  private static func bytes(_ source: any ByteSource) throws(SystemError) -> [UInt8] {
    let reader = try WindowedReader(source)
    return try reader.read(at: 0, count: min(reader.size, 1 << 20))
  }

  /// Returns the versions that are read, and the newest; nil while the list is being extended.
  package func versions() throws(SystemError) -> Set<Int>? {
    guard let entries = try entries() else { return nil }
    return Set(entries.filter { $0.readers > 0 || $0.isNewest }.map(\.version))
  }

  /// A version in the list.
  struct Entry: Equatable {
    let version: Int
    let readers: Int
    let isNewest: Bool
  }

  /// Returns the versions in the list, in the order of their entries; nil while the list is being extended.
  func entries() throws(SystemError) -> [Entry]? {
    let bytes = try Self.bytes(source)
    guard list + Self.listHead <= bytes.count else { return nil }
    let entries = bytes.number(at: list, bytes: 4)
    let newest = bytes.number(at: list + 8, bytes: 4)
    let first = list + Self.listHead
    guard first + entries * Self.entryBytes <= bytes.count, newest < entries else { return nil }
    return (0..<entries).compactMap { entry in
      let offset = first + entry * Self.entryBytes
      let version = bytes.number(at: offset, bytes: 8)
      let readers = (0..<3).reduce(0) { $0 + bytes.number(at: offset + 24 + 4 * $1, bytes: 4) }
      guard version > 0 else { return nil }
      return Entry(version: version, readers: readers, isNewest: entry == newest)
    }
  }
}

extension [UInt8] {
  fileprivate func number(at offset: Int, bytes: Int) -> Int {
    var value = 0
    for index in (0..<bytes).reversed() { value = value << 8 | Int(self[offset + index]) }
    return value
  }
}
