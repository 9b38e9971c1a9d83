// Compaction by copy and copies on a disk that is small, fails, or loses power: afterwards the old file or the new one
// is there, complete.
import Glibc
import StorageEngine
import SystemIO
import TestSupport
import Testing

@Suite("Compaction by copy on a failing disk")
struct CopyCrashTests {
  private static let name = FilePath("/data")
  private static let copyName = FilePath("/copy")
  private static let access = FileAccessRights(
    mode: 0o640, owner: 1000, group: 1001, attributes: ["user.note": [1, 2]])

  /// A database of some rows, half of them deleted, and its contents.
  private func fill(_ volume: FaultyVolume) throws -> (Database, RowModel) {
    let database = try Database.open(path: Self.name, on: volume)
    try database.apply((0..<200).map { RowChange(key: $0, value: row($0)) })
    try database.apply((0..<200).filter { $0 % 2 == 0 }.map { RowChange(key: $0, value: nil) })
    return (database, try database.rows())
  }

  private func row(_ key: Int64) -> [UInt8] {
    (0..<300).map { UInt8(truncatingIfNeeded: Int(key) &+ $0) }
  }

  /// All states where there are few pending changes, else every prefix, every single loss, every single survivor, and
  /// some at random.
  private func states(
    _ crash: VolumeCrashStates, _ random: inout SeededRandom
  ) -> [FaultyVolume] {
    let count = crash.changeCount
    if count <= 6 {
      return (0..<1 << count).map { subset in
        crash.volume(unitSize: 512) { subset >> $0 & 1 == 1 }
      }
    }
    var states: [FaultyVolume] = []
    for limit in 0...count { states.append(crash.volume(unitSize: 512) { $0 < limit }) }
    for one in 0..<count {
      states.append(crash.volume(unitSize: 512) { $0 == one })
      states.append(crash.volume(unitSize: 512) { $0 != one })
    }
    for _ in 0..<8 { states.append(crash.torn(unitSize: 512, random: &random).volume) }
    return states
  }

  /// What a power cut may leave before each operation of `body`; with `kills` what a killed process leaves, too.
  private func left(
    by volume: FaultyVolume, _ random: inout SeededRandom, kills: Bool, _ body: () throws -> Void
  ) rethrows -> [FaultyVolume] {
    var left: [FaultyVolume] = []
    var stream = random
    volume.beforeOperation = { volume, _, _ in
      left += self.states(volume.crashStates(), &stream)
      if kills { left.append(volume.afterKill()) }
    }
    defer {
      volume.beforeOperation = nil
      random = stream
    }
    try body()
    return left
  }

  @Test("a power cut at any operation of a compaction leaves the old file or the new one, complete")
  func powerCut() throws {
    let seed = testSeed()
    var random = SeededRandom(seed: seed)
    let volume = FaultyVolume()
    let (database, rows) = try fill(volume)
    volume.file(Self.name)?.access = Self.access
    var outcome: CompactionOutcome?
    var left = try left(by: volume, &random, kills: true) { outcome = try database.compact() }
    guard case .compacted(let before, let after, _) = outcome else {
      Issue.record("nothing stood in the way")
      return
    }
    left += states(volume.crashStates(), &random)
    #expect(left.count > 60)
    var sizes: Set<Int> = []
    for state in left {
      let again = try Database.open(
        path: Self.name, on: state, options: DatabaseOptions(verification: .everything))
      #expect(try again.rows() == rows, "seed \(seed)")
      #expect(try again.audit().violations == [], "seed \(seed)")
      #expect(state.fileNames == ["/data"])
      #expect(state.file(Self.name)?.access == Self.access)
      sizes.insert(again.usage().file)
      try again.apply([RowChange(key: 1, value: [9])])
      try again.close()
    }
    #expect(sizes == [before.file, after.file])
  }

