// Which units of an encrypted file lie decrypted in memory, and how they leave it again while readers hold pointers into
// them. Whoever follows references *visits*: a look-up, a portion of a scan, a change, a leaf of a copy.
// Pointers are good until the visit's end. Where more lies decrypted than the limit allows, units are condemned: from
// then on nobody gets in without the lock, and whoever does takes them back. What is still condemned when all visits
// have ended that had begun before is cleared. Visits are counted by turns, two counters of which one is for those that
// begin now, so that readers who come and go without a pause put it off for no longer than one visit.
import Synchronization
import SystemIO

final class DecryptedUnits: @unchecked Sendable {
  /// The logical file: decrypted where it was touched.
  let plain: ReservedMemory
  /// For each unit the version that lies decrypted in `plain`; 0 where none does, or where it is condemned.
  private let versions: ReservedMemory
  /// Units that may lie decrypted between visits.
  private let most: Int
  private let turn = Atomic<Int>(0)
  private let evenVisitors = Atomic<Int>(0)
  private let oddVisitors = Atomic<Int>(0)
  /// There are too many, or some are condemned.
  private let isCrowded = Atomic<Bool>(false)
  /// Under the file's mutex.
  private(set) var count = 0
  /// What each of the condemned units holds; and the turn of the visits that may look at them.
  private var condemned: [Int: UInt64] = [:]
  /// Until they have ended no other units are condemned, even where all of these were taken back: the next visits
  /// share a counter with those before.
  private var ending: Int?
  private var hand = 0

  init(capacity: Int, atLeast least: Int, mostBytes: Int) throws(SystemError) {
    plain = try ReservedMemory(atMost: capacity, atLeast: least)
    let units = plain.capacity / SealedLayout.unit + 1
    versions = try ReservedMemory(atMost: units * 8, atLeast: units * 8)
    most = max(64, mostBytes / SealedLayout.unit)
  }

  @inline(__always)
  private func state(_ unit: Int) -> UnsafeMutablePointer<Atomic<UInt64>> {
    (versions.start + unit &* 8).assumingMemoryBound(to: Atomic<UInt64>.self)
  }

  /// The version that may be looked at without the lock.
  @inline(__always)
  func version(of unit: Int) -> UInt64 { state(unit).pointee.load(ordering: .acquiring) }

  // MARK: Visits

  func enter() -> Int {
    while true {
      let now = turn.load(ordering: .sequentiallyConsistent) & 1
      change(now, by: 1)
      // Whoever changes the turn looks at the counters afterwards: it has seen this one, or this look sees the change.
      if turn.load(ordering: .sequentiallyConsistent) & 1 == now { return now }
      change(now, by: -1)
    }
  }

  /// Answers whether `tidy` is due.
  func leave(_ visit: Int) -> Bool {
    change(visit, by: -1)
    return isCrowded.load(ordering: .relaxed)
  }

  private func change(_ turn: Int, by number: Int) {
    if turn == 0 {
      evenVisitors.add(number, ordering: .sequentiallyConsistent)
    } else {
      oddVisitors.add(number, ordering: .sequentiallyConsistent)
    }
  }

  private func visitors(in turn: Int) -> Int {
    turn == 0
      ? evenVisitors.load(ordering: .sequentiallyConsistent)
      : oddVisitors.load(ordering: .sequentiallyConsistent)
  }

  // MARK: Under the file's mutex

  /// The unit holds what `version` wrote there; it may be looked at from now on.
  func set(_ unit: Int, _ version: UInt64) {
    if condemned.removeValue(forKey: unit) == nil,
      state(unit).pointee.load(ordering: .relaxed) == 0
    {
      count += 1
      if count > most { isCrowded.store(true, ordering: .relaxed) }
    }
    state(unit).pointee.store(version, ordering: .releasing)
  }

  /// Takes the unit back where it is condemned and holds that version.
  func takeBack(_ unit: Int, _ version: UInt64) -> Bool {
    guard condemned[unit] == version else { return false }
    set(unit, version)
    return true
  }

  /// Nobody looks at these units, and what they hold is of no use.
  func forget(_ units: Range<Int>) {
    guard !units.isEmpty else { return }
    let start = SealedLayout.offset(of: units.lowerBound)
    plain.clear(start..<start + units.count * SealedLayout.unit)
    for unit in units where condemned.removeValue(forKey: unit) != nil || version(of: unit) != 0 {
      state(unit).pointee.store(0, ordering: .releasing)
      count -= 1
    }
  }

  /// Clears what nobody can look at any more, and condemns what is too much of the `units` first ones. What `isKept`
  /// stays.
  func tidy(_ units: Int, isKept: (Int) -> Bool) {
    clearCondemned()
    if ending == nil, count > most {
      condemn(count - most * 7 / 8, of: units, isKept)
      ending = turn.add(1, ordering: .sequentiallyConsistent).oldValue & 1
      clearCondemned()
    }
    isCrowded.store(count > most || ending != nil, ordering: .relaxed)
  }

  private func clearCondemned() {
    guard let turn = ending, visitors(in: turn) == 0 else { return }
    ending = nil
    for unit in condemned.keys {
      let start = SealedLayout.offset(of: unit)
      plain.clear(start..<start + SealedLayout.unit)
    }
    count -= condemned.count
    condemned.removeAll(keepingCapacity: true)
  }

  /// In the order in which they lie, from where the last search ended.
  private func condemn(_ number: Int, of units: Int, _ isKept: (Int) -> Bool) {
    var looks = 0
    while condemned.count < number, looks < units {
      hand = hand + 1 < units ? hand + 1 : 0
      looks += 1
      let held = state(hand).pointee.load(ordering: .relaxed)
      guard held != 0, !isKept(hand) else { continue }
      condemned[hand] = held
      state(hand).pointee.store(0, ordering: .releasing)
    }
  }
}

extension FileView {
  /// Until `leave` all pointers into decrypted units stay good. Nothing where the file is plain.
  @inline(__always)
  func enter() -> Int { vault?.enter() ?? 0 }

  @inline(__always)
  func leave(_ visit: Int) { vault?.leave(visit) }
}
