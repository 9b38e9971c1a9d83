// Extents that commits freed and that snapshots still pin. Each is in the list of the greatest registered version below
// its death. When that version is unregistered, only its own list is examined; nothing is scanned. Each list also has
// its bytes by the oldest version that pins them, so that the exclusive and shared bytes of a pin are computed from a
// few sums, whatever the number of extents. See DeferredFreeExtents+Invariants.swift.

/// The bytes that a registered version pins.
struct RetainedBytes: Equatable {
  var version: UInt64
  var holderCount: Int
  /// Pinned by this version and no other.
  var exclusive = 0
  /// Pinned by this version and at least one other.
  var shared = 0
}

struct DeferredFreeExtents: ~Copyable {
  /// Bytes in a version's list whose oldest pinning version is `oldestHolder`.
  struct Bucket {
    var oldestHolder: UInt64
    var bytes: Int
  }

  // Not private, for the reason stated at SizeIndex.Word.
  struct Version: ~Copyable {
    let number: UInt64
    var holderCount: Int
    var extents = DeferredFreeList()
    /// In ascending order; their sum is the bytes of `extents`. Most versions have none.
    var buckets = UniqueList<Bucket>(capacity: 0)

    init(_ number: UInt64) { (self.number, holderCount) = (number, 1) }

    /// Returns the index of the first bucket whose oldest holder is not less than `oldestHolder`.
    private func bucketIndex(_ oldestHolder: UInt64) -> Int {
      // Nearly always the last bucket, or a new one after it.
      var index = buckets.count
      while index > 0, buckets[index - 1].oldestHolder >= oldestHolder { index -= 1 }
      return index
    }

    mutating func add(_ bytes: Int, oldestHolder: UInt64) {
      let index = bucketIndex(oldestHolder)
      if index < buckets.count, buckets[index].oldestHolder == oldestHolder {
        buckets[index].bytes += bytes
      } else {
        buckets.insert(Bucket(oldestHolder: oldestHolder, bytes: bytes), at: index)
      }
    }

    /// Moves the bytes whose oldest holder was `removed`, which is no longer registered, to `next`.
    mutating func reassign(_ removed: UInt64, to next: UInt64) {
      let index = bucketIndex(removed)
      guard index < buckets.count, buckets[index].oldestHolder == removed else { return }
      let bytes = buckets.remove(at: index).bytes
      add(bytes, oldestHolder: next)
    }
  }

  let reclamation: DatabaseOptions.Reclamation
  /// The registered versions in ascending order.
  private var versions = UniqueList<Version>()
  private(set) var pool = DeferredFreeList.makePool()
  /// The free chunks that a pool retains in any case: those of a few commits.
  private static let retainedChunks = 64
  /// The sum of all extents.
  private(set) var bytes = 0
  private let passedByAddress = PassedByAddress()

  init(_ reclamation: DatabaseOptions.Reclamation) { self.reclamation = reclamation }

  /// Creates the state that would have resulted had these versions been registered all the time. `pinned` are the extents
  /// that `RecordChain.freeSpace(pinnedBy:)` found to be pinned by them.
  init(
    _ reclamation: DatabaseOptions.Reclamation, registered: borrowing RegisteredVersions,
    pinned: borrowing PinnedExtents
  ) {
    self.reclamation = reclamation
    for index in 0..<registered.count { setHolderCount(of: registered[index]) }
    pinned.enumerate { extent in
      let count = versionCount(below: extent.death)
      precondition(
        count > 0, "An extent is pinned by a version that is not registered (DEFERRED-2).")
      append(extent, at: count - 1)
    }
  }

  var registered: [UInt64] { (0..<versions.count).map { versions[$0].number } }
  var registeredCount: Int { versions.count }
  var isEmpty: Bool { versions.isEmpty }
  var extentCount: Int { (0..<versions.count).reduce(0) { $0 + versions[$1].extents.count } }

  /// Registers a holder of a version: the newest, or one that is registered already.
  mutating func register(_ version: UInt64) {
    let index = versionCount(below: version)
    if index < versions.count, versions[index].number == version {
      versions[index].holderCount += 1
    } else {
      precondition(index == versions.count, "An old version is pinned (DEFERRED-1).")
      versions.append(Version(version))
    }
  }

  /// Unregisters the versions that `found` does not have; the extents that no other version pins then are appended to
  /// `freed`. Registers the newest version if `found` has it, and takes the numbers of holders over. What else `found` has
  /// is ignored.
  mutating func synchronize(
    with found: borrowing RegisteredVersions, newest: UInt64, freed: inout UniqueList<Extent>
  ) {
    var index = 0
    while index < versions.count {
      let version = versions[index].number
      if found.contains(version) {
        index += 1
      } else {
        versions[index].holderCount = 1
        unregister(version, freed: &freed)
      }
    }
    for index in 0..<found.count
    where found[index].number == newest || self.index(of: found[index].number) != nil {
      setHolderCount(of: found[index])
    }
  }

