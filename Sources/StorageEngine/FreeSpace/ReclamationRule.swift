// When an extent on the free list may be used again, as the options say it: for whoever adds the list up from the file.

struct ReclamationRule {
  let reclamation: DatabaseOptions.Reclamation
  /// Ascending.
  let registered: [UInt64]

  /// `registered` are the versions that must stay readable, the newest one left out; in any order.
  init(_ reclamation: DatabaseOptions.Reclamation, _ registered: [UInt64]) {
    self.reclamation = reclamation
    self.registered = Set(registered).sorted()
  }

  var isExact: Bool { reclamation == .exact }

  /// Whether the extent is kept for a registered version. One without tags (death zero) never is.
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
