// A compaction outlives the session that began it: after a close, a crash at any operation, and in sessions of one
// commit each.
import SystemIO
import TestSupport
import Testing

@testable import StorageEngine

@Suite("Automatic compaction over sessions")
struct AutomaticResumeTests {
  private let presets: [AutomaticCompaction] = [.documented, .realmCompatible, .eager]

  private func options(_ preset: AutomaticCompaction = .eager) -> DatabaseOptions {
    DatabaseOptions(durability: .none, automaticCompaction: preset)
  }

  @Test(
    "sessions of one commit each complete a compaction, in at most two commits more than one session"
  )
  func shortSessions() throws {
    func commits(_ isSplit: Bool) throws -> (
      commits: Int, length: Int, kinds: [CompactionStep.Kind]
    ) {
      let bench = try Workbench()
      var options = Workbench.fast
      options.trimsOnClose = false
      var database = try bench.open("data", options)
      try fill(database)
      try thin(database)
      var steps: [CompactionStep] = []
      var commits = 0
      while commits < 500, steps.last?.kind != .finished {
        if isSplit {
          try database.close()
          database = try bench.open("data", options)
        }
        try touch(database, 1)
        commits += 1
        steps += database.drainEvents()
      }
      try database.checkedAudit()
      return (commits, database.usage().file, steps.map(\.kind))
    }
    let whole = try commits(false)
    let split = try commits(true)
    // The allocator's position is not stored, so the free list is not quite the same after reopening.
    #expect(split.length == whole.length)
    #expect(split.commits <= whole.commits + 2)
    #expect(whole.kinds == [.started, .finished])
    #expect(split.kinds.first == .started)
    #expect(split.kinds.last == .finished)
    #expect(split.kinds.count { $0 == .resumed } == split.commits - 1)
  }

  @Test("a session continues in the stage that the previous one left: evacuating, waiting, blocked")
  func stateIsKept() throws {
    let bench = try Workbench()
    var database = try bench.open()
    func reopened() throws -> Database {
      let state = try database.automaticState
      let account = database.usage()
      try database.close()
      database = try bench.open()
      #expect(try database.automaticState == state)
      #expect(database.usage() == account)
      return database
    }
    try fill(database)
    try thin(database)
    try touch(database, 7)
    #expect(try database.stage == .evacuating)
    let walk = try database.store.readers.evacuation.walk
    #expect(try reopened().store.readers.evacuation.walk == walk)
    #expect(walk?.key != nil)
    #expect(try database.commit(until: .waiting, atMost: 500))
    _ = try reopened()
    #expect(database.drainEvents().isEmpty)
    #expect(try database.commit(until: .idle, atMost: 1))
    #expect(database.drainEvents().map(\.kind) == [.resumed, .finished])
    _ = try reopened()

    try fill(database)
    try thin(database)
    try touch(database, 1)
    let file = database.usage().file
    try database.write { transaction, table in
      try transaction.put(table, -1, [UInt8](repeating: 1, count: file))
    }
    let version = database.version
    #expect(try database.stage == .blocked)
    _ = try reopened()
    #expect(try database.automaticState.until == version + 10)
    #expect(try database.checkedAudit().violations == [])
  }

  @Test("a scan continues at a key of bytes in the next session")
  func byteKeys() throws {
    let bench = try Workbench()
    var database = try bench.open()
    let transaction = try database.beginWrite()
    let table = try transaction.table("names", .bytes)
    for key in 0..<6000 {
      try transaction.put(table, Array("key \(key)".utf8), row(1, key, count: 500))
    }
    try transaction.commit()
    let second = try database.beginWrite()
    for key in 0..<6000 where key % 10 != 3 {
      _ = try second.delete(table, Array("key \(key)".utf8))
    }
    try second.commit()
    for _ in 0..<5 { try database.write { _, _ in } }
    let walk = try #require(try database.store.readers.evacuation.walk)
    #expect(walk.key?.bytes.isEmpty == false)
    try database.close()
    database = try bench.open()
    #expect(try database.store.readers.evacuation.walk == walk)
    #expect(try database.commit(until: .idle, atMost: 500))
    #expect(database.drainEvents().map(\.kind) == [.resumed, .finished])
    #expect(try database.checkedAudit().rows == 600)
  }

