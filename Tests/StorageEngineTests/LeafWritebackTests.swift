// Leaves that lie apart are written before the nodes above them are placed: in which order, and what failures leave.
import Foundation
import TestSupport
import Testing

@testable import StorageEngine

@Suite("Early writeback of leaves")
struct LeafWritebackTests {
  private static let rows = Int64(3000)

  /// A durable database of 3,000 rows, updated at random until its leaves lie apart.
  private func churned(_ file: FaultyStorageFile, commits: Int = 300) throws -> Database {
    let database = try Database.open(file: file, options: DatabaseOptions(growthStep: 1 << 16))
    try database.write { transaction, table in
      for key in 0..<Self.rows { try transaction.put(table, key, row(key, 0, count: 256)) }
    }
    for commit in 1..<commits { try update(database, commit) }
    return database
  }

  /// The ten rows that a commit updates.
  private func keys(of commit: Int) -> [Int64] {
    var random = SeededRandom(seed: UInt64(commit))
    return (0..<10).map { _ in Int64(random.below(Int(Self.rows))) }
  }

  private func update(_ database: Database, _ commit: Int) throws {
    try database.write { transaction, table in
      for key in keys(of: commit) {
        try transaction.put(table, key, row(key, commit, count: 256))
      }
    }
  }

  /// The offsets of a commit's writes, in their order, without that of the slot.
  private func offsets(of file: FaultyStorageFile, _ commit: () throws -> Void) rethrows -> [Int] {
    var offsets: [Int] = []
    file.beforeSync = { offsets = $0.pendingOffsets }
    try commit()
    file.beforeSync = nil
    return offsets.filter { $0 >= Layout.blocksStart }
  }

  @Test("the leaves of a commit are written first where they lie apart, and each block once")
  func leavesFirst() throws {
    let file = FaultyStorageFile()
    let database = try churned(file)
    var early = 0
    for commit in 300..<400 {
      let before = file.bytesWritten
      let offsets = try offsets(of: file) { try update(database, commit) }
      let bytes = try extentsOfNewestCommit(database).reduce(0) { $0 + $1.size }
      #expect(file.bytesWritten - before == bytes + CommitSlot.size)
      #expect(Set(offsets).count == offsets.count)
      let descents = zip(offsets, offsets.dropFirst()).count { $0 > $1 }
      #expect(descents <= 1)
      early += descents
      guard let start = offsets.indices.dropFirst().first(where: { offsets[$0] < offsets[$0 - 1] })
      else { continue }
      #expect(try offsets[..<start].allSatisfy { try level($0, database) == 0 })
      #expect(try offsets[start...].contains { try level($0, database) > 0 })
    }
    #expect(early >= 80)
    try database.checkedAudit()
  }

  @Test("leaves side by side are written with the rest, in the order of the file")
  func adjacent() throws {
    let file = FaultyStorageFile()
    let database = try churned(file, commits: 1)
    let offsets = try offsets(of: file) {
      try database.write { transaction, table in
        for key in Int64(100)..<160 {
          try transaction.put(table, key, row(key, 1, count: 256))
        }
      }
    }
    #expect(offsets.count > 1 && offsets == offsets.sorted())
  }

  @Test("a write of leaves that fails once is made again by the commit")
  func failsOnce() throws {
    let file = FaultyStorageFile()
    let database = try churned(file)
    file.fail(.write, code: EIO)
    let offsets = try offsets(of: file) { try update(database, 300) }
    // Half of the first write was made, and all of it later.
    #expect(offsets.count { $0 == offsets[0] } == 2)
    try database.checkedAudit()
    try check(database, rows(after: 300))
    try update(database, 301)
    let opened = try Database.open(file: FaultyStorageFile(image: file.liveBytes))
    try check(opened, rows(after: 301))
  }

  @Test("one that fails again is reported and ends writing; the version before is there")
  func failsTwice() throws {
    let file = FaultyStorageFile()
    let database = try churned(file)
    file.fail(.write, code: EIO)
    file.fail(.write, occurrence: 2, code: EIO)
    #expect(throws: StorageError.self) { try update(database, 300) }
    let later = #expect(throws: StorageError.self) { try update(database, 301) }
    #expect(later?.code == .poisoned)
    let opened = try Database.open(file: FaultyStorageFile(image: file.liveBytes))
    try check(opened, rows(after: 299))
  }