  @Test("after a compaction has returned, a power cut never brings back the old file")
  func durable() throws {
    var random = SeededRandom(seed: testSeed())
    let volume = FaultyVolume()
    let (database, rows) = try fill(volume)
    _ = try database.compact()
    let size = database.usage().file
    for state in states(volume.crashStates(), &random) {
      let again = try Database.open(path: Self.name, on: state)
      #expect(again.usage().file == size)
      #expect(try again.rows() == rows)
    }
  }

  @Test("a failure of any operation of a compaction loses no row, in this session or the next")
  func failing() throws {
    let counting = FaultyVolume()
    let (counted, _) = try fill(counting)
    let before = FaultyVolume.Operation.allCases.map { counting.count(of: $0) }
    _ = try counted.compact()
    let after = FaultyVolume.Operation.allCases.map { counting.count(of: $0) }
    for (index, operation) in FaultyVolume.Operation.allCases.enumerated() {
      for occurrence in 0..<after[index] - before[index] {
        let volume = FaultyVolume()
        let (database, rows) = try fill(volume)
        volume.fail(operation, occurrence: occurrence + 1, code: 5)
        #expect(throws: StorageError.self, "\(operation) \(occurrence)") { try database.compact() }
        #expect(try database.rows() == rows)
        let left = volume.afterKill()
        let again = try Database.open(path: Self.name, on: left)
        #expect(try again.rows() == rows)
        #expect(try again.audit().violations == [])
        #expect(left.fileNames == ["/data"])
      }
    }
  }

  @Test(
    "a copy that cannot get the file's access rights is a skip, before or after copying",
    arguments: [1, 2], [EPERM, EINVAL, EOPNOTSUPP])
  func refusedAccess(_ occurrence: Int, _ code: Int32) throws {
    let volume = FaultyVolume()
    let (database, rows) = try fill(volume)
    volume.file(Self.name)?.access = Self.access
    let (writes, renames) = (volume.count(of: .write), volume.count(of: .rename))
    volume.fail(.inheritAccess, occurrence: occurrence, code: code)
    guard case .skipped(.accessNotKept(let refusal)) = try database.compact() else {
      Issue.record("the copy has other access rights than the file")
      return
    }
    #expect(refusal.code == code)
    #expect(volume.count(of: .write) == writes || occurrence == 2)
    #expect(volume.count(of: .rename) == renames)
    #expect(volume.fileNames == ["/data"])
    #expect(volume.file(Self.name)?.access == Self.access)
    #expect(try database.rows() == rows)
    try database.apply([RowChange(key: 7, value: [1])])
    try database.close()
    volume.fail(.inheritAccess, occurrence: occurrence, code: code)
    let again = try Database.open(path: Self.name, on: volume, compactOnLaunch: { _ in true })
    #expect(again.launchOutcome.skip == .accessNotKept(refusal))
  }

  @Test("a folder that may not be written is a skip, for the estimate and for the compaction")
  func refusedFolder() throws {
    let volume = FaultyVolume()
    let (database, rows) = try fill(volume)
    for code in [EACCES, EROFS] {
      volume.fail(.create, code: code)
      let estimate = try database.estimateCompaction()
      volume.fail(.create, code: code)
      guard case .skipped(let skip) = try database.compact() else {
        Issue.record("there was a folder to write into")
        return
      }
      #expect(estimate.skip == skip && estimate.nanoseconds == nil)
      guard case .folderNotWritable(let refusal) = skip else {
        Issue.record("\(skip)")
        return
      }
      #expect(refusal.code == code)
      volume.fail(.inheritAccess, code: EPERM)
      guard case .accessNotKept = try database.estimateCompaction().skip else {
        Issue.record("the estimate did not ask for the file's owner")
        return
      }
    }
    #expect(volume.fileNames == ["/data"])
    #expect(try database.rows() == rows)
  }

  @Test("a disk with space for the copy, and not a byte more, is enough")
  func exactRoom() throws {
    let volume = FaultyVolume()
    let (database, rows) = try fill(volume)
    let needed = try database.estimateCompaction().diskNeeded
    volume.room = database.usage().file + needed
    guard case .compacted(_, let after, _) = try database.compact() else {
      Issue.record("there is room")
      return
    }
    #expect(after.file == needed)
    #expect(try database.rows() == rows)
  }

