// Realm Core's rule: what is left over of an extent must be large enough for another block.

extension FreeSpace {
  /// Allocates from the lowest extent of exactly the size, else from the smallest of at least twice the size.
  mutating func allocateExactOrTwice(_ size: Int) -> Int? {
    let exact = index.firstFit(size)
    if exact?.size == size { return allocateFront(of: exact, size) }
    return allocateFront(of: index.firstFit(2 * size), size)
  }
}
