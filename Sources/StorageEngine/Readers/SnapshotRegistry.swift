// The snapshots of this session, with their roots. Their registration, with thread and start time, is in the reader
// table, which all processes see and from which reclamation reads.
import SystemIO

/// A registered version, with its slots in this registry and in the reader table.
struct PinnedVersion {
  let version: VersionState
  let readerSlot: Int
  fileprivate let slot: Int
}

/// The open snapshots of this session.
struct SnapshotRegistry {
  private var slots: [VersionState?] = []
  private var freeSlots: [Int] = []

  var count: Int {
    assert(freeSlots.count <= slots.count, "A slot is free once.")
    return slots.count - freeSlots.count
  }

  /// The pinned versions in the order of the slots.
  var versions: [VersionState] { slots.compactMap(\.self) }

  mutating func add(_ version: VersionState, readerSlot: Int) -> PinnedVersion {
    let slot: Int
    if let last = freeSlots.popLast() {
      slot = last
      slots[slot] = version
    } else {
      slot = slots.count
      slots.append(version)
    }
    return PinnedVersion(version: version, readerSlot: readerSlot, slot: slot)
  }

  mutating func remove(_ pin: PinnedVersion) {
    precondition(
      slots[pin.slot]?.number == pin.version.number, "A snapshot must end only once.")
    slots[pin.slot] = nil
    freeSlots.append(pin.slot)
  }
}
