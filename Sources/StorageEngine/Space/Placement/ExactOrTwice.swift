// Realm Core's rule: what is left over of an extent must be large enough for another block.

extension FreeSpace {
  /// Allocates from the lowest extent of exactly the size, else from the smallest of at least twice the size.
  mutating func allocateExactOrTwice(_ size: Int) -> Int? {
    let exact = bySize.lowerBound(Pair(first: size, second: 0))
    if bySize.pair(at: exact)?.first == size { return allocateFront(at: exact, size) }
    return allocateFront(at: bySize.lowerBound(Pair(first: 2 * size, second: 0)), size)
  }
}
