// The three presets: when blocks are moved, and when the file is shortened on disk.
import SystemIO
import TestSupport
import Testing

@testable import StorageEngine

@Suite("Presets of automatic compaction")
struct AutomaticPresetTests {
  private func options(
    _ preset: AutomaticCompaction,
    maxTruncationBytes: Int = AutomaticCompaction().maxTruncationBytes
  ) -> DatabaseOptions {
    var preset = preset
    preset.maxTruncationBytes = maxTruncationBytes
    return DatabaseOptions(durability: .none, automaticCompaction: preset)
  }

  @Test(
    "eager is the default, documented waits for readers, and the Realm preset truncates at the next opening"
  )
  func values() {
    #expect(DatabaseOptions().automaticCompaction == .eager)
    #expect(AutomaticCompaction.eager == AutomaticCompaction())
    #expect(AutomaticCompaction.documented.access == .whenUnread)
    #expect(AutomaticCompaction.realmCompatible.access == .always)
    #expect(AutomaticCompaction.realmCompatible.truncation == .onOpen)
  }

  @Test("documented moves nothing while a snapshot is open, and ends after it")
  func documented() throws {
    let bench = try Workbench()
    let database = try bench.open("data", options(.documented, maxTruncationBytes: .max))
    try fill(database)
    try thin(database)
    try touch(database, 5)
    #expect(database.drainEvents().map(\.kind) == [.started])
    let moved = try database.automaticState.moved
    #expect(moved > 0)
    let reader = try database.beginSnapshot(label: "screen")
    for _ in 0..<50 {
      try touch(database, 1)
      #expect(database.evacuation.work == Evacuation.Work())
    }
    let state = try database.automaticState
    #expect((state.stage, state.moved) == (.waiting, moved))
    guard case .blockedByReaders(let pin, snapshots: 1) = state.condition else {
      Issue.record("\(state)")
      return
    }
    #expect((pin.version, pin.label) == (reader.version, "screen"))
    #expect(database.drainEvents().map(\.kind) == [.waiting])
    reader.end()
    #expect(try untilEnd(database, atMost: 500).map(\.kind) == [.resumed, .finished])
    #expect(try FileSystem.size(of: bench.path()).bytes == database.usage().file)
  }

  @Test("documented does not begin while a snapshot is open, even if nothing is pinned")
  func documentedDelay() throws {
    let database = try Workbench.memory { $0.automaticCompaction = .documented }
    try fill(database)
    try thin(database)
    let reader = try database.beginSnapshot(label: "screen")
    try touch(database, 20)
    #expect(database.drainEvents().map(\.kind) == [.delayed])
    #expect(try database.stage == .idle)
    reader.end()
    try touch(database, 1)
    #expect(database.drainEvents().map(\.kind) == [.started])
  }

  @Test("with access always a snapshot stops no block from moving", arguments: [true, false])
  func always(_ isRealm: Bool) throws {
    let preset = isRealm ? AutomaticCompaction.realmCompatible : .eager
    let database = try Workbench.memory { $0.automaticCompaction = preset }
    try fill(database)
    try thin(database)
    let reader = try database.beginSnapshot(label: "screen")
    try touch(database, 1)
    #expect(database.evacuation.work.moved > 0)
    #expect(try database.stage == .evacuating)
    reader.end()
  }

  @Test(
    "the Realm preset ends the file earlier at once, and shortens it on disk at the next opening")
  func realmCompatible() throws {
    let bench = try Workbench()
    let options = options(.realmCompatible)
    let database = try bench.open("data", options)
    try fill(database)
    let full = database.usage().file
    try thin(database)
    let steps = try untilEnd(database, atMost: 500)
    #expect(steps.map(\.kind) == [.started, .finished])
    let length = database.usage().file
    #expect(length < full / 4)
    #expect(steps.last?.condition == .truncated(length: length, left: full - length))
    #expect(database.tailBytes == full - length)
    #expect(try FileSystem.size(of: bench.path()).bytes == full)
    try database.close()
    #expect(try FileSystem.size(of: bench.path()).bytes == full)
    let again = try bench.open("data", options)
    #expect(try FileSystem.size(of: bench.path()).bytes == length)
    #expect(again.tailBytes == 0)
    #expect(try again.checkedAudit().rows == 600)
  }

  @Test("the Realm preset reuses the truncated tail before the file grows on disk")
  func growsIntoTail() throws {
    let file = FaultyStorageFile()
    let database = try Database.open(file: file, options: options(.realmCompatible))
    try fill(database)
    let full = database.usage().file
    try thin(database)
    _ = try untilEnd(database, atMost: 500)
    let length = database.usage().file
    file.sizeLimit = full
    for key in Int64(0)..<12 {
      try database.write { transaction, table in
        try transaction.put(table, 10_000 + key, [UInt8](repeating: 1, count: 200_000))
      }
      #expect(file.size == full)
      #expect(database.tailBytes == full - database.usage().file)
    }
    #expect(database.usage().file > length)
    try database.checkedAudit()
  }

