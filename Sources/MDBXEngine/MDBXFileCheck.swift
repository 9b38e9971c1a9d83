// Whether a file is one that libmdbx may be given. It takes a short file of anything for an empty one and writes over it,
// and changes the length of one that ends too early before it refuses it: so both are found here first.
import EngineInterface
import SystemIO

/// The result of checking a data file before libmdbx opens it.
enum FileFinding: Equatable {
  /// There is no file, or an empty one: libmdbx will create a database.
  case absent
  /// The file has at least the length that its slots require.
  case openable
  case foreign(bytes: Int)
  case truncated(bytes: Int, needed: Int)

  /// Checks the file. No part of the process may have it open.
  init(_ file: FilePath) throws(SystemError) {
    self = .openable
    let bytes = try FileSystem.size(of: [file]).bytes
    if bytes == 0 {
      self = .absent
      return
    }
    let reader = try FileReader(file)
    guard let first = try CommitSlot(reader, at: 0) else {
      self = .foreign(bytes: bytes)
      return
    }
    let others = [
      try CommitSlot(reader, at: first.pageSize), try CommitSlot(reader, at: 2 * first.pageSize),
    ]
    let newest = others.compactMap { $0 }.reduce(first) { $1.version > $0.version ? $1 : $0 }
    // Asked again after the slots were read: what a slot names was written before it.
    let now = try FileSystem.size(of: file).bytes
    if now < newest.neededBytes { self = .truncated(bytes: now, needed: newest.neededBytes) }
  }
}

extension EngineError {
  /// The error for the finding; nil if the file may be opened.
  init?(_ finding: FileFinding, _ file: FilePath) {
    let what: String
    switch finding {
    case .absent, .openable: return nil
    case .foreign(let bytes): what = "its \(bytes) bytes do not begin as a libmdbx file does"
    case .truncated(let bytes, let needed):
      what =
        "it is truncated: it has \(bytes) bytes and its newest version reaches to byte \(needed)"
    }
    self.init(
      engine: mdbxID, code: .corrupt,
      message: "opening \(file): \(what); restore it from a copy, or give an empty folder")
  }
}

/// The contents of one commit slot. Offsets are those of libmdbx's format 3, behind the page's header.
private struct CommitSlot {
  let pageSize: Int
  let version: UInt64
  /// The length in bytes that the version's pages need.
  let neededBytes: Int

  private static let header = 20
  private static let bytes = header + 184
  /// The mark, above the byte with the format's number.
  private static let mark: UInt64 = 0x59_659D_BDEF_4C11

  /// Reads the slot; nil if there is none, or one that was written incompletely.
  init?(_ reader: FileReader, at offset: Int) throws(SystemError) {
    let page = try reader.bytes(at: offset, count: Self.bytes)
    guard page.count == Self.bytes else { return nil }
    func number<Number: FixedWidthInteger>(_ place: Int, as: Number.Type) -> Number {
      page.withUnsafeBytes {
        Number(littleEndian: $0.loadUnaligned(fromByteOffset: Self.header + place, as: Number.self))
      }
    }
    guard number(0, as: UInt64.self) >> 8 == Self.mark else { return nil }
    pageSize = Int(number(44, as: UInt32.self))
    guard 256...65_536 ~= pageSize else { return nil }
    version = number(8, as: UInt64.self)
    guard version == number(176, as: UInt64.self) else { return nil }
    neededBytes = Int(number(36, as: UInt32.self)) * pageSize
  }
}