  /// Sets the number of holders of a version: the newest, or one that is registered.
  private mutating func setHolderCount(of version: RegisteredVersion) {
    precondition(version.holders > 0, "A registered version has a holder (DEFERRED-1).")
    register(version.number)
    guard let index = self.index(of: version.number) else {
      preconditionFailure("A version that was just registered is registered (DEFERRED-1).")
    }
    versions[index].holderCount = version.holders
  }

  /// Returns the number of registered versions below this one.
  private func versionCount(below version: UInt64) -> Int {
    versions.prefixCount { $0.number < version }
  }

  private func index(of version: UInt64) -> Int? {
    let index = versionCount(below: version)
    return index < versions.count && versions[index].number == version ? index : nil
  }

  /// Defers the free of an extent that the newest commit freed. Returns false if no registered version pins it, so that
  /// it is free at once.
  mutating func deferFree(_ extent: DeferredFreeExtent) -> Bool {
    guard !versions.isEmpty else { return false }
    let last = versions.count - 1
    // DEFERRED-3: a version that is older than the extent does not pin it.
    guard reclamation == .oldestReader || extent.birth <= versions[last].number else {
      return false
    }
    append(extent, at: last)
    return true
  }

  private mutating func append(_ extent: DeferredFreeExtent, at index: Int) {
    versions[index].extents.append(extent, &pool)
    // DEFERRED-4 and DEFERRED-5: the sums of the version and of all change with each extent.
    versions[index].add(extent.size, oldestHolder: oldestHolder(of: extent))
    bytes += extent.size
  }

  /// Returns the oldest registered version that pins the extent, which is pinned.
  private func oldestHolder(of extent: DeferredFreeExtent) -> UInt64 {
    guard reclamation == .exact else { return versions[0].number }
    return versions[versionCount(below: extent.birth)].number
  }

  /// Removes one holder of a version; the extents that no version pins any more are appended to `freed`.
  mutating func unregister(_ version: UInt64, freed: inout UniqueList<Extent>) {
    guard let index = self.index(of: version) else {
      preconditionFailure("A version that is not registered is unregistered (DEFERRED-1).")
    }
    versions[index].holderCount -= 1
    guard versions[index].holderCount == 0 else { return }
    let removed = versions.remove(at: index)
    if index < versions.count {
      let next = versions[index].number
      for younger in index..<versions.count { versions[younger].reassign(version, to: next) }
    }
    removed.extents.enumerate {
      let extent = $0.pointee
      if index > 0, reclamation == .oldestReader || extent.birth <= versions[index - 1].number {
        versions[index - 1].extents.append(extent, &pool)
      } else {
        bytes -= extent.size
        freed.append(extent.extent)
      }
    }
    removed.extents.deallocate(to: &pool)
    shrinkPool()
    guard index > 0 else { return }
    for bucket in removed.buckets.buffer where bucket.oldestHolder < version {
      versions[index - 1].add(bucket.bytes, oldestHolder: bucket.oldestHolder)
    }
  }

  /// Moves the lists to another pool if a long one has ended, whose chunks would stay with this one.
  private mutating func shrinkPool() {
    guard pool.freeCount > Self.retainedChunks, pool.freeCount > 3 * pool.usedCount else { return }
    var smaller = DeferredFreeList.makePool()
    for index in 0..<versions.count {
      var list = DeferredFreeList()
      versions[index].extents.enumerate { list.append($0.pointee, &smaller) }
      versions[index].extents = list
    }
    pool = smaller
  }

  /// Returns the pinned bytes of each registered version, oldest first. An extent is pinned by every version from its
  /// oldest holder to the one whose list it is in. Takes one step for each pair of those with bytes: at most n(n+1)/2
  /// for n versions, and about 2 n if few commits lie between them.
  func retainedBytes() -> [RetainedBytes] {
    var all = (0..<versions.count).map {
      RetainedBytes(version: versions[$0].number, holderCount: versions[$0].holderCount)
    }
    var begins = [Int](repeating: 0, count: all.count)
    var ends = begins
    for index in all.indices {
      var first = 0
      for bucket in versions[index].buckets.buffer {
        while versions[first].number < bucket.oldestHolder { first += 1 }
        if first == index {
          all[index].exclusive = bucket.bytes
        } else {
          begins[first] += bucket.bytes
          ends[index] += bucket.bytes
        }
      }
    }
    var shared = 0
    for index in all.indices {
      shared += begins[index]
      all[index].shared = shared
      shared -= ends[index]
    }
    return all
  }

  func enumerate(_ body: (DeferredFreeExtent) -> Void) {
    enumerateByVersion { _, extent in body(extent.pointee) }
  }

  /// Calls `body` with the version of each list and the address of each extent in it.
  func enumerateByVersion(_ body: (UInt64, UnsafeMutablePointer<DeferredFreeExtent>) -> Void) {
    for index in 0..<versions.count {
      let version = versions[index].number
      versions[index].extents.enumerate { body(version, $0) }
    }
  }
}
