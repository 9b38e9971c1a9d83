// Realm Core's rule: what is left over of an extent must be large enough for another block.

extension FreeSpace {
  /// Allocates from the lowest extent of exactly the size, else from the smallest of at least twice the size.
  mutating func allocateExactOrTwice(_ size: Int) -> Int? {
    let exact = index.firstFit(size)
    if index.extent(at: exact)?.size == size { return allocateFront(at: exact, size) }
    return allocateFront(at: index.firstFit(2 * size), size)
  }

  /// Allocates from the free extent at the file's end, which has just grown for it: that need not be twice as long.
  mutating func allocateInTail(_ size: Int) -> Int? {
    guard let tail, tail.end == end, tail.size >= size,
      remove(Extent(offset: tail.offset, size: size))
    else { return nil }
    return tail.offset
  }
}
