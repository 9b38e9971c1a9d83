// The meta pages: each is a version of the database, and the valid one with the greatest number is the newest.

struct MDBMeta: Equatable {
  let index: Int
  let version: UInt64
  let pageBytes: Int
  /// The newest page in use plus one.
  let pageCount: Int
  /// The limit of the file: LMDB's map size, libmdbx's upper bound.
  let limitBytes: Int
  /// Whether the version is known to be on the disk; LMDB does not store that.
  let isSynced: Bool
  /// libmdbx: the length of the file as its geometry has it, the smallest length, and its steps.
  let geometry: Geometry?
  let treesOffset: Int

  struct Geometry: Equatable {
    let nowBytes: Int
    let lowerBytes: Int
    let growBytes: Int
    let shrinkBytes: Int
  }

  static let lmdbMagic = 0xBEEF_C0DE
  /// The upper seven bytes of libmdbx's magic number; the lowest has the version of the format.
  static let libmdbxMagic: [UInt8] = [0x11, 0x4C, 0xEF, 0xBD, 0x9D, 0x65, 0x59]
  static let libmdbxVersions: Set<Int> = [2, 3]

  /// Reads the meta page that begins `page`; nil where it is not valid.
  init?(_ page: ByteBlock, index: Int, _ layout: MDBLayout) {
    self.index = index
    let start = layout.headerBytes
    guard page.little(10, 2) ?? 0 & 8 != 0 else { return nil }
    if layout.isLMDB {
      guard page.little(start, 4) == Self.lmdbMagic, page.little(start + 4, 4) == 1,
        let size = page.little(start + 24, 4), let limit = page.little(start + 16, 8),
        let last = page.little(start + 120, 8), let version = page.bits(start + 128),
        Self.isPageSize(size), last < Self.maxPageCount
      else { return nil }
      (pageBytes, limitBytes, pageCount, self.version) = (size, limit, last + 1, version)
      (isSynced, geometry) = (true, nil)
      treesOffset = start + 24
    } else {
      guard page.starts(with: Self.libmdbxMagic, at: start + 1),
        let format = page.little(start, 1), Self.libmdbxVersions.contains(format),
        let size = page.little(start + 44, 4), let version = page.bits(start + 8),
        let lower = page.little(start + 24, 4), let upper = page.little(start + 28, 4),
        let now = page.little(start + 32, 4), let next = page.little(start + 36, 4),
        let grow = page.little(start + 20, 2), let shrink = page.little(start + 22, 2),
        let sign = page.bits(start + 168), page.bits(start + 176) == version, version != 0,
        Self.isPageSize(size)
      else { return nil }
      self.version = version
      (pageBytes, pageCount) = (size, next)
      limitBytes = upper * size
      isSynced = sign > 1
      geometry = Geometry(
        nowBytes: now * size, lowerBytes: lower * size, growBytes: Self.steps(grow) * size,
        shrinkBytes: Self.steps(shrink) * size)
      treesOffset = start + 40
    }
    guard pageCount >= layout.metaCount else { return nil }
  }

  /// More than a file can have; so many pages of any size are less than `Int.max` bytes.
  private static let maxPageCount = 1 << 46

  /// Checked before anything is multiplied by the size: that of a damaged file may be any.
  private static func isPageSize(_ size: Int) -> Bool {
    (256...65536).contains(size) && size & (size - 1) == 0
  }

  /// Returns the pages that libmdbx's packed 16 bits stand for.
  private static func steps(_ packed: Int) -> Int {
    guard packed & 0x8001 == 0x8001 else { return packed }
    guard packed != 0xffff else { return 65536 }
    return 32768 + ((packed >> 1 & 2047) + 1) << ((packed >> 12 & 7) + 8)
  }
}
