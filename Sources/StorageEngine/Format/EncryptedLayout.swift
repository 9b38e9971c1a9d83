// Where the units of an encrypted file lie. Header and commit slots stay where they are in a plain file; behind them each
// page of entries is followed by the units that its entries belong to.
// ```
// 0        4096          8192          12288
// │ header │ commit slot A │ commit slot B │ entries of 102 units │ unit 0 │ … │ unit 101 │ entries │ unit 102 │ …
// ```
import Encryption

enum EncryptedLayout {
  static let unit = Layout.pageSize
  /// Units whose entries lie in one page.
  static let unitsPerGroup = Layout.pageSize / UnitCipher.entrySize

  /// The unit that holds a logical offset from `Layout.blocksStart` on.
  @inline(__always)
  static func unit(of offset: Int) -> Int { (offset &- Layout.blocksStart) / unit }

  /// The logical offset of a unit.
  static func offset(of number: Int) -> Int { Layout.blocksStart + number * unit }

  /// Where a unit lies in the file.
  static func fileOffset(of number: Int) -> Int {
    groupOffset(number) + unit + number % unitsPerGroup * unit
  }

  /// Where a unit's entry lies in the file.
  static func entryOffset(of number: Int) -> Int {
    groupOffset(number) + number % unitsPerGroup * UnitCipher.entrySize
  }

  private static func groupOffset(_ number: Int) -> Int {
    Layout.blocksStart + number / unitsPerGroup * (unitsPerGroup + 1) * unit
  }

  /// The file's length for a logical length.
  static func physical(_ logical: Int) -> Int {
    guard logical > Layout.blocksStart else { return logical }
    let units = (logical - Layout.blocksStart + unit - 1) / unit
    let groups = (units + unitsPerGroup - 1) / unitsPerGroup
    return Layout.blocksStart + (units + groups) * unit
  }

  /// The longest logical length for a file's length.
  static func logical(_ physical: Int) -> Int {
    guard physical > Layout.blocksStart else { return physical }
    let pages = (physical - Layout.blocksStart) / unit
    let rest = max(0, pages % (unitsPerGroup + 1) - 1)
    return Layout.blocksStart + (pages / (unitsPerGroup + 1) * unitsPerGroup + rest) * unit
  }
}
