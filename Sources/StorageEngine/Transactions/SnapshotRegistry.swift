// The snapshots that this opening holds, with the roots that they see. That they are registered, and who holds them since
// when, is in the reader table, which all processes see; reclamation looks there.
import SystemIO

/// A version that is registered: its place in the registry, and that in the table of readers.
struct PinnedVersion {
  let version: VersionState
  let reader: Int
  fileprivate let place: Int
}

/// The open snapshots. Touched under the store's mutex only.
struct SnapshotRegistry {
  private var places: [VersionState?] = []
  private var vacant: [Int] = []

  var count: Int { places.count - vacant.count }

  /// What is held, in the order of the places.
  var versions: [VersionState] { places.compactMap(\.self) }

  mutating func add(_ version: VersionState, reader: Int) -> PinnedVersion {
    let place: Int
    if let last = vacant.popLast() {
      place = last
      places[place] = version
    } else {
      place = places.count
      places.append(version)
    }
    return PinnedVersion(version: version, reader: reader, place: place)
  }

  mutating func remove(_ pin: PinnedVersion) {
    precondition(places[pin.place] != nil, "A snapshot ends once.")
    places[pin.place] = nil
    vacant.append(pin.place)
  }
}
