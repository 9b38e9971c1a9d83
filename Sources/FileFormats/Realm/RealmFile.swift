// What the newest version of a Realm file has of the whole file, read beside the engine that has it open: file format 24. Only
// for files that are not encrypted.
package import SystemIO

/// Reads a Realm file beside the engine that has it open.
package struct RealmFile {
  private let reader: FileReader
  private let path: FilePath

  package init(_ path: FilePath) throws(SystemError) {
    reader = try FileReader(path)
    self.path = path
  }

  /// What the newest version's top array has; nil where these are not the bytes of a Realm file, or are encrypted.
  ///
  /// Another thread may commit meanwhile. A commit writes nothing where the version before it is, so what was read is
  /// whole where the header names the same version after as before.
  package func books() throws(SystemError) -> RealmBooks? {
    for _ in 0..<Self.attempts {
      guard let top = try topReference() else { return nil }
      let books = try RealmBooks(self, top: top)
      if try topReference() == top { return books }
    }
    return nil
  }

  private static let attempts = 1000

  package static let headerBytes = RealmHeader.bytes

  /// Returns the offset of the newest version's top array; nil if the header is not that of a Realm file.
  private func topReference() throws(SystemError) -> Int? {
    guard let header = try bytes(at: 0, count: RealmHeader.bytes).flatMap(RealmHeader.init) else {
      return nil
    }
    if let reference = header.topReference { return reference }
    let size = try FileSystem.size(of: path).bytes
    let footer = try bytes(at: size - RealmHeader.footerBytes, count: RealmHeader.footerBytes)
    return footer.flatMap(RealmHeader.topReference(footer:))
  }

  /// The array of integers at that offset; nil where the file has no such bytes.
  func array(at reference: Int) throws(SystemError) -> RealmArray? {
    guard let head = try bytes(at: reference, count: RealmArrayHeader.bytes),
      let header = RealmArrayHeader(head), header.isPacked,
      let body = try bytes(at: reference + RealmArrayHeader.bytes, count: header.bodyBytes)
    else { return nil }
    return RealmArray(header: header, body: body)
  }

  private func bytes(at offset: Int, count: Int) throws(SystemError) -> ByteBlock? {
    guard offset >= 0, offset < Int.max - count else { return nil }
    let bytes = try reader.bytes(at: offset, count: count)
    return bytes.count == count ? ByteBlock(bytes) : nil
  }
}
