// The layout of an encrypted file. Header and commit slots are where they are in a plain file. Behind them, each page
// of entries (salt, counter and tag of a unit) is followed by the units that its entries belong to.
// ```
// 0        4096          8192          12288
// │ header │ commit slot A │ commit slot B │ entries of 102 units │ unit 0 │ … │ unit 101 │ entries │ unit 102 │ …
// ```
import Encryption

enum EncryptedLayout {
  static let unit = Layout.pageSize
  /// The number of units whose entries share one page.
  static let unitsPerGroup = Layout.pageSize / UnitCipher.entrySize

  /// Returns the unit that contains a logical offset, which is at least `Layout.blocksStart`.
  @inline(__always)
  static func unit(of offset: Int) -> Int { (offset &- Layout.blocksStart) / unit }

  /// Returns the logical offset of a unit.
  static func offset(of number: Int) -> Int { Layout.blocksStart + number * unit }

  /// Returns the offset of a unit in the file.
  static func fileOffset(of number: Int) -> Int {
    groupOffset(number) + unit + number % unitsPerGroup * unit
  }

  /// Returns the offset of a unit's entry in the file.
  static func entryOffset(of number: Int) -> Int {
    groupOffset(number) + number % unitsPerGroup * UnitCipher.entrySize
  }

  private static func groupOffset(_ number: Int) -> Int {
    Layout.blocksStart + number / unitsPerGroup * (unitsPerGroup + 1) * unit
  }

  /// Returns the length of the file that holds `logical` bytes.
  static func physical(_ logical: Int) -> Int {
    guard logical > Layout.blocksStart else { return logical }
    let units = (logical - Layout.blocksStart + unit - 1) / unit
    let groups = (units + unitsPerGroup - 1) / unitsPerGroup
    return Layout.blocksStart + (units + groups) * unit
  }

  /// Returns the largest logical length that fits into a file of `physical` bytes.
  static func logical(_ physical: Int) -> Int {
    guard physical > Layout.blocksStart else { return physical }
    let pages = (physical - Layout.blocksStart) / unit
    let rest = max(0, pages % (unitsPerGroup + 1) - 1)
    return Layout.blocksStart + (pages / (unitsPerGroup + 1) * unitsPerGroup + rest) * unit
  }
}
