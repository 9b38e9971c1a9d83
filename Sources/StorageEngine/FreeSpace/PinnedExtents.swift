// The retired extents that a replay of the records has come upon and that are kept for someone, by address. A later
// commit may have used a part of one, where a session with another rule of reclamation took it for free: that part is
// kept no more.

struct PinnedExtents {
  private let rule: ReclamationRule
  /// Pairs of offset and index in `found`.
  private var byAddress = PairIndex()
  private var all: [DeferredFreeExtent] = []

  init(_ rule: ReclamationRule) { self.rule = rule }

  func deallocate() { byAddress.deallocate() }

  /// Notes an extent that a commit freed, if anyone keeps it.
  mutating func add(_ extent: DeferredFreeExtent) {
    guard rule.isPinned(extent) else { return }
    byAddress.insert(Pair(first: extent.offset, second: all.count))
    all.append(extent)
  }

  /// A commit used these bytes, or cut them off.
  mutating func remove(_ removed: Extent) {
    while let position = byAddress.previous(
      byAddress.lowerBound(Pair(first: removed.end, second: 0))),
      let pair = byAddress.pair(at: position), all[pair.second].extent.end > removed.offset
    {
      let extent = all[pair.second]
      byAddress.remove(at: position)
      addPart(extent, extent.offset, removed.offset)
      addPart(extent, removed.end, extent.extent.end)
    }
  }

  private mutating func addPart(_ extent: DeferredFreeExtent, _ from: Int, _ to: Int) {
    guard from < to else { return }
    add(DeferredFreeExtent(offset: from, size: to - from, birth: extent.birth, death: extent.death))
  }

  /// What is kept, by address.
  var extents: [DeferredFreeExtent] {
    var extents: [DeferredFreeExtent] = []
    extents.reserveCapacity(byAddress.count)
    var position = byAddress.first
    while let pair = byAddress.pair(at: position) {
      extents.append(all[pair.second])
      position = byAddress.next(position)
    }
    return extents
  }
}
