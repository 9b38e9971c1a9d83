// The rows that differ between two snapshots, beside a comparison of all rows; and the nodes read for them, counted.
import SystemIO
import TestSupport
import Testing

@testable import StorageEngine

@Suite("Differences")
struct DifferenceTests {
  private struct Change: Equatable {
    var key: [UInt8]
    var old: [UInt8]?
    var new: [UInt8]?
  }

  private func bytes(_ key: Int64) -> [UInt8] {
    withUnsafeBytes(of: (UInt64(bitPattern: key) ^ 1 << 63).bigEndian) { Array($0) }
  }

  /// What the engine finds, and the nodes that it read.
  private func found(
    _ old: Snapshot, _ new: Snapshot, _ table: Table
  ) throws(StorageError) -> (changes: [Change], nodesRead: Int) {
    var changes: [Change] = []
    let nodesRead = try new.differences(from: old, in: table) { row in
      let key =
        switch row.key {
        case .int64(let number): bytes(number)
        case .bytes(let raw): Array(raw)
        }
      changes.append(Change(key: key, old: row.old.map(Array.init), new: row.new.map(Array.init)))
    }
    return (changes, nodesRead)
  }

  private func allRows(_ snapshot: Snapshot, _ table: Table) throws -> [[UInt8]: [UInt8]] {
    var rows: [[UInt8]: [UInt8]] = [:]
    if table.keyKind == .int64 {
      _ = try snapshot.scan(table) { rows[bytes($0)] = Array($1) }
    } else {
      try [UInt8]().withBytes { (start) throws(StorageError) in
        _ = try snapshot.scan(table, from: start) { rows[Array($0)] = Array($1) }
      }
    }
    return rows
  }

  private func wanted(_ old: Snapshot, _ new: Snapshot, _ table: Table) throws -> [Change] {
    let before = try allRows(old, table)
    let after = try allRows(new, table)
    return Set(before.keys).union(after.keys).sorted { $0.lexicographicallyPrecedes($1) }
      .filter { before[$0] != after[$0] }
      .map { Change(key: $0, old: before[$0], new: after[$0]) }
  }

  /// The nodes of a version's tree by their references' bytes, and the number of levels.
  private func nodes(_ snapshot: Snapshot, _ table: Table) throws -> (Set<[UInt64]>, levels: Int) {
    let version = try #require(snapshot.pinned).version
    let root = version.root(table)
    var seen: Set<[UInt64]> = []
    var levels = 0
    func visit(_ ref: BlockRef) throws {
      seen.insert([UInt64(ref.offset), UInt64(ref.size), ref.birth, ref.checksum])
      let node = try Node(ref, version.space, root.kind)
      levels = max(levels, node.level + 1)
      guard node.level > 0 else { return }
      for index in 0..<node.count { try visit(node.reference(index, root.kind)) }
    }
    if !root.root.isNull { try visit(root.root) }
    return (seen, levels)
  }

  /// The number of nodes that only one of the versions has, and the greater number of levels.
  private func unshared(
    _ old: Snapshot, _ new: Snapshot, _ table: Table
  ) throws -> (count: Int, levels: Int) {
    let (before, levels) = try nodes(old, table)
    let (after, newLevels) = try nodes(new, table)
    return (before.symmetricDifference(after).count, max(levels, newLevels))
  }

  private func checkPair(
    _ old: Snapshot, _ new: Snapshot, _ table: Table, _ context: String
  ) throws {
    let (changes, nodesRead) = try found(old, new, table)
    let expected = try wanted(old, new, table)
    #expect(changes == expected, "\(context): \(changes.count) of \(expected.count)")
    let (count, levels) = try unshared(old, new, table)
    // Each node that is not shared once; and beside each a path of shared nodes in each tree, where splits and merges
    // have made the leaves begin at other keys.
    #expect(nodesRead <= count * (1 + 2 * levels), "\(context): \(nodesRead), \(count), \(levels)")
  }

