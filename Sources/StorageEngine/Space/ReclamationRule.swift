// The reclamation rule of the options, applied to one extent: for code that reads the free list from the file.

struct ReclamationRule {
  let reclamation: DatabaseOptions.Reclamation
  /// The registered versions in ascending order.
  let registered: [UInt64]

  /// `registered` are the versions that must stay readable, except the newest, in any order.
  init(_ reclamation: DatabaseOptions.Reclamation, _ registered: [UInt64]) {
    self.reclamation = reclamation
    self.registered = Set(registered).sorted()
  }

  /// The rule for the registered versions below this one.
  init(
    _ reclamation: DatabaseOptions.Reclamation, _ registered: borrowing RegisteredVersions,
    below version: UInt64
  ) {
    self.reclamation = reclamation
    self.registered = registered.numbers(below: version)
  }

  var isExact: Bool { reclamation == .exact }

  /// Returns whether a registered version pins the extent. One without tags (death zero) is never pinned.
  func isPinned(_ extent: DeferredFreeExtent) -> Bool {
    guard let oldest = registered.first, oldest < extent.death else { return false }
    guard isExact else { return true }
    var low = 0
    var high = registered.count
    while low < high {
      let middle = (low + high) / 2
      if registered[middle] < extent.birth { low = middle + 1 } else { high = middle }
    }
    return low < registered.count && registered[low] < extent.death
  }
}
