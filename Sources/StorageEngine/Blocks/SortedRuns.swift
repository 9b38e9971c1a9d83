// Sorts the short lists of a commit: a few ascending runs, one behind the other.

extension UnsafeMutableBufferPointer {
  /// The maximum number of elements that are sorted by insertion.
  private static var maxInsertions: Int { 64 }

  /// Sorts the elements by a number. Those of equal numbers may change places. A few dozen, most of them in order, are
  /// sorted by insertion: the sort of the standard library allocates memory, which took a fiftieth of a small commit.
  @inline(__always)
  mutating func sortRuns(by key: (Element) -> Int) {
    guard count <= Self.maxInsertions else { return sort { key($0) < key($1) } }
    for index in indices.dropFirst() {
      let element = self[index]
      let number = key(element)
      var target = index
      while target > 0, key(self[target - 1]) > number {
        self[target] = self[target - 1]
        target -= 1
      }
      self[target] = element
    }
  }
}