  @Test(
    "eager has shortened the file on disk when the commit returns, also while a snapshot is open")
  func eager() throws {
    let bench = try Workbench()
    let database = try bench.open("data", options(.eager, maxTruncationBytes: .max))
    try fill(database)
    try thin(database)
    #expect(try database.commit(until: .waiting, atMost: 500))
    // It pins a version in which all blocks are moved already, so nothing above the limit.
    let reader = try database.beginSnapshot()
    try touch(database, 1)
    #expect(database.drainEvents().map(\.kind) == [.started, .finished])
    #expect(try FileSystem.size(of: bench.path()).bytes == database.usage().file)
    let table = try #require(reader.table("rows"))
    #expect(try reader.rows(table).count == 600)
    reader.end()
    #expect(database.tailBytes == 0)
  }

  @Test("eager truncates the end behind the last block that a snapshot pins")
  func minPartialTruncation() throws {
    let bench = try Workbench()
    var wanted = options(.eager, maxTruncationBytes: .max)
    wanted.automaticCompaction?.minPartialTruncation = 256 << 10
    let database = try bench.open("data", wanted)
    try fill(database)
    let full = database.usage().file
    try thin(database)
    try touch(database, 1)
    // Half of what is above the limit is moved before the snapshot begins, and so not pinned by it.
    let reader = try database.beginSnapshot(label: "late")
    #expect(try database.commit(until: .waiting, atMost: 500))
    try touch(database, 3)
    let steps = database.drainEvents()
    #expect(steps.map(\.kind) == [.started, .waiting, .shortened])
    let length = database.usage().file
    let limit = try #require(try database.automaticState.limit)
    #expect(length > limit)
    #expect(length <= full - (256 << 10))
    #expect(try FileSystem.size(of: bench.path()).bytes == length)
    try database.checkedAudit()
    let table = try #require(reader.table("rows"))
    #expect(try reader.rows(table).count == 600)
    reader.end()
    #expect(try database.commit(until: .idle, atMost: 3))
    #expect(database.usage().file == limit)
  }

  @Test(
    "a large tail is truncated in pieces, one with each commit, or at once in an idle step")
  func pieces() throws {
    let bench = try Workbench()
    let wanted = options(.eager, maxTruncationBytes: 300_000)
    let database = try bench.open("data", wanted)
    try fill(database)
    let full = database.usage().file
    try thin(database)
    let steps = try untilEnd(database, atMost: 500)
    let end = database.usage().file
    #expect(full - end > 1_500_000)
    #expect(steps.map(\.kind) == [.started, .finished])
    #expect(steps.last?.condition == .truncated(length: end, left: full - end - 300_000))
    for piece in 1...4 {
      let left = full - end - 300_000 * piece
      #expect(database.tailBytes == left)
      #expect(try FileSystem.size(of: bench.path()).bytes == end + left)
      try touch(database, 1)
      #expect(database.usage().file == end)
    }
    let idle = try database.reclaimWhileIdle()
    #expect((idle.steps, idle.moved) == (0, 0))
    #expect(database.tailBytes == 0)
    #expect(try FileSystem.size(of: bench.path()).bytes == end)
    #expect(try database.checkedAudit().rows == 600)
  }

  @Test("growth reuses what is left of a tail, and closing truncates the rest")
  func piecesAtClosing() throws {
    let bench = try Workbench()
    var wanted = options(.eager, maxTruncationBytes: 300_000)
    wanted.trimsOnClose = false
    let database = try bench.open("data", wanted)
    try fill(database)
    let full = database.usage().file
    try thin(database)
    _ = try untilEnd(database, atMost: 500)
    try database.write { transaction, table in
      try transaction.put(table, 10_000, [UInt8](repeating: 1, count: 900_000))
    }
    let size = try FileSystem.size(of: bench.path()).bytes
    #expect(size == max(database.usage().file, full - 600_000))
    #expect(database.tailBytes == size - database.usage().file)
    let end = database.usage().file
    try database.close()
    #expect(try FileSystem.size(of: bench.path()).bytes == end)
    #expect(try bench.open("data", wanted).checkedAudit().rows == 601)
  }

  @Test("a truncated tail is never accessed by a reader that still has it mapped")
  func mapsOfTheTail() throws {
    // A snapshot's mapping spans the old length. If a byte behind the file's end were read, the process would be
    // killed.
    let bench = try Workbench()
    let database = try bench.open("data", options(.eager, maxTruncationBytes: .max))
    try fill(database)
    let full = database.usage().file
    try thin(database)
    #expect(try database.commit(until: .waiting, atMost: 500))
    let reader = try database.beginSnapshot()
    #expect(try database.commit(until: .idle, atMost: 2))
    #expect(try FileSystem.size(of: bench.path()).bytes < full / 4)
    let table = try #require(reader.table("rows"))
    for (key, value) in try reader.rows(table) {
      #expect(value.count == 500)
      #expect(key % 10 == 3)
    }
    reader.end()
    // Both commit slots name versions that end below the truncation: reading either chain stays within the file.
    for slot in [Layout.slotOffsets.0, Layout.slotOffsets.1] {
      let slot = try #require(CommitSlot(try database.store.context.base, at: slot))
      let chain = try RecordChain(slot, base: try database.store.context.base)
      let length = database.usage().file
      #expect(chain.pieces.allSatisfy { $0.end <= length })
      for table in chain.newest.tables where !table.root.root.isNull {
        #expect(table.root.root.end <= length)
      }
    }
  }
}
