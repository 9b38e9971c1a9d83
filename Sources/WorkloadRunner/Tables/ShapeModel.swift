// What the rows of a table with a shape must have besides their bytes: the runner's own record, from which it takes what a
// change replaces, and with which the database is compared.
import EngineInterface

/// The parts of all rows of a table. A copy is restored where a transaction is refused.
struct ShapeModel: Sendable {
  /// The targets of each row's links, ascending.
  private(set) var links: [Int64: [Int64]] = [:]
  /// The rows that link to each row, ascending.
  private(set) var sources: [Int64: [Int64]] = [:]
  /// The positions of the elements of each list. Positions ascend from 0 and are never used again.
  private(set) var lists: [Int64: Range<Int64>] = [:]
  private(set) var columns: [Int64: [Int64]] = [:]
  /// A digest of the embedded objects of each row.
  private(set) var trees: [Int64: UInt64] = [:]

  /// Whether there is such a row.
  func contains(_ key: Int64) -> Bool {
    links[key] != nil || lists[key] != nil || columns[key] != nil || trees[key] != nil
  }

  /// Enters a row that was written with these parts.
  mutating func put(_ key: Int64, _ parts: RowParts) {
    switch parts {
    case .links(let targets):
      for target in links[key] ?? [] { sources[target]?.removeSorted(key) }
      links[key] = targets.sorted()
      for target in targets { sources[target, default: []].insertSorted(key) }
    case .list: if lists[key] == nil { lists[key] = 0..<0 }
    case .columns(let values): columns[key] = values
    case .tree(let nodes): trees[key] = Self.digest(nodes)
    }
  }

  /// Removes a row, and it from the links of others.
  mutating func remove(_ key: Int64) {
    for source in sources.removeValue(forKey: key) ?? [] { links[source]?.removeSorted(key) }
    for target in links.removeValue(forKey: key) ?? [] { sources[target]?.removeSorted(key) }
    lists[key] = nil
    columns[key] = nil
    trees[key] = nil
  }

  /// Appends an element to the row's list, and returns its position.
  mutating func append(_ key: Int64) -> Int64 {
    let range = lists[key] ?? 0..<0
    lists[key] = range.lowerBound..<range.upperBound + 1
    return range.upperBound
  }

  /// Removes the first element of the row's list, and returns its position; nil for an empty list.
  mutating func removeFirst(_ key: Int64) -> Int64? {
    guard let range = lists[key], !range.isEmpty else { return nil }
    lists[key] = range.lowerBound + 1..<range.upperBound
    return range.lowerBound
  }

  /// Returns the element at a position of a row's list: the same in every run.
  static func element(_ key: Int64, at position: Int64) -> Int64 {
    let mixed = UInt64(bitPattern: key &* 0x9E37_79B9 &+ position) &* 0xD6E8_FEB8_6659_FD93
    return Int64(mixed >> 33)
  }

  /// Returns the FNV-1a hash of the embedded objects, in order.
  static func digest(_ nodes: [[UInt8]]) -> UInt64 {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for node in nodes {
      hash = (hash ^ UInt64(node.count)) &* 0x100_0000_01b3
      for byte in node { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    }
    return hash
  }
}

extension [Int64] {
  /// The index of the first element that is not less than `value`.
  private func lowerBound(_ value: Int64) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if self[middle] < value { low = middle + 1 } else { high = middle }
    }
    return low
  }

  fileprivate mutating func insertSorted(_ value: Int64) {
    insert(value, at: lowerBound(value))
  }

  fileprivate mutating func removeSorted(_ value: Int64) {
    let index = lowerBound(value)
    if index < count, self[index] == value { remove(at: index) }
  }
}