  @Test("a temporary file and a copy are accessible only to their owner while they are written")
  func drafts() throws {
    let volume = FaultyVolume()
    let (database, _) = try fill(volume)
    volume.file(Self.name)?.access = Self.access
    var seen: [String: Set<UInt32>] = [:]
    volume.beforeOperation = { volume, operation, path in
      guard operation == .write, path != Self.name else { return }
      if let mode = volume.file(path)?.access.mode { seen[path.string, default: []].insert(mode) }
    }
    try database.writeCopy(to: Self.copyName)
    guard case .compacted = try database.compact() else {
      Issue.record("nothing stood in the way")
      return
    }
    volume.beforeOperation = nil
    #expect(seen == ["/copy": [0o600], "/data.compacting": [0o600]])
    #expect(volume.file(Self.copyName)?.access == Self.access)
    #expect(volume.file(Self.name)?.access == Self.access)
  }

  @Test("a disk without space for the copy is a skip with both numbers, before anything is written")
  func smallDisk() throws {
    let volume = FaultyVolume()
    let (database, rows) = try fill(volume)
    let estimate = try database.estimateCompaction()
    #expect(estimate.skip == nil)
    volume.room = database.usage().file + estimate.diskNeeded - 1
    let writes = volume.count(of: .write)
    #expect(
      try database.estimateCompaction().skip
        == .diskTooSmall(needed: estimate.diskNeeded, available: estimate.diskNeeded - 1))
    guard case .skipped(.diskTooSmall(let needed, let available)) = try database.compact() else {
      Issue.record("the disk is too small, yet the compaction was not skipped")
      return
    }
    #expect(available == estimate.diskNeeded - 1)
    #expect(needed >= estimate.diskNeeded)
    // Needed in addition to the result: the rest of the last page, and space for the record.
    #expect(needed <= database.usage().live + (24 << 10))
    #expect(volume.count(of: .write) == writes)
    volume.room = database.usage().file + needed
    guard case .compacted = try database.compact() else {
      Issue.record("there is room")
      return
    }
    #expect(try database.rows() == rows)
  }

  @Test(
    "a disk that becomes full while the copy is written is a skip, and nothing of the copy is left")
  func fullDisk() throws {
    let volume = FaultyVolume()
    let (database, rows) = try fill(volume)
    volume.fail(.write, code: ENOSPC)
    guard case .skipped(.diskTooSmall(_, nil)) = try database.compact() else {
      Issue.record("the disk was full")
      return
    }
    #expect(volume.fileNames == ["/data"])
    #expect(try database.rows() == rows)
    try database.apply([RowChange(key: 7, value: [1])])
  }

  @Test(
    "a copy is durable when the call returns; a crash before that leaves a complete copy or none")
  func copy() throws {
    let seed = testSeed()
    var random = SeededRandom(seed: seed)
    let volume = FaultyVolume()
    let (database, rows) = try fill(volume)
    let left = try left(by: volume, &random, kills: false) {
      try database.writeCopy(to: Self.copyName)
    }
    var wholeCopies = 0
    for state in left where state.exists(Self.copyName) {
      // Opening may initialize a file without a header again if it lacks even the creation mark.
      guard let copy = try? Database.open(path: Self.copyName, on: state) else { continue }
      if copy.launchOutcome == .notAsked, try copy.rows().isEmpty, copy.version == 1 { continue }
      wholeCopies += 1
      #expect(try copy.rows() == rows, "seed \(seed)")
      #expect(try copy.audit().violations == [])
    }
    #expect(wholeCopies > 0)
    for state in states(volume.crashStates(), &random) {
      let copy = try Database.open(
        path: Self.copyName, on: state, options: DatabaseOptions(verification: .everything))
      #expect(try copy.rows() == rows, "seed \(seed)")
    }
  }
}
