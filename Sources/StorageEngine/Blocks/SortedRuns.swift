// Sorts the lists of a commit: ascending runs, one behind the other.

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

extension UniqueList where Element: BitwiseCopyable {
  /// Sorts the elements by a number; those of equal numbers keep their order. Runs that are next to each other are merged
  /// until there is one (natural merge sort: Knuth, The Art of Computer Programming 3, 5.2.4), in memory like that of the
  /// list: the sort of the standard library takes an array.
  mutating func sort(by key: (Element) -> Int) {
    guard runEnd(from: 0, by: key) < count else { return }
    var merged = UniqueList(capacity: count)
    repeat {
      merged.removeAll()
      while merged.count < count { merged.appendMergedRuns(of: self, by: key) }
      swap(&self, &merged)
    } while runEnd(from: 0, by: key) < count
  }

  /// Returns the index behind the ascending run that begins at `start`.
  private func runEnd(from start: Int, by key: (Element) -> Int) -> Int {
    var end = start
    while end < count, end == start || key(self[end - 1]) <= key(self[end]) { end += 1 }
    return end
  }

  /// Appends the next two runs of `other` merged. The elements before them were appended.
  private mutating func appendMergedRuns(
    of other: borrowing UniqueList<Element>, by key: (Element) -> Int
  ) {
    var first = count
    let firstEnd = other.runEnd(from: first, by: key)
    var second = firstEnd
    let end = other.runEnd(from: second, by: key)
    while first < firstEnd || second < end {
      let takesFirst =
        second == end || first < firstEnd && key(other[first]) <= key(other[second])
      append(other[takesFirst ? first : second])
      if takesFirst { first += 1 } else { second += 1 }
    }
  }
}
