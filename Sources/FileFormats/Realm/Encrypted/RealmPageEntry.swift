// Where an encrypted Realm file has its pages, and what is stored of each (realm/util/encrypted_file_mapping.cpp): before every
// 64 pages of data a page of 64 entries, each of the current and the previous counter and HMAC.

/// An offset of the decrypted data is called data offset; one of the file, file offset.
enum RealmPageLayout {
  static let pageBytes = 4096
  static let entryBytes = 64
  static let pagesInGroup = 64
  private static let groupBytes = (pagesInGroup + 1) * pageBytes

  /// Returns the length of the data in a file of this length; a page that is cut off does not count.
  static func dataBytes(ofFile fileBytes: Int) -> Int {
    let pages = fileBytes / pageBytes
    return (pages - (pages + pagesInGroup) / (pagesInGroup + 1)) * pageBytes
  }

  /// Returns the length of a file with so many bytes of data, which are padded to whole pages.
  static func fileBytes(ofData dataBytes: Int) -> Int {
    let pages = (dataBytes + pageBytes - 1) / pageBytes
    return (pages + (pages + pagesInGroup - 1) / pagesInGroup) * pageBytes
  }

  /// Returns the file offset of a page of data.
  static func fileOffset(ofPage page: Int) -> Int {
    page / pagesInGroup * groupBytes + (page % pagesInGroup + 1) * pageBytes
  }

  /// Returns the file offset of the entries of a group.
  static func fileOffset(ofGroup group: Int) -> Int { group * groupBytes }
}

/// What is stored of a page: a write stores the new counter and HMAC before the page, so that the previous ones fit where it
/// was interrupted.
struct RealmPageEntry {
  private let bytes: ArraySlice<UInt8>

  /// `bytes` are `RealmPageLayout.entryBytes`.
  init(_ bytes: ArraySlice<UInt8>) { self.bytes = bytes }

  private func part(_ offset: Int, _ count: Int) -> ArraySlice<UInt8> {
    bytes.dropFirst(offset).prefix(count)
  }

  var counter: ArraySlice<UInt8> { part(0, 4) }
  var tag: ArraySlice<UInt8> { part(4, 28) }
  var previousCounter: ArraySlice<UInt8> { part(32, 4) }
  var previousTag: ArraySlice<UInt8> { part(36, 28) }
  /// Whether the page was ever written.
  var isWritten: Bool { !counter.allSatisfy { $0 == 0 } }
  var hasPrevious: Bool { !previousCounter.allSatisfy { $0 == 0 } }
}
