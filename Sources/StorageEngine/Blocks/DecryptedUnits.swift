// The units of an encrypted file that are decrypted in memory, and their eviction while readers hold pointers into
// them. Code that follows references enters the current *epoch* first, and leaves it after one look-up, one batch of a
// scan, one change, or one leaf of a copy. Pointers are valid in between. When more units are decrypted than the limit
// allows, some are marked for eviction: they are then no longer found without the mutex, and an access under it cancels
// the eviction. Units still marked when all readers have left the epochs that began earlier are evicted. Readers are
// counted in two counters, for even and odd epochs, so that a continuous stream of readers delays the eviction by no
// more than one of these steps. (This is epoch-based reclamation with two epochs.)
import Synchronization
import SystemIO

final class DecryptedUnits: @unchecked Sendable {
  /// The logical file, decrypted where it was accessed.
  let plain: ReservedMemory
  private let layout: EncryptedLayout
  /// For each unit the version whose contents are decrypted in `plain`; 0 if none are, or if the unit is marked for
  /// eviction.
  private let versions: ReservedMemory
  /// The maximum number of pages in which units stay decrypted between epochs.
  private let maxPages: Int
  private let epoch = Atomic<Int>(0)
  private let evenReaders = Atomic<Int>(0)
  private let oddReaders = Atomic<Int>(0)
  /// Whether there are too many decrypted units, or some are marked for eviction.
  private let needsEviction = Atomic<Bool>(false)
  /// The number of pages of memory with decrypted units. Under the file's mutex.
  private var pages = 0
  /// The units marked for eviction, with the version of their contents.
  private var pendingEviction: [Int: UInt64] = [:]
  /// The parity of the epochs that must end before the marked units are evicted. Until then no other units are marked,
  /// even if all evictions were canceled: the next epochs but one share a counter with these.
  private var drainingEpoch: Int?
  private var sweepPage = 0
  /// Up to here memory is taken in large pages.
  private var largePagesEnd = 0

  init(
    _ layout: EncryptedLayout, capacity: Int, atLeast least: Int, maxBytes: Int
  ) throws(SystemError) {
    self.layout = layout
    plain = try ReservedMemory(atMost: capacity, atLeast: least)
    let units = plain.capacity / layout.unit + 1
    versions = try ReservedMemory(atMost: units * 8, atLeast: units * 8)
    maxPages = max(64, maxBytes / Layout.pageSize)
  }

  @inline(__always)
  private func state(_ unit: Int) -> UnsafeMutablePointer<Atomic<UInt64>> {
    (versions.start + unit &* 8).assumingMemoryBound(to: Atomic<UInt64>.self)
  }

  /// The version whose contents may be read without the mutex.
  @inline(__always)
  func version(of unit: Int) -> UInt64 { state(unit).pointee.load(ordering: .acquiring) }

  // MARK: Epochs

  func enterEpoch() -> Int {
    while true {
      let now = epoch.load(ordering: .sequentiallyConsistent) & 1
      changeReaders(in: now, by: 1)
      // A thread that advances the epoch reads the counters afterwards. So either it sees this increment, or the second
      // load here sees the new epoch.
      if epoch.load(ordering: .sequentiallyConsistent) & 1 == now { return now }
      changeReaders(in: now, by: -1)
    }
  }

  /// Leaves the epoch. Returns whether `evict` is due.
  func leaveEpoch(_ epoch: Int) -> Bool {
    changeReaders(in: epoch, by: -1)
    return needsEviction.load(ordering: .relaxed)
  }

  private func changeReaders(in epoch: Int, by number: Int) {
    if epoch == 0 {
      evenReaders.add(number, ordering: .sequentiallyConsistent)
    } else {
      oddReaders.add(number, ordering: .sequentiallyConsistent)
    }
  }

  private func readers(in epoch: Int) -> Int {
    epoch == 0
      ? evenReaders.load(ordering: .sequentiallyConsistent)
      : oddReaders.load(ordering: .sequentiallyConsistent)
  }

  // MARK: Under the file's mutex

  /// The bytes of memory that hold decrypted units.
  var bytes: Int { pages * Layout.pageSize }

  /// Returns whether no reader can have a pointer into the unit: it is not decrypted, nor marked for eviction.
  func isVacant(_ unit: Int) -> Bool {
    version(of: unit) == 0 && (pendingEviction.isEmpty || pendingEviction[unit] == nil)
  }

  /// Records that the unit holds the contents of `version`; from here on it may be read without the mutex.
  func set(_ unit: Int, _ version: UInt64) {
    if isVacant(unit) {
      if isPageVacant(page(of: unit)) { pages += 1 }
      if pages > maxPages { needsEviction.store(true, ordering: .relaxed) }
    } else if !pendingEviction.isEmpty {
      pendingEviction[unit] = nil
    }
    state(unit).pointee.store(version, ordering: .releasing)
  }

