// Who holds which version, since when and where: the answer to "why does the file not shrink". Reclamation does not use
// it, and counts by versions alone.
import SystemIO

/// An open snapshot: what it holds and who holds it.
struct SnapshotHolder {
  var version: VersionState
  var label: String
  var process: Int32
  var thread: Int32
  var beganMonotonic: UInt64
  var beganWall: UInt64

  /// The calling thread's, from now on.
  init(_ version: VersionState, label: String) {
    self.version = version
    self.label = label
    process = SystemThread.currentProcess
    thread = SystemThread.currentID
    beganMonotonic = Clock.monotonicNanoseconds()
    beganWall = Clock.wallNanoseconds()
  }
}

/// A version that is registered, and its place in the registry.
struct PinnedVersion {
  let version: VersionState
  fileprivate let place: Int
}

/// The open snapshots. Touched under the store's mutex only.
struct SnapshotRegistry {
  private var places: [SnapshotHolder?] = []
  private var vacant: [Int] = []

  var count: Int { places.count - vacant.count }

  /// In the order of their places.
  var holders: [SnapshotHolder] { places.compactMap(\.self) }

  mutating func add(_ holder: SnapshotHolder) -> PinnedVersion {
    let place: Int
    if let last = vacant.popLast() {
      place = last
      places[place] = holder
    } else {
      place = places.count
      places.append(holder)
    }
    return PinnedVersion(version: holder.version, place: place)
  }

  mutating func remove(_ pin: PinnedVersion) {
    precondition(places[pin.place] != nil, "A snapshot ends once.")
    places[pin.place] = nil
    vacant.append(pin.place)
  }
}
