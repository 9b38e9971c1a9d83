// The rows of as many devices as fit a memory limit: all, or a share of the devices that a hash of their identifiers chooses.
// A chosen device has all its rows, whatever order the log has, and the choice depends on nothing that the device does.

struct DeviceSample {
  /// The rows of chosen devices, by the hashes of their identifiers. The identifiers themselves are not stored.
  private(set) var rows: [UInt64: [LaunchRow]] = [:]
  private(set) var rowCount = 0
  /// One device in 2 to the power of it is chosen.
  private(set) var halvings = 0
  let maxRows: Int

  init(maxRows: Int) { self.maxRows = max(1, maxRows) }

  static func hash(_ identifier: ArraySlice<UInt8>) -> UInt64 {
    // FNV-1a, then the finalizer of SplitMix64, which spreads differences over all bits.
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in identifier { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    hash = (hash ^ (hash >> 30)) &* 0xbf58_476d_1ce4_e5b9
    hash = (hash ^ (hash >> 27)) &* 0x94d0_49bb_1331_11eb
    return hash ^ (hash >> 31)
  }

  /// Adds a row of a chosen device; returns whether it is later than the rows before it.
  mutating func add(_ row: LaunchRow, of device: UInt64) -> Bool {
    guard isChosen(device) else { return true }
    var isInOrder = true
    if let last = rows[device]?.last { isInOrder = last.time <= row.time }
    rows[device, default: []].append(row)
    rowCount += 1
    // With two devices left, a further halving may leave none.
    while rowCount > maxRows, rows.count > 2 { halve() }
    return isInOrder
  }

  private func isChosen(_ device: UInt64) -> Bool { device & ((1 << halvings) - 1) == 0 }

  private mutating func halve() {
    halvings += 1
    rows = rows.filter { isChosen($0.key) }
    rowCount = rows.values.reduce(0) { $0 + $1.count }
  }
}
