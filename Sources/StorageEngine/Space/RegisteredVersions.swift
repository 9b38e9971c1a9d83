// The versions that must stay readable, with the number of holders of each: the readers of all sessions, as the reader table
// has them at one moment, and savepoints.

/// A version that snapshots or savepoints hold.
struct RegisteredVersion: BitwiseCopyable, Equatable {
  var number: UInt64
  var holders: Int
}

struct RegisteredVersions: ~Copyable {
  private var list = UniqueList<RegisteredVersion>(capacity: 64)
  /// Whether a reader is still loading its roots from the file.
  var isLoading = false

  init() {}

  /// Creates the list with one holder for each version, which may repeat.
  init(_ versions: some Sequence<UInt64>) {
    for version in versions { add(version) }
  }

  var count: Int { list.count }

  /// In ascending order.
  subscript(index: Int) -> RegisteredVersion { list[index] }

  /// Removes all versions. The memory is retained.
  mutating func removeAll() {
    list.removeAll()
    isLoading = false
  }

  /// Adds one holder of a version.
  mutating func add(_ version: UInt64) {
    let index = count(below: version)
    if index < list.count, list[index].number == version {
      list[index].holders += 1
    } else {
      list.insert(RegisteredVersion(number: version, holders: 1), at: index)
    }
  }

  /// Removes one holder of a version.
  mutating func removeHolder(of version: UInt64) {
    let index = count(below: version)
    precondition(
      index < list.count && list[index].number == version,
      "A version that loses a holder is registered (SPACE-4).")
    list[index].holders -= 1
    if list[index].holders == 0 { _ = list.remove(at: index) }
  }

  /// Removes the versions above this one.
  mutating func removeVersions(above version: UInt64) {
    while let last = list.last, last.number > version { _ = list.popLast() }
  }

  func contains(_ version: UInt64) -> Bool {
    let index = count(below: version)
    return index < list.count && list[index].number == version
  }

  /// Returns the number of versions below this one.
  func count(below version: UInt64) -> Int {
    list.prefixCount { $0.number < version }
  }

  /// Returns the versions below this one, in ascending order.
  func numbers(below version: UInt64) -> [UInt64] {
    (0..<count(below: version)).map { list[$0].number }
  }
}
