// The deferred free extents that a replay of the commit records finds pinned, by address. A later commit may have
// reused a part of one, if a session with another reclamation rule treated it as free; that part is no longer pinned.

struct PinnedExtents: ~Copyable {
  private let rule: ReclamationRule
  private var byAddress = OrderedIndex<DeferredFreeExtent>()

  init(_ rule: ReclamationRule) { self.rule = rule }

  /// Adds an extent that a commit freed, if a registered version pins it.
  mutating func add(_ extent: DeferredFreeExtent) {
    guard rule.isPinned(extent) else { return }
    byAddress.insert(extent)
  }

  /// Removes bytes that a commit allocated or truncated.
  mutating func remove(_ removed: Extent) {
    while let position = byAddress.previous(byAddress.lowerBound(removed.end)),
      let extent = byAddress.element(at: position), extent.extent.end > removed.offset
    {
      byAddress.remove(at: position)
      addPart(extent, extent.offset, removed.offset)
      addPart(extent, removed.end, extent.extent.end)
    }
  }

  private mutating func addPart(_ extent: DeferredFreeExtent, _ from: Int, _ to: Int) {
    guard from < to else { return }
    add(DeferredFreeExtent(offset: from, size: to - from, birth: extent.birth, death: extent.death))
  }

  /// Calls `body` with the pinned extents in the order of their addresses.
  func enumerate<Failure: Error>(
    _ body: (DeferredFreeExtent) throws(Failure) -> Void
  ) throws(Failure) {
    var position = byAddress.first
    while let extent = byAddress.element(at: position) {
      try body(extent)
      position = byAddress.next(position)
    }
  }

  /// The sum of the pinned extents.
  var bytes: Int {
    var sum = 0
    enumerate { sum += $0.size }
    return sum
  }
}

extension DeferredFreeExtent: Ordered {
  @inline(__always) var key: Int { offset }
  @inline(__always) static var last: DeferredFreeExtent {
    DeferredFreeExtent(offset: Int.max, size: 0, birth: 0, death: 0)
  }
}