  @Test("a process that is killed after any write leaves the version before, or the complete next")
  func kills() throws {
    let file = FaultyStorageFile()
    let database = try churned(file)
    var left: [FaultyStorageFile] = []
    file.beforeSync = { file in
      left = (0...file.pendingChanges).map { file.afterKill(keepingChanges: $0) }
    }
    try update(database, 300)
    file.beforeSync = nil
    #expect(left.count > 10)
    for (kept, copy) in left.enumerated() {
      let opened = try Database.open(file: copy)
      try opened.checkedAudit("\(kept) writes")
      try check(opened, rows(after: kept < left.count - 1 ? 299 : 300))
    }
  }

  @Test("a power cut leaves the version before or the complete next, whatever reached the disk")
  func powerCuts() throws {
    let seed = testSeed()
    let file = FaultyStorageFile()
    let database = try churned(file)
    let number = try database.store.readers.newest.number
    var caught: CrashStates?
    file.beforeSync = { caught = $0.crashStates() }
    try update(database, 300)
    file.beforeSync = nil
    let states = try #require(caught)
    let (before, after) = (rows(after: 299), rows(after: 300))
    var random = SeededRandom(seed: seed)
    var found: [Bool: Int] = [:]
    for cut in 0..<100 {
      // Most sectors as of one moment, the others as of any; in every second cut nearly all is there.
      let isLate = cut % 2 == 0
      let moment = isLate ? states.changeCount : random.below(states.changeCount + 1)
      var moments: [Int: Int] = [:]
      for unit in states.touchedUnits(of: 512) {
        let isApart = random.below(100) < (isLate ? 1 : 25)
        moments[unit] = isApart ? random.below(states.changeCount + 1) : moment
      }
      let image = states.image(unitSize: 512, lengthMoment: states.changeCount) {
        moments[$0] ?? 0
      }
      let opened = try Database.open(file: FaultyStorageFile(image: image))
      try opened.checkedAudit("cut \(cut), SEED=\(seed)")
      let isNext = try opened.store.readers.newest.number > number
      try check(opened, isNext ? after : before)
      found[isNext, default: 0] += 1
    }
    #expect(found[true, default: 0] > 5 && found[false, default: 0] > 5)
  }

  @Test("a commit refused after its leaves were written changes nothing")
  func refused() throws {
    let file = FaultyStorageFile()
    let database = try churned(file)
    let length = database.usage().file
    try database.close()
    var options = DatabaseOptions(growthStep: 1 << 16)
    options.maximumFileSize = length
    let limited = try Database.open(file: file, options: options)
    var expected = rows(after: 299)
    var refusedAfterWriting = 0
    for commit in 300..<500 {
      let before = (usage: limited.usage(), written: file.bytesWritten)
      let keys = keys(of: commit)
      do {
        try limited.write { transaction, table in
          for key in keys { try transaction.put(table, key, row(key, 300, count: 500)) }
        }
        for key in keys { expected[key] = row(key, 300, count: 500) }
      } catch {
        #expect((error as? StorageError)?.code == .limitExceeded)
        #expect(limited.usage() == before.usage)
        if file.bytesWritten > before.written { refusedAfterWriting += 1 }
      }
    }
    #expect(refusedAfterWriting > 0)
    try limited.checkedAudit()
    try check(limited, expected)
  }

  /// The rows after so many commits of updates.
  private func rows(after commits: Int) -> [Int64: [UInt8]] {
    var rows: [Int64: [UInt8]] = [:]
    for key in 0..<Self.rows { rows[key] = row(key, 0, count: 256) }
    for commit in stride(from: 1, through: commits, by: 1) {
      for key in keys(of: commit) { rows[key] = row(key, commit, count: 256) }
    }
    return rows
  }

  private func check(_ database: Database, _ expected: [Int64: [UInt8]]) throws {
    let snapshot = try database.beginSnapshot()
    defer { snapshot.end() }
    let found = try snapshot.rows(try #require(snapshot.table("rows")))
    #expect(found.count == expected.count && found.allSatisfy { expected[$0.0] == $0.1 })
  }

  /// The level of the node at the offset (Tree/Node.swift).
  private func level(_ offset: Int, _ database: Database) throws -> UInt8 {
    try database.store.context.base.start.load(fromByteOffset: offset + 1, as: UInt8.self)
  }

  /// The extents of the newest commit's blocks and record.
  private func extentsOfNewestCommit(_ database: Database) throws -> [Extent] {
    let chain = try database.recordChain()
    return chain.newest.allocated + chain.pieces(ofRecord: chain.count - 1)
  }
}