  @Test(
    "a session without automatic compaction abandons one that was begun, and allocates anywhere")
  func withoutCompaction() throws {
    let bench = try Workbench()
    var database = try bench.open()
    try fill(database)
    try thin(database)
    try touch(database, 5)
    try database.close()
    database = try bench.open(
      "data", DatabaseOptions(durability: .none, automaticCompaction: nil))
    #expect(try database.automaticState.condition == .switchedOff)
    try touch(database, 1)
    try database.close()
    database = try bench.open()
    #expect(try database.stage == .idle)
    #expect(try untilEnd(database, atMost: 500).map(\.kind) == [.started, .finished])
  }

  /// A crash before each sync of a whole compaction: any of what was not synced may be lost.
  @Test(
    "after a crash at any operation of a compaction the next session completes it, and no row is lost",
    arguments: [0, 1, 2])
  func crashes(_ preset: Int) throws {
    var options = options(presets[preset])
    options.durability = .full
    let file = FaultyStorageFile()
    let database = try Database.open(file: file, options: options)
    try fill(database)
    try thin(database)
    var random = SeededRandom(seed: testSeed(71))
    var states = 0
    var seen: Set<AutomaticState.Stage> = []
    while states < 200, try database.stage != .idle || states == 0 {
      var caught: CrashStates?
      file.beforeSync = { if caught == nil { caught = $0.crashStates() } }
      try touch(database, 1)
      file.beforeSync = nil
      let crash = try #require(caught)
      states += 1
      let isMoving = try database.stage == .evacuating
      guard states % 3 == 1 || !isMoving else { continue }
      let image = crash.image(
        unitSize: 512, lengthMoment: random.below(crash.changeCount + 1),
        momentOf: { _ in random.below(crash.changeCount + 1) })
      let recovered = try Database.open(
        file: FaultyStorageFile(image: image), options: options)
      seen.insert(try recovered.stage)
      let audit = try recovered.checkedAudit("crash \(states), seed \(random.seed)")
      #expect(audit.rows == 600)
      // Idle if the crash lost the commit that began it: the next commit begins it again.
      try touch(recovered, 1)
      #expect(try recovered.commit(until: .idle, atMost: 500))
      #expect(try recovered.checkedAudit("after crash \(states)").rows == 600)
      #expect(recovered.usage().file < 1 << 20)
    }
    #expect(states > 20)
    #expect(seen.isSuperset(of: [.evacuating, .waiting]))
  }

  @Test("after a failed sync the next session continues from the last durable commit")
  func failedSync() throws {
    var options = options()
    options.durability = .full
    let file = FaultyStorageFile()
    let database = try Database.open(file: file, options: options)
    try fill(database)
    try thin(database)
    try touch(database, 9)
    let state = try database.store.readers.evacuation
    file.fail(.sync, code: 5)
    #expect(throws: StorageError.self) { try touch(database, 1) }
    #expect(database.drainEvents().map(\.kind) == [.started, .abandoned])
    #expect(throws: StorageError.self) { try touch(database, 1) }
    let image = file.crashStates().image(
      unitSize: 512, lengthMoment: 0, momentOf: { _ in 0 })
    let recovered = try Database.open(file: FaultyStorageFile(image: image), options: options)
    #expect(try recovered.store.readers.evacuation.walk == state.walk)
    #expect(try untilEnd(recovered, atMost: 500).map(\.kind) == [.resumed, .finished])
  }

  @Test("a damaged state in a record is corruption, for every bit that has a meaning")
  func damagedState() throws {
    var state = EvacuationState()
    (state.stage, state.limit, state.since) = (.evacuating, 1 << 20, 7)
    state.walk = EvacuationState.Walk(table: 3, key: OwnedKey(bytes: [1, 2, 3]))
    let reader = RecordReader(UnsafeRawBufferPointer(start: nil, count: 0), version: 1)
    let bytes = state.encoded()
    #expect(try EvacuationState(bytes, reader) == state)
    #expect(try EvacuationState([], reader) == EvacuationState())
    for count in 1..<bytes.count {
      #expect(throws: StorageError.self) { try EvacuationState(Array(bytes.prefix(count)), reader) }
    }
    for (index, value) in [(0, 9), (1, 9), (2, 2), (3, 4), (20, 1)] {
      var damaged = bytes
      damaged[index] = UInt8(value)
      #expect(throws: StorageError.self) { try EvacuationState(damaged, reader) }
    }
    // As the placement of a record changes it, padded to the size that it had.
    let idle = EvacuationState.idle(since: 8).encoded(paddedTo: bytes.count)
    #expect(idle.count == bytes.count)
    #expect(try EvacuationState(idle, reader) == .idle(since: 8))
  }
}
