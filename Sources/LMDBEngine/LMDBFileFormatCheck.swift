// Whether a file holds every page that its newest version needs. LMDB does not check that: it maps the file and would die of a
// bus error where the file ends too early. A file may rightly be shorter than its number of pages, since LMDB does
// not write pages that one transaction both took and gave back; so a short file is walked before it is refused.
import EngineInterface
import SystemIO

/// The result of checking a data file before LMDB opens it.
enum FileFinding: Equatable {
  /// There is no file, or an empty one: LMDB will create a database.
  case absent
  /// The file is complete, or it is not of LMDB, and LMDB itself refuses it.
  case openable
  case truncated(bytes: Int, needed: Int)

  /// Checks the file. No part of the process may have it open.
  init(_ file: FilePath) throws(SystemError) {
    self = .openable
    if try FileSystem.size(of: [file]).bytes == 0 {
      self = .absent
      return
    }
    let reader = try FileReader(file)
    guard let meta = try MetaPage.newest(reader) else { return }
    // Asked after the slot was read: what a slot names was written before it.
    let bytes = try FileSystem.size(of: file).bytes
    let needed = (meta.lastPage + 1) * meta.pageSize
    if bytes >= needed { return }
    let walk = TreeWalk(reader: reader, pageSize: meta.pageSize, pages: bytes / meta.pageSize)
    for root in meta.roots where !(try walk.isWhole(root, depth: 0)) {
      self = .truncated(bytes: bytes, needed: needed)
    }
  }
}

extension EngineError {
  static func truncated(_ file: FilePath, bytes: Int, needed: Int) -> EngineError {
    EngineError(
      engine: lmdbID, code: .corrupt,
      message: """
        \(file) is truncated: it has \(bytes) bytes and its newest version reaches to byte \(needed); restore it \
        from a copy
        """)
  }
}

/// The contents of one commit slot. Offsets are those of LMDB's data version 1 on 64-bit machines.
private struct MetaPage {
  let pageSize: Int
  let lastPage: Int
  let version: Int
  /// The roots of the free database and of the table of tables.
  let roots: [UInt64]

  private static let magic: UInt32 = 0xBEEF_C0DE
  private static let bytes = 16 + 136

  /// Returns the newer of the two slots; nil if the file is not LMDB's.
  static func newest(_ reader: FileReader) throws(SystemError) -> MetaPage? {
    guard let first = try MetaPage(reader, at: 0) else { return nil }
    guard let second = try MetaPage(reader, at: first.pageSize) else { return nil }
    return second.version > first.version ? second : first
  }

  private init?(_ reader: FileReader, at offset: Int) throws(SystemError) {
    let page = try reader.bytes(at: offset, count: Self.bytes)
    guard page.count == Self.bytes else { return nil }
    guard page.number(16, as: UInt32.self) == Self.magic else { return nil }
    pageSize = Int(page.number(16 + 24, as: UInt32.self))
    guard 256...65_536 ~= pageSize else { return nil }
    let lastPage = page.number(16 + 120, as: UInt64.self)
    let version = page.number(16 + 128, as: UInt64.self)
    guard lastPage < 1 << 48, version < 1 << 62 else { return nil }
    self.lastPage = Int(lastPage)
    self.version = Int(version)
    roots = [
      page.number(16 + 24 + 40, as: UInt64.self), page.number(16 + 72 + 40, as: UInt64.self),
    ]
  }
}

/// Visits every page under a root and checks that the file contains it.
private struct TreeWalk {
  let reader: FileReader
  let pageSize: Int
  /// The number of complete pages in the file.
  let pages: Int

  private static let noRoot = UInt64.max
  private static let maxDepth = 32
  private static let header = 16
  private enum PageFlag {
    static let branch: UInt16 = 1
    static let leaf: UInt16 = 2
  }
  private enum NodeFlag {
    static let overflow: UInt16 = 1
    static let table: UInt16 = 2
  }

  func isWhole(_ page: UInt64, depth: Int) throws(SystemError) -> Bool {
    if page == Self.noRoot { return true }
    guard page < UInt64(pages), depth < Self.maxDepth else { return false }
    let bytes = try reader.bytes(at: Int(page) * pageSize, count: pageSize)
    guard bytes.count == pageSize else { return false }
    let flags = bytes.number(10, as: UInt16.self)
    guard flags & (PageFlag.branch | PageFlag.leaf) != 0 else { return false }
    let nodes = (Int(bytes.number(12, as: UInt16.self)) - Self.header) / 2
    guard nodes >= 0, Self.header + 2 * nodes <= pageSize else { return false }
    for index in 0..<nodes {
      let node = Int(bytes.number(Self.header + 2 * index, as: UInt16.self))
      guard node + 8 <= pageSize else { return false }
      let isWhole =
        flags & PageFlag.branch != 0
        ? try self.isWhole(child(bytes, node), depth: depth + 1)
        : try isWholeValue(bytes, node, depth: depth)
      if !isWhole { return false }
    }
    return true
  }

  /// Returns the page number of a branch node: 48 bits, where a leaf node has size and flags.
  private func child(_ bytes: [UInt8], _ node: Int) -> UInt64 {
    UInt64(bytes.number(node, as: UInt32.self))
      | UInt64(bytes.number(node + 4, as: UInt16.self)) << 32
  }

  private func isWholeValue(_ bytes: [UInt8], _ node: Int, depth: Int) throws(SystemError) -> Bool {
    let flags = bytes.number(node + 4, as: UInt16.self)
    let value = node + 8 + Int(bytes.number(node + 6, as: UInt16.self))
    if flags & NodeFlag.table != 0 {
      guard value + 48 <= pageSize else { return false }
      return try isWhole(bytes.number(value + 40, as: UInt64.self), depth: depth + 1)
    }
    guard flags & NodeFlag.overflow != 0 else { return true }
    guard value + 8 <= pageSize else { return false }
    let first = bytes.number(value, as: UInt64.self)
    guard first < UInt64(pages) else { return false }
    let head = try reader.bytes(at: Int(first) * pageSize, count: Self.header)
    guard head.count == Self.header else { return false }
    return first + UInt64(head.number(12, as: UInt32.self)) <= UInt64(pages)
  }
}

extension [UInt8] {
  /// Returns the little-endian number at an offset that the caller has checked.
  fileprivate func number<Number: FixedWidthInteger>(_ offset: Int, as: Number.Type) -> Number {
    withUnsafeBytes {
      Number(littleEndian: $0.loadUnaligned(fromByteOffset: offset, as: Number.self))
    }
  }
}
