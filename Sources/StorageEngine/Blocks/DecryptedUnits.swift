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
  /// For each unit the version whose contents are decrypted in `plain`; 0 if none are, or if the unit is marked for
  /// eviction.
  private let versions: ReservedMemory
  /// The maximum number of units that stay decrypted between epochs.
  private let maxUnits: Int
  private let epoch = Atomic<Int>(0)
  private let evenReaders = Atomic<Int>(0)
  private let oddReaders = Atomic<Int>(0)
  /// Whether there are too many decrypted units, or some are marked for eviction.
  private let needsEviction = Atomic<Bool>(false)
  /// The number of decrypted units. Under the file's mutex.
  private(set) var count = 0
  /// The units marked for eviction, with the version of their contents.
  private var pendingEviction: [Int: UInt64] = [:]
  /// The parity of the epochs that must end before the marked units are evicted. Until then no other units are marked,
  /// even if all evictions were canceled: the next epochs but one share a counter with these.
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

  /// Records that the unit holds the contents of `version`; from here on it may be read without the mutex.
  func set(_ unit: Int, _ version: UInt64) {
    if pendingEviction.removeValue(forKey: unit) == nil,
      state(unit).pointee.load(ordering: .relaxed) == 0
    {
      count += 1
      if count > maxUnits { needsEviction.store(true, ordering: .relaxed) }
    }
    state(unit).pointee.store(version, ordering: .releasing)
  }

  /// Cancels the eviction of the unit if it is marked and holds that version. Returns whether it did.
  func cancelEviction(_ unit: Int, _ version: UInt64) -> Bool {
    guard pendingEviction[unit] == version else { return false }
    set(unit, version)
    return true
  }

  /// Discards the contents of units that no reader uses and whose contents are obsolete.
  func discard(_ units: Range<Int>) {
    guard !units.isEmpty else { return }
    let start = EncryptedLayout.offset(of: units.lowerBound)
    plain.clear(start..<start + units.count * EncryptedLayout.unit)
    for unit in units
    where pendingEviction.removeValue(forKey: unit) != nil || version(of: unit) != 0 {
      state(unit).pointee.store(0, ordering: .releasing)
      count -= 1
    }
  }

  /// Evicts the marked units that no reader can access any more, and marks others among the first `units` while there
  /// are too many. Dirty units are not evicted.
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

  /// Marks units in the order of their offsets, from where the last search ended.
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
  /// Enters an epoch: until `leaveEpoch`, pointers into decrypted units stay valid. Does nothing for a plain file.
  @inline(__always)
  func enterEpoch() -> Int { encryptedFile?.enterEpoch() ?? 0 }

  @inline(__always)
  func leaveEpoch(_ epoch: Int) { encryptedFile?.leaveEpoch(epoch) }
}
