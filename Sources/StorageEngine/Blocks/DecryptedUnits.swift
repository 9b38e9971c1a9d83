// Which units of an encrypted file lie decrypted in memory, and how they leave it again while readers hold pointers into
// them. Whoever follows references *visits*: a look-up, a portion of a scan, a change, a leaf of a copy.
// Pointers are good until the visit's end. Where more lies decrypted than the limit allows, units are pendingEviction: from
// then on nobody gets in without the lock, and whoever does takes them back. What is still pendingEviction when all visits
// have ended that had begun before is cleared. Visits are counted by turns, two counters of which one is for those that
// begin now, so that readers who come and go without a pause put it off for no longer than one visit.
import Synchronization
import SystemIO

final class DecryptedUnits: @unchecked Sendable {
  /// The logical file: decrypted where it was touched.
  let plain: ReservedMemory
  /// For each unit the version that lies decrypted in `plain`; 0 where none does, or where it is pendingEviction.
  private let versions: ReservedMemory
  /// Units that may lie decrypted between visits.
  private let maxUnits: Int
  private let epoch = Atomic<Int>(0)
  private let evenReaders = Atomic<Int>(0)
  private let oddReaders = Atomic<Int>(0)
  /// There are too many, or some are pendingEviction.
  private let needsEviction = Atomic<Bool>(false)
  /// Under the file's mutex.
  private(set) var count = 0
  /// What each of the pendingEviction units holds; and the turn of the visits that may look at them.
  private var pendingEviction: [Int: UInt64] = [:]
  /// Until they have ended no other units are pendingEviction, even where all of these were taken back: the next visits
  /// share a counter with those before.
  private var drainingEpoch: Int?
  private var sweepIndex = 0

  init(capacity: Int, atLeast least: Int, maxBytes: Int) throws(SystemError) {
    plain = try ReservedMemory(atMost: capacity, atLeast: least)
    let units = plain.capacity / EncryptedLayout.unit + 1
    versions = try ReservedMemory(atMost: units * 8, atLeast: units * 8)
    maxUnits = max(64, maxBytes / EncryptedLayout.unit)
  }

  @inline(__always)
  private func state(_ unit: Int) -> UnsafeMutablePointer<Atomic<UInt64>> {
    (versions.start + unit &* 8).assumingMemoryBound(to: Atomic<UInt64>.self)
  }

  /// The version that may be looked at without the lock.
  @inline(__always)
  func version(of unit: Int) -> UInt64 { state(unit).pointee.load(ordering: .acquiring) }

  // MARK: Visits

  func enterEpoch() -> Int {
    while true {
      let now = epoch.load(ordering: .sequentiallyConsistent) & 1
      changeReaders(in: now, by: 1)
      // Whoever changes the turn looks at the counters afterwards: it has seen this one, or this look sees the change.
      if epoch.load(ordering: .sequentiallyConsistent) & 1 == now { return now }
      changeReaders(in: now, by: -1)
    }
  }

  /// Answers whether `tidy` is due.
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

  /// The unit holds what `version` wrote there; it may be looked at from now on.
  func set(_ unit: Int, _ version: UInt64) {
    if pendingEviction.removeValue(forKey: unit) == nil,
      state(unit).pointee.load(ordering: .relaxed) == 0
    {
      count += 1
      if count > maxUnits { needsEviction.store(true, ordering: .relaxed) }
    }
    state(unit).pointee.store(version, ordering: .releasing)
  }

  /// Takes the unit back where it is pendingEviction and holds that version.
  func cancelEviction(_ unit: Int, _ version: UInt64) -> Bool {
    guard pendingEviction[unit] == version else { return false }
    set(unit, version)
    return true
  }

  /// Nobody looks at these units, and what they hold is of no use.
  func discard(_ units: Range<Int>) {
    guard !units.isEmpty else { return }
    let start = EncryptedLayout.offset(of: units.lowerBound)
    plain.clear(start..<start + units.count * EncryptedLayout.unit)
    for unit in units where pendingEviction.removeValue(forKey: unit) != nil || version(of: unit) != 0 {
      state(unit).pointee.store(0, ordering: .releasing)
      count -= 1
    }
  }

  /// Clears what nobody can look at any more, and condemns what is too much of the `units` first ones. What `isKept`
  /// stays.
  func evict(_ units: Int, isDirty: (Int) -> Bool) {
    evictPending()
    if drainingEpoch == nil, count > maxUnits {
      markForEviction(count - maxUnits * 7 / 8, of: units, isDirty)
      drainingEpoch = epoch.add(1, ordering: .sequentiallyConsistent).oldValue & 1
      evictPending()
    }
    needsEviction.store(count > maxUnits || drainingEpoch != nil, ordering: .relaxed)
  }

  private func evictPending() {
    guard let draining = drainingEpoch, readers(in: draining) == 0 else { return }
    drainingEpoch = nil
    for unit in pendingEviction.keys {
      let start = EncryptedLayout.offset(of: unit)
      plain.clear(start..<start + EncryptedLayout.unit)
    }
    count -= pendingEviction.count
    pendingEviction.removeAll(keepingCapacity: true)
  }

  /// In the order in which they lie, from where the last search ended.
  private func markForEviction(_ number: Int, of units: Int, _ isDirty: (Int) -> Bool) {
    var probes = 0
    while pendingEviction.count < number, probes < units {
      sweepIndex = sweepIndex + 1 < units ? sweepIndex + 1 : 0
      probes += 1
      let held = state(sweepIndex).pointee.load(ordering: .relaxed)
      guard held != 0, !isDirty(sweepIndex) else { continue }
      pendingEviction[sweepIndex] = held
      state(sweepIndex).pointee.store(0, ordering: .releasing)
    }
  }
}

extension FileView {
  /// Until `leave` all pointers into decrypted units stay good. Nothing where the file is plain.
  @inline(__always)
  func enterEpoch() -> Int { encryptedFile?.enterEpoch() ?? 0 }

  @inline(__always)
  func leaveEpoch(_ epoch: Int) { encryptedFile?.leaveEpoch(epoch) }
}
