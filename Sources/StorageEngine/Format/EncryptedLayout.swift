// The layouts of an encrypted file. Header and commit slots are where they are in a plain file. Behind them are the units,
// each with its entry (salt, counter and tag). New files have units of 2 KiB with the entry directly before each: what is
// written together is then one range. Files of earlier releases have units of 4 KiB and a page of entries before each 102
// of them.
//
// A unit and its entry share sectors with others, which belong to other versions. Sealed bytes never change until the unit
// is written again, so a sector that is torn or lost has the same bytes for those others before and after.
// ```
// 0        4096          8192          12288
// │ header │ commit slot A │ commit slot B │ entry 0, unit 0 │ entry 1, unit 1 │ …
// │ header │ commit slot A │ commit slot B │ entries of 102 units │ unit 0 │ … │ unit 101 │ entries │ unit 102 │ …
// ```
import Encryption

struct EncryptedLayout: Equatable {
  /// The layout of new files.
  static let adjacentEntries = EncryptedLayout(.wholeUnits, unitShift: 11, unitsPerGroup: 1)
  /// The layout of files of earlier releases.
  static let pagesOfEntries = EncryptedLayout(
    .wholePages, unitShift: 12, unitsPerGroup: Layout.pageSize / UnitCipher.entrySize)

  /// The longest value that leaves hold. A unit holds blocks of one commit and is used again when all of them are free:
  /// a shorter value in a block of its own, next to a leaf that is soon replaced, would keep a unit for itself. With two
  /// such values a leaf fills a unit.
  static let inlineValueLimit = 1008

  /// How blocks are allocated so that no unit holds those of two versions.
  let allocation: Allocation
  private let unitShift: Int
  /// The number of units whose entries are side by side, in front of them.
  let unitsPerGroup: Int
  /// The bytes in front of a group of units.
  private let entriesSize: Int
  private let groupSize: Int

  private init(_ allocation: Allocation, unitShift: Int, unitsPerGroup: Int) {
    precondition(1 << unitShift == allocation.pageSize, "A unit holds blocks of one version.")
    self.allocation = allocation
    self.unitShift = unitShift
    self.unitsPerGroup = unitsPerGroup
    entriesSize = unitsPerGroup == 1 ? UnitCipher.entrySize : Layout.pageSize
    groupSize = entriesSize + unitsPerGroup << unitShift
  }

  /// The bytes that are sealed together.
  var unit: Int { 1 << unitShift }

  /// Whether a unit and its entry are one range of the file.
  var hasAdjacentEntries: Bool { unitsPerGroup == 1 }

  /// Returns the unit that contains a logical offset, which is at least `Layout.blocksStart`.
  @inline(__always)
  func unit(of offset: Int) -> Int { (offset &- Layout.blocksStart) >> unitShift }

  /// Returns the logical offset of a unit.
  func offset(of number: Int) -> Int { Layout.blocksStart + number << unitShift }

  /// Returns the offset of a unit in the file.
  func fileOffset(of number: Int) -> Int {
    hasAdjacentEntries
      ? Layout.blocksStart + number * groupSize + entriesSize : fileOffset(inGroupOf: number)
  }

  private func fileOffset(inGroupOf number: Int) -> Int {
    groupOffset(number) + entriesSize + (number % unitsPerGroup) << unitShift
  }

  /// Returns the offset of a unit's entry in the file.
  func entryOffset(of number: Int) -> Int {
    hasAdjacentEntries
      ? Layout.blocksStart + number * groupSize
      : groupOffset(number) + number % unitsPerGroup * UnitCipher.entrySize
  }

  private func groupOffset(_ number: Int) -> Int {
    Layout.blocksStart + number / unitsPerGroup * groupSize
  }

  /// Returns whether a unit can be written together with the one before it.
  func continuesRun(_ number: Int) -> Bool {
    hasAdjacentEntries || number % unitsPerGroup != 0
  }

  /// Returns the length of the file that holds `logical` bytes.
  func physical(_ logical: Int) -> Int {
    guard logical > Layout.blocksStart else { return logical }
    let units = (logical - Layout.blocksStart + unit - 1) >> unitShift
    let groups = (units + unitsPerGroup - 1) / unitsPerGroup
    return Layout.blocksStart + units << unitShift + groups * entriesSize
  }

  /// Returns the largest logical length that fits into a file of `physical` bytes.
  func logical(_ physical: Int) -> Int {
    guard physical > Layout.blocksStart else { return physical }
    let (groups, rest) = (physical - Layout.blocksStart).quotientAndRemainder(dividingBy: groupSize)
    return Layout.blocksStart
      + (groups * unitsPerGroup + max(0, rest - entriesSize) >> unitShift) << unitShift
  }
}
