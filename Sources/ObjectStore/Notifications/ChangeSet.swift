// Which elements of a sequence were deleted and inserted on the way to another one.

/// The indices of a collection's changes.
struct ChangeSet: Equatable {
  /// In the collection before.
  var deletions: [Int] = []
  /// In the collection after; as are modifications.
  var insertions: [Int] = []
  var modifications: [Int] = []

  var isEmpty: Bool { deletions.isEmpty && insertions.isEmpty && modifications.isEmpty }
}

extension ChangeSet {
  /// Compares both sequences at a cost of n log n. The elements that stay are a longest increasing subsequence: equal elements
  /// are paired in order.
  init<Element: Hashable>(from before: [Element], to after: [Element]) {
    var first = 0
    while first < Swift.min(before.count, after.count), before[first] == after[first] { first += 1 }
    var (oldEnd, newEnd) = (before.count, after.count)
    while oldEnd > first, newEnd > first, before[oldEnd - 1] == after[newEnd - 1] {
      oldEnd -= 1
      newEnd -= 1
    }
    var oldIndices: [Element: [Int]] = [:]
    for index in (first..<oldEnd).reversed() {
      oldIndices[before[index], default: []].append(index)
    }
    let pairs = (first..<newEnd).compactMap { index in
      oldIndices[after[index]]?.popLast().map { (old: $0, new: index) }
    }
    var (keptOld, keptNew) = (Set<Int>(), Set<Int>())
    for index in Self.longestIncreasing(pairs.map(\.old)) {
      keptOld.insert(pairs[index].old)
      keptNew.insert(pairs[index].new)
    }
    deletions = (first..<oldEnd).filter { !keptOld.contains($0) }
    insertions = (first..<newEnd).filter { !keptNew.contains($0) }
  }

  /// Compares all keys of both collections.
  init(from before: [RowKey], to after: [RowKey], modified: Set<RowKey>) {
    self.init(from: before, to: after)
    addModifications(after) { modified.contains($0) }
  }

  /// Adds the elements that were not inserted and are modified.
  mutating func addModifications<Element>(
    _ after: [Element], _ isModified: (Element) -> Bool
  ) {
    let known = Set(insertions + modifications)
    modifications += after.indices.filter { !known.contains($0) && isModified(after[$0]) }
    modifications.sort()
  }

  /// Makes a deletion and an insertion between the same two elements that stay one modification: an element was replaced.
  mutating func pairReplacements() {
    var (old, new) = ([Int](), [Int]())
    var (deletion, insertion) = (0, 0)
    while deletion < deletions.count, insertion < insertions.count {
      // As many elements that stay before the one as before the other.
      let keptBeforeOld = deletions[deletion] - deletion
      let keptBeforeNew = insertions[insertion] - insertion
      if keptBeforeOld == keptBeforeNew {
        modifications.append(insertions[insertion])
        deletion += 1
        insertion += 1
      } else if keptBeforeOld < keptBeforeNew {
        old.append(deletions[deletion])
        deletion += 1
      } else {
        new.append(insertions[insertion])
        insertion += 1
      }
    }
    deletions = old + deletions[deletion...]
    insertions = new + insertions[insertion...]
    modifications.sort()
  }

  /// Returns the indices of a longest increasing subsequence of distinct numbers.
  private static func longestIncreasing(_ numbers: [Int]) -> [Int] {
    // The index of the least number that ends a subsequence of each length, and each number's predecessor.
    var ends: [Int] = []
    var predecessors = Array(repeating: -1, count: numbers.count)
    for (index, number) in numbers.enumerated() {
      var (low, high) = (0, ends.count)
      while low < high {
        let middle = (low + high) / 2
        if numbers[ends[middle]] < number { low = middle + 1 } else { high = middle }
      }
      if low > 0 { predecessors[index] = ends[low - 1] }
      if low == ends.count { ends.append(index) } else { ends[low] = index }
    }
    var found: [Int] = []
    var next = ends.last ?? -1
    while next >= 0 {
      found.append(next)
      next = predecessors[next]
    }
    return found.reversed()
  }
}
