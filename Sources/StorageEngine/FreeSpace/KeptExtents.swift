// The retired extents that a replay of the records has come upon and that are kept for someone, by address. A later
// commit may have used a part of one, where a session with another rule of reclamation took it for free: that part is
// kept no more.

struct KeptExtents {
  private let rule: ReclamationRule
  /// Pairs of offset and index in `found`.
  private var byAddress = PairIndex()
  private var found: [RetiredExtent] = []

  init(_ rule: ReclamationRule) { self.rule = rule }

  func deallocate() { byAddress.deallocate() }

  /// Notes an extent that a commit freed, if anyone keeps it.
  mutating func add(_ extent: RetiredExtent) {
    guard rule.keeps(extent) else { return }
    byAddress.insert(Pair(first: extent.offset, second: found.count))
    found.append(extent)
  }

  /// A commit used these bytes, or cut them off.
  mutating func remove(_ gone: Extent) {
    while let position = byAddress.previous(
      byAddress.lowerBound(Pair(first: gone.end, second: 0))),
      let pair = byAddress.pair(at: position), found[pair.second].extent.end > gone.offset
    {
      let extent = found[pair.second]
      byAddress.remove(at: position)
      addPart(extent, extent.offset, gone.offset)
      addPart(extent, gone.end, extent.extent.end)
    }
  }

  private mutating func addPart(_ extent: RetiredExtent, _ from: Int, _ to: Int) {
    guard from < to else { return }
    add(RetiredExtent(offset: from, size: to - from, birth: extent.birth, death: extent.death))
  }

  /// What is kept, by address.
  var extents: [RetiredExtent] {
    var extents: [RetiredExtent] = []
    extents.reserveCapacity(byAddress.count)
    var position = byAddress.first
    while let pair = byAddress.pair(at: position) {
      extents.append(found[pair.second])
      position = byAddress.next(position)
    }
    return extents
  }
}