  /// Cancels the eviction of the unit if it is marked and holds that version. Returns whether it did.
  func cancelEviction(_ unit: Int, _ version: UInt64) -> Bool {
    guard !pendingEviction.isEmpty, pendingEviction[unit] == version else { return false }
    set(unit, version)
    return true
  }

  /// Discards the contents of units that no reader uses and whose contents are obsolete.
  func discard(_ units: Range<Int>) {
    guard let last = units.last else { return }
    // Adjacent pages are released together.
    var released = page(of: units.lowerBound)..<page(of: units.lowerBound)
    for page in page(of: units.lowerBound)...page(of: last) {
      let wasVacant = isPageVacant(page)
      let discarded = self.units(of: page).clamped(to: units)
      for unit in discarded { vacate(unit) }
      if isPageVacant(page) {
        if !wasVacant { pages -= 1 }
        released = released.lowerBound..<page + 1
      } else {
        clear(discarded)
        release(released)
        released = page + 1..<page + 1
      }
    }
    release(released)
  }

  private func vacate(_ unit: Int) {
    if !pendingEviction.isEmpty { pendingEviction[unit] = nil }
    if version(of: unit) != 0 { state(unit).pointee.store(0, ordering: .releasing) }
  }

  private func clear(_ units: Range<Int>) {
    plain.clear(layout.offset(of: units.lowerBound)..<layout.offset(of: units.upperBound))
  }

  private func release(_ pages: Range<Int>) {
    guard !pages.isEmpty else { return }
    clear(units(of: pages.lowerBound).lowerBound..<units(of: pages.upperBound).lowerBound)
  }

  /// Evicts the marked units that no reader can access any more, and marks others among the first `units` while there
  /// are too many. Dirty units are not evicted.
  func evict(_ units: Int, isDirty: (Int) -> Bool) {
    evictPending()
    if drainingEpoch == nil, pages > maxPages {
      markForEviction(pages - maxPages * 7 / 8, of: units, isDirty)
      drainingEpoch = epoch.add(1, ordering: .sequentiallyConsistent).oldValue & 1
      evictPending()
    }
    needsEviction.store(pages > maxPages || drainingEpoch != nil, ordering: .relaxed)
  }

  private func evictPending() {
    guard let draining = drainingEpoch, readers(in: draining) == 0 else { return }
    drainingEpoch = nil
    let evicted = pendingEviction.keys.sorted()
    var from = 0
    while from < evicted.count {
      var to = from + 1
      while to < evicted.count, evicted[to] == evicted[to - 1] + 1 { to += 1 }
      discard(evicted[from]..<evicted[to - 1] + 1)
      from = to
    }
  }

  /// Marks the units of this many pages, in the order of their offsets, from where the last search ended.
  private func markForEviction(_ number: Int, of units: Int, _ isDirty: (Int) -> Bool) {
    let end = units > 0 ? page(of: units - 1) + 1 : 0
    var marked = 0
    var probes = 0
    while marked < number, probes < end {
      sweepPage = sweepPage + 1 < end ? sweepPage + 1 : 0
      probes += 1
      guard !isPageVacant(sweepPage), !self.units(of: sweepPage).contains(where: isDirty) else {
        continue
      }
      for unit in self.units(of: sweepPage) {
        let held = state(unit).pointee.load(ordering: .relaxed)
        guard held != 0 else { continue }
        pendingEviction[unit] = held
        state(unit).pointee.store(0, ordering: .releasing)
      }
      marked += 1
    }
  }

  // MARK: Pages of memory

  private func page(of unit: Int) -> Int {
    (layout.offset(of: unit) - Layout.blocksStart) / Layout.pageSize
  }

  private func units(of page: Int) -> Range<Int> {
    let start = Layout.blocksStart + page * Layout.pageSize
    return layout.unit(of: start)..<layout.unit(of: start + Layout.pageSize)
  }

  private func isPageVacant(_ page: Int) -> Bool { units(of: page).allSatisfy(isVacant) }

  private static let largePage = 1 << 21

  /// Takes the memory for a file of this length in large pages if all of it may stay decrypted: a fault for each small
  /// page takes longer than decrypting it. A file of less than two large pages would waste most of one.
  func chooseLargePages(forFileOf end: Int) {
    let fits = end >= 2 * Self.largePage && end <= maxPages * Layout.pageSize
    let newEnd = fits ? end & ~(Self.largePage - 1) : 0
    if newEnd > largePagesEnd {
      plain.useLargePages(true, in: largePagesEnd..<newEnd)
    } else if newEnd < largePagesEnd {
      plain.useLargePages(false, in: newEnd..<largePagesEnd)
    }
    largePagesEnd = newEnd
  }
}

extension FileView {
  /// Enters an epoch: until `leaveEpoch`, pointers into decrypted units stay valid. Does nothing for a plain file.
  @inline(__always)
  func enterEpoch() -> Int { encryptedFile?.enterEpoch() ?? 0 }

  @inline(__always)
  func leaveEpoch(_ epoch: Int) { encryptedFile?.leaveEpoch(epoch) }
}
