// Where the units of an encrypted file lie. Header and commit slots stay where they are in a plain file; behind them each
// page of entries is followed by the units that its entries belong to.
// ```
// 0        4096          8192          12288
// │ header │ commit slot A │ commit slot B │ entries of 102 units │ unit 0 │ … │ unit 101 │ entries │ unit 102 │ …
// ```
import Encryption

enum SealedLayout {
  static let unit = Layout.pageSize
  /// Units whose entries lie in one page.
  static let unitsInGroup = Layout.pageSize / UnitCipher.entrySize

  /// The unit that holds a logical offset from `Layout.blocksStart` on.
  @inline(__always)
  static func unit(of offset: Int) -> Int { (offset &- Layout.blocksStart) / unit }

  /// The logical offset of a unit.
  static func offset(of number: Int) -> Int { Layout.blocksStart + number * unit }

  /// Where a unit lies in the file.
  static func place(of number: Int) -> Int {
    groupPlace(number) + unit + number % unitsInGroup * unit
  }

  /// Where a unit's entry lies in the file.
  static func entryPlace(of number: Int) -> Int {
    groupPlace(number) + number % unitsInGroup * UnitCipher.entrySize
  }

  private static func groupPlace(_ number: Int) -> Int {
    Layout.blocksStart + number / unitsInGroup * (unitsInGroup + 1) * unit
  }

  /// The file's length for a logical length.
  static func physical(_ logical: Int) -> Int {
    guard logical > Layout.blocksStart else { return logical }
    let units = (logical - Layout.blocksStart + unit - 1) / unit
    let groups = (units + unitsInGroup - 1) / unitsInGroup
    return Layout.blocksStart + (units + groups) * unit
  }

  /// The longest logical length for a file's length.
  static func logical(_ physical: Int) -> Int {
    guard physical > Layout.blocksStart else { return physical }
    let pages = (physical - Layout.blocksStart) / unit
    let rest = max(0, pages % (unitsInGroup + 1) - 1)
    return Layout.blocksStart + (pages / (unitsInGroup + 1) * unitsInGroup + rest) * unit
  }
}