  @Test(
    "the rows that differ between any two versions are those that a comparison of all rows finds",
    arguments: [false, true], [KeyKind.int64, .bytes])
  func random(isEncrypted: Bool, kind: KeyKind) throws {
    let bench = try Workbench()
    var options = Workbench.fast
    if isEncrypted { options.encryptionKey = EncryptionKey([UInt8](repeating: 7, count: 64)) }
    let database = try bench.open("data", options)
    var random = SeededRandom(seed: testSeed(11))
    var snapshots: [Snapshot] = []
    for round in 0..<40 {
      let transaction = try database.beginWrite()
      let table = try transaction.table("rows", kind)
      // Phases in which the table grows, and others in which it shrinks: splits and merges.
      let deletes = round % 10 > 6
      for _ in 0..<random.below(round % 4 == 0 ? 3 : 300) {
        let number = Int64(random.below(3000))
        let key = kind == .int64 ? [] : Array("\(number % 7)-\(number * number)".utf8)
        if random.below(10) < (deletes ? 8 : 2) {
          if kind == .int64 {
            _ = try transaction.delete(table, number)
          } else {
            _ = try transaction.delete(table, key)
          }
        } else {
          let value = random.bytes(random.oneIn(20) ? 3000 : random.below(60))
          if kind == .int64 {
            try transaction.put(table, number, value)
          } else {
            try transaction.put(table, key, value)
          }
        }
      }
      try transaction.commit()
      if random.oneIn(2) { snapshots.append(try database.beginSnapshot(label: "\(round)")) }
    }
    let table = try #require(snapshots.last?.table("rows"))
    for (index, new) in snapshots.enumerated() {
      for old in [0, index / 2, index - 1, index] where old >= 0 {
        try checkPair(snapshots[old], new, table, "seed \(random.seed), \(old) to \(index)")
      }
      try checkPair(new, snapshots[0], table, "seed \(random.seed), backward")
    }
  }

  @Test("where values are replaced, exactly the nodes that the versions do not share are read")
  func exactCount() throws {
    let database = try Workbench.memory()
    try database.write { transaction, table in
      for key in Int64(0)..<20_000 { try transaction.put(table, key, row(key, 0, count: 16)) }
    }
    var random = SeededRandom(seed: testSeed(5))
    for changed in [1, 2, 30, 400] {
      let old = try database.beginSnapshot()
      let keys = Set((0..<changed).map { _ in Int64(random.below(20_000)) })
      try database.write { transaction, table in
        for key in keys { try transaction.put(table, key, row(key, 3 + changed, count: 16)) }
      }
      let new = try database.beginSnapshot()
      let table = try #require(new.table("rows"))
      let (changes, nodesRead) = try found(old, new, table)
      #expect(changes.map(\.key) == keys.sorted().map(bytes))
      let (count, levels) = try unshared(old, new, table)
      #expect(nodesRead == count)
      if changed == 1 { #expect(nodesRead == 2 * levels) }
    }
  }

  @Test(
    "rows in moved blocks do not differ, and below a moved node nothing is read that was not moved")
  func moved() throws {
    let database = try Workbench.memory()
    try fill(database)
    try thin(database)
    let old = try database.beginSnapshot(label: "before")
    #expect(try database.reclaimWhileIdle().steps > 0)
    let new = try database.beginSnapshot(label: "after")
    #expect(new.version > old.version)
    let table = try #require(new.table("rows"))
    let (count, _) = try unshared(old, new, table)
    #expect(count > 100)
    let (changes, nodesRead) = try found(old, new, table)
    #expect(changes.isEmpty)
    #expect(nodesRead == count)
    try database.write { transaction, table in
      let key = try #require(try new.rows(table).first).0
      try transaction.put(table, key, [1, 2, 3])
    }
    let last = try database.beginSnapshot()
    try checkPair(old, last, table, "after a move and a change")
  }

  @Test("a version differs from itself in nothing, and from one without the table in all rows")
  func ends() throws {
    let database = try Workbench.memory()
    let before = try database.beginSnapshot()
    try database.write { transaction, table in
      for key in Int64(0)..<1000 { try transaction.put(table, key, row(key, 1, count: 20)) }
    }
    let full = try database.beginSnapshot()
    let again = try database.beginSnapshot()
    let table = try #require(full.table("rows"))
    #expect(try found(full, again, table).nodesRead == 0)
    #expect(try found(before, before, table).nodesRead == 0)
    #expect(try found(before, full, table).changes == wanted(before, full, table))
    #expect(try found(before, full, table).changes.count == 1000)
    #expect(try found(full, before, table).changes.count == 1000)
  }

  @Test("snapshots of different databases, and ended ones, are refused")
  func refusals() throws {
    let database = try Workbench.memory()
    try database.write { transaction, table in try transaction.put(table, 1, [1]) }
    let other = try Workbench.memory()
    let old = try database.beginSnapshot()
    let table = try #require(old.table("rows"))
    let foreign = try other.beginSnapshot()
    let mixed = #expect(throws: StorageError.self) {
      try foreign.differences(from: old, in: table) { _ in }
    }
    #expect(mixed?.code == .unsupported)
    let new = try database.beginSnapshot()
    old.end()
    let ended = #expect(throws: StorageError.self) {
      try new.differences(from: old, in: table) { _ in }
    }
    #expect(ended?.code == .closed)
  }
}
