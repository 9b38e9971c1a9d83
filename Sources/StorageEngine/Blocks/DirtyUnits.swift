// The units of an encrypted file that were written to and are not sealed yet.

struct DirtyUnits {
  /// In ascending order, each once.
  private(set) var units: [Int] = []
  /// The unit that was written to last, which may still be filled.
  private(set) var newest: Int?

  var count: Int { units.count }

  mutating func insert(_ unit: Int) {
    newest = unit
    // A commit writes its blocks in the order of their offsets.
    guard let last = units.last, last >= unit else { return units.append(unit) }
    let index = lowerBound(unit)
    if units[index] != unit { units.insert(unit, at: index) }
  }

  func contains(_ unit: Int) -> Bool {
    let index = lowerBound(unit)
    return index < units.count && units[index] == unit
  }

  /// Removes all units, except the newest if it is to be filled further.
  mutating func removeAll(exceptNewest: Bool = false) {
    units.removeAll(keepingCapacity: true)
    if exceptNewest, let newest { units.append(newest) } else { newest = nil }
  }

  /// Removes the units from `first` on.
  mutating func removeAll(from first: Int) {
    units.removeSubrange(lowerBound(first)...)
    if let last = newest, last >= first { newest = nil }
  }

  private func lowerBound(_ unit: Int) -> Int {
    var (low, high) = (0, units.count)
    while low < high {
      let middle = (low + high) / 2
      if units[middle] < unit { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
