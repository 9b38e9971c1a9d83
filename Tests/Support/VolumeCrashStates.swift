// The states that a power cut may leave of a whole volume: every pending change, of bytes, of a length or of a name, may
// have reached the disk or not. Names change whole; bytes change by units, as `CrashStates` has it. Which changes are
// kept is the caller's choice, so all subsets can be made where there are few, and telling ones where there are many.
import SystemIO

/// All that can be left of a volume.
package struct VolumeCrashStates: Sendable {
  private enum Change: Sendable {
    case bytes(file: Int, index: Int)
    case name(index: Int)
  }

  private let durable: [String: Int]
  private let nameChanges: [[(name: String, file: Int?)]]
  private let files: [CrashStates]
  /// Of each file, what is durable of them.
  private let access: [FileAccessRights]
  /// Oldest first.
  private let pending: [Change]

  init(names: [String: FaultyStorageFile], changes: [FaultyVolume.NameChange]) {
    var numbers: [ObjectIdentifier: Int] = [:]
    var files: [CrashStates] = []
    var access: [FileAccessRights] = []
    var pending: [(order: Int, change: Change)] = []
    func number(_ file: FaultyStorageFile) -> Int {
      if let number = numbers[ObjectIdentifier(file)] { return number }
      let number = files.count
      numbers[ObjectIdentifier(file)] = number
      let (states, orders) = file.orderedCrashStates()
      for (index, order) in orders.enumerated() {
        pending.append((order, .bytes(file: number, index: index)))
      }
      files.append(states)
      access.append(file.durableAccess)
      return number
    }
    // Sorted, because a dictionary's order is another one in each process, and a seed should show the same again.
    durable = Dictionary(
      uniqueKeysWithValues: names.sorted { $0.key < $1.key }.map { ($0.key, number($0.value)) })
    nameChanges = changes.map { $0.entries.map { ($0.name, $0.file.map(number)) } }
    for (index, change) in changes.enumerated() {
      pending.append((change.order, .name(index: index)))
    }
    self.files = files
    self.access = access
    self.pending = pending.sorted { $0.order < $1.order }.map(\.change)
  }

  /// How many changes wait; `volume` is told by number, oldest first, which of them reached the disk.
  package var changeCount: Int { pending.count }

  /// The volume after a power cut that let these changes reach the disk. A change of bytes takes with it what was
  /// written earlier into the same units of `unitSize` bytes, because a unit is written as it stands.
  package func volume(unitSize: Int, keeping: (Int) -> Bool) -> FaultyVolume {
    var keptBytes = files.map { [Bool](repeating: false, count: $0.changeCount) }
    var names = durable
    for (number, change) in pending.enumerated() where keeping(number) {
      switch change {
      case .bytes(let file, let index): keptBytes[file][index] = true
      case .name(let index):
        for entry in nameChanges[index] { names[entry.name] = entry.file }
      }
    }
    return make(names) { file in
      files[file].image(unitSize: unitSize) { keptBytes[file][$0] }
    }
  }

  /// A volume whose files lost units at random: each file by a shape of loss of its own, names by the toss of a coin.
  package func torn(
    unitSize: Int, random: inout SeededRandom
  ) -> (volume: FaultyVolume, story: String) {
    var names = durable
    for entries in nameChanges where random.oneIn(2) {
      for entry in entries { names[entry.name] = entry.file }
    }
    let samples = files.map { states in
      let shapes = CrashStates.Loss.allCases
      return states.sample(shapes[random.below(shapes.count)], unitSize: unitSize, random: &random)
    }
    return (
      make(names) { samples[$0].image }, samples.map(\.story).joined(separator: "; ")
    )
  }

  private func make(
    _ names: [String: Int], _ image: (Int) -> [UInt8]
  ) -> FaultyVolume {
    FaultyVolume(images: names.mapValues { (image($0), access[$0]) })
  }
}
