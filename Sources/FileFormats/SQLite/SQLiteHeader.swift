// The first 100 bytes of an SQLite database, as its file format document describes them.

struct SQLiteHeader: Equatable {
  static let bytes = 100
  static let magic = Array("SQLite format 3\0".utf8)
  /// The page that holds this offset is used for locks only, and never written.
  private static let lockByteOffset = 1 << 30

  let pageBytes: Int
  /// The bytes of a page that extensions reserved for themselves.
  let reservedBytes: Int
  /// Whether the database is in WAL mode.
  let isWAL: Bool
  let readVersion: Int
  let changeCounter: Int
  /// The number of pages in the header, and the change for which it was stored.
  private let storedPageCount: Int
  private let validForChange: Int
  let firstTrunk: Int
  let freelistCount: Int
  let schemaFormat: Int
  /// 0 unless the database has pointer-map pages.
  let largestRoot: Int
  let isIncremental: Bool
  let textEncoding: Int
  let libraryVersion: Int

  var usableBytes: Int { pageBytes - reservedBytes }
  var hasPointerMap: Bool { largestRoot != 0 }
  var lockBytePage: Int { Self.lockByteOffset / pageBytes + 1 }

  /// Nil if the fields cannot be those of a database.
  init?(_ block: ByteBlock) {
    guard block.starts(with: Self.magic, at: 0), let size = block.big(16, 2),
      block.count >= Self.bytes
    else { return nil }
    func field(_ offset: Int, _ width: Int = 4) -> Int { block.big(offset, width) ?? 0 }
    pageBytes = size == 1 ? 65536 : size
    reservedBytes = field(20, 1)
    guard pageBytes >= 512, pageBytes & (pageBytes - 1) == 0, pageBytes - reservedBytes >= 480
    else { return nil }
    isWAL = field(18, 1) == 2
    readVersion = field(19, 1)
    changeCounter = field(24)
    storedPageCount = field(28)
    firstTrunk = field(32)
    freelistCount = field(36)
    schemaFormat = field(44)
    largestRoot = field(52)
    textEncoding = field(56)
    isIncremental = field(64) != 0
    validForChange = field(92)
    libraryVersion = field(96)
  }

  /// The number of pages by the header; nil where a version before 3.7.0 left it out of date.
  var pageCount: Int? {
    storedPageCount > 0 && validForChange == changeCounter ? storedPageCount : nil
  }

  /// The number of pages that one pointer-map page covers, itself included.
  private var pagesPerMap: Int { usableBytes / 5 + 1 }

  /// Whether a page is a pointer-map page, of a database that has them.
  func isPointerMap(_ page: Int) -> Bool {
    guard hasPointerMap, page >= 2 else { return false }
    let map = (page - 2) / pagesPerMap * pagesPerMap + 2
    return page == (map == lockBytePage ? map + 1 : map)
  }

  /// Returns how many pointer-map pages a file of so many pages has.
  func pointerMapPages(of pages: Int) -> Int {
    guard hasPointerMap, pages >= 2 else { return 0 }
    return (pages - 2) / pagesPerMap + 1
  }
}
