// Extents that commits freed and that someone may still see. Each hangs on the greatest registered version below its
// death; when that version goes, only its own list is looked at again. Nothing is scanned. Beside each list stand its
// bytes by the oldest version that keeps them: so what a pin keeps alone, and what together with others, is added up
// from a few sums, whatever the number of extents. See RetiredExtents+Invariants.swift.

/// An extent that lived from `birth` to before `death`.
struct RetiredExtent {
  var offset: Int
  var size: Int
  var birth: UInt64
  var death: UInt64
  var extent: Extent { Extent(offset: offset, size: size) }
}

/// What is kept for a registered version.
struct RetainedBytes: Equatable {
  var version: UInt64
  var holders: Int
  /// Kept for this version and no other.
  var alone = 0
  /// Kept for this version and at least one other.
  var together = 0
}

struct RetiredExtents {
  /// Bytes of a version's list that no registered version older than `first` keeps.
  private struct Share {
    var first: UInt64
    var bytes: Int
  }

  private struct Version {
    let number: UInt64
    var holders: Int
    var extents = RawList<RetiredExtent>(capacity: 16)
    /// Ascending; together the bytes of `extents`.
    var shares: [Share] = []

    /// The first place whose share begins at or after `first`.
    private func place(_ first: UInt64) -> Int {
      // New shares are nearly always for the last version, or for the same as the share before.
      var place = shares.count
      while place > 0, shares[place - 1].first >= first { place -= 1 }
      return place
    }

    mutating func add(_ bytes: Int, first: UInt64) {
      let place = place(first)
      if place < shares.count, shares[place].first == first {
        shares[place].bytes += bytes
      } else {
        shares.insert(Share(first: first, bytes: bytes), at: place)
      }
    }

    /// `gone` is registered no more: what it was the first to keep, `next` is.
    mutating func rename(_ gone: UInt64, to next: UInt64) {
      let place = place(gone)
      guard place < shares.count, shares[place].first == gone else { return }
      let bytes = shares.remove(at: place).bytes
      add(bytes, first: next)
    }
  }

  let reclamation: DatabaseOptions.Reclamation
  /// The registered versions, ascending.
  private var versions: [Version] = []
  /// Bytes of all extents that are kept.
  private(set) var bytes = 0

  init(_ reclamation: DatabaseOptions.Reclamation) { self.reclamation = reclamation }

  /// As it would be had these versions been registered all the while, each as often as it is given; `extents` are what
  /// `RecordChain.space(keeping:)` found to be kept for them.
  init(
    _ reclamation: DatabaseOptions.Reclamation, registered: [UInt64], extents: [RetiredExtent]
  ) {
    self.reclamation = reclamation
    for version in registered.sorted() { register(version) }
    for extent in extents {
      guard let index = versions.lastIndex(where: { $0.number < extent.death }) else {
        preconditionFailure("An extent is kept for a version that is not registered (RETIRED-2).")
      }
      keep(extent, at: index)
    }
  }

  func deallocate() { for version in versions { version.extents.deallocate() } }

  var registered: [UInt64] { versions.map(\.number) }
  var registeredCount: Int { versions.count }
  var oldest: UInt64? { versions.first?.number }
  var isEmpty: Bool { versions.isEmpty }

  /// Registers a holder of the newest version, or of one that is registered.
  mutating func register(_ version: UInt64) {
    if let index = versions.lastIndex(where: { $0.number <= version }) {
      guard versions[index].number < version else {
        versions[index].holders += 1
        return
      }
      precondition(index == versions.count - 1, "An old version is pinned (RETIRED-1).")
    } else {
      precondition(versions.isEmpty, "An old version is pinned (RETIRED-1).")
    }
    versions.append(Version(number: version, holders: 1))
  }

  /// Sets how many hold a version: the newest, or one that is registered. With 0 it is registered no more, and the extents
  /// that nobody sees then are appended to `freed`.
  mutating func setHolders(of version: UInt64, _ holders: Int, freed: inout RawList<Extent>) {
    if holders == 0 {
      guard let index = versions.firstIndex(where: { $0.number == version }) else { return }
      versions[index].holders = 1
      release(version, freed: &freed)
    } else {
      register(version)
      let index = versions.lastIndex { $0.number == version }!
      versions[index].holders = holders
    }
  }

  /// Keeps an extent that the newest commit freed, or answers that nobody sees it.
  mutating func retire(_ extent: RetiredExtent) -> Bool {
    guard let last = versions.indices.last else { return false }
    guard reclamation == .oldestReader || extent.birth <= versions[last].number else {
      return false
    }
    keep(extent, at: last)
    return true
  }

  private mutating func keep(_ extent: RetiredExtent, at index: Int) {
    versions[index].extents.append(extent)
    versions[index].add(extent.size, first: firstKeeper(of: extent))
    bytes += extent.size
  }

  /// The oldest registered version that the extent, which is kept, is kept for.
  private func firstKeeper(of extent: RetiredExtent) -> UInt64 {
    guard reclamation == .exact else { return versions[0].number }
    var low = 0
    var high = versions.count
    while low < high {
      let middle = (low + high) / 2
      if versions[middle].number < extent.birth { low = middle + 1 } else { high = middle }
    }
    return versions[low].number
  }

  /// Ends one registration; the extents that nobody sees any more are appended to `freed`.
  mutating func release(_ version: UInt64, freed: inout RawList<Extent>) {
    guard let index = versions.firstIndex(where: { $0.number == version }) else {
      preconditionFailure("A version is released that is not registered (RETIRED-1).")
    }
    versions[index].holders -= 1
    guard versions[index].holders == 0 else { return }
    let gone = versions.remove(at: index)
    defer { gone.extents.deallocate() }
    if index < versions.count {
      let next = versions[index].number
      for younger in index..<versions.count { versions[younger].rename(version, to: next) }
    }
    for extent in gone.extents.buffer {
      if index > 0, reclamation == .oldestReader || extent.birth <= versions[index - 1].number {
        versions[index - 1].extents.append(extent)
      } else {
        bytes -= extent.size
        freed.append(extent.extent)
      }
    }
    guard index > 0 else { return }
    for share in gone.shares where share.first < version {
      versions[index - 1].add(share.bytes, first: share.first)
    }
  }

  /// What is kept for each registered version, oldest first: an extent is kept for every version from the first that
  /// keeps it to the one that it hangs on. Costs a step for each pair of those that has bytes; at most n(n+1)/2 for n
  /// versions, and about 2 n where few commits lie between them.
  func retained() -> [RetainedBytes] {
    var all = versions.map { RetainedBytes(version: $0.number, holders: $0.holders) }
    var begins = [Int](repeating: 0, count: all.count)
    var ends = begins
    for (index, version) in versions.enumerated() {
      var first = 0
      for share in version.shares {
        while versions[first].number < share.first { first += 1 }
        if first == index {
          all[index].alone = share.bytes
        } else {
          begins[first] += share.bytes
          ends[index] += share.bytes
        }
      }
    }
    var together = 0
    for index in all.indices {
      together += begins[index]
      all[index].together = together
      together -= ends[index]
    }
    return all
  }

  func visit(_ body: (RetiredExtent) -> Void) {
    for version in versions {
      for extent in version.extents.buffer { body(extent) }
    }
  }

  func visitVersions(_ body: (UInt64, UnsafeMutableBufferPointer<RetiredExtent>) -> Void) {
    for version in versions { body(version.number, version.extents.buffer) }
  }
}
