// Forged lists and references that free what the engine itself needs: pieces of its records, table lists of savepoints,
// roots. Such a file is refused when it is opened if its records alone show the contradiction, else by the commit that
// would write it. No trap, and nothing is overwritten.
import SystemIO
import TestSupport
import Testing

@testable import StorageEngine

@Suite("Forged lists")
struct ForgedListsTests {
  /// Makes a row's reference point to these bytes, as if they were its value.
  private func lead(_ forgery: Forgery, _ key: Int64, to target: Extent) throws {
    try forgery.database.write { transaction, table in
      try transaction.put(table, key, row(key, 1, count: 600))
    }
    let value = BlockRef(
      offset: target.offset, size: target.size, birth: 2,
      checksum: Checksum.of(forgery.base + target.offset, count: target.size, seed: 2))
    try forgery.editLeaf(0) { bytes, node in
      let index = try #require((0..<node.count).first { node.number($0) == UInt64(key) })
      let slot = node.slot(index, .int64)
      #expect(slot & Node.referenceBit != 0)
      value.store(bytes, at: Int(slot & 0x7FFF))
    }
  }

  private func chain(_ forgery: Forgery) throws -> RecordChain {
    try RecordChain(forgery.slot, base: FileView(plain: forgery.base))
  }

  /// Commits until one is refused. Returns the error.
  private func refusal(_ database: Database, atMost commits: Int) -> StorageError? {
    for number in 0..<commits {
      do {
        try database.write { transaction, table in
          for key in Int64(0)..<8 {
            try transaction.put(table, 100 + key * 70, row(key, number, count: 24))
          }
        }
      } catch { return error as? StorageError }
    }
    return nil
  }

  @Test(
    "a record that frees a record's piece, a savepoint's list or a table's root is refused when it is read",
    arguments: ["piece", "list", "root"])
  func freedRoots(_ what: String) throws {
    let forgery = try Forgery()
    try forgery.database.makeSavepoint("kept")
    _ = refusal(forgery.database, atMost: 2)
    let sound = try chain(forgery)
    let extent: Extent =
      switch what {
      case "piece": Array(sound.pieces(ofRecord: 1))[0]
      case "list": Extent(sound.newest.savepoints[0].list)
      default: Extent(sound.newest.tables[0].root.root)
      }
    let rule = ReclamationRule(.exact, sound.newest.savepoints.map(\.version))
    _ = try sound.freeSpace(pinnedBy: rule)
    try forgery.editRecord {
      ($0.freed[0].offset, $0.freed[0].size) = (extent.offset, extent.size)
      $0.freed.sort { $0.offset < $1.offset }
    }
    let forged = try chain(forgery)
    let error = #expect(throws: StorageError.self) {
      _ = try forged.freeSpace(pinnedBy: rule)
    }
    #expect(error?.code == .corrupt)
    #expect(error?.message.contains("offset \(extent.offset)") == true)
  }

  @Test(
    "deleting a row whose reference leads to a record's piece fails the commit without a trap"
  )
  func freedPiece() throws {
    for which in [1, 4] {
      for allocation in [Allocation.tightFit, .clustered] {
        var options = Workbench.fast
        options.allocation = allocation
        let forgery = try Forgery(options)
        _ = refusal(forgery.database, atMost: 8)
        try lead(forgery, 5, to: Array(try chain(forgery).pieces)[which])
        try forgery.database.write { transaction, table in _ = try transaction.delete(table, 5) }
        let refused = try #require(
          refusal(forgery.database, atMost: 600), "piece \(which), \(allocation)")
        #expect(refused.code == .corrupt)
        #expect(refused.message.hasPrefix("SPACE-1"))
        let written = forgery.file.liveBytes
        #expect(refusal(forgery.database, atMost: 1)?.code == .corrupt)
        #expect(forgery.file.liveBytes == written)
      }
    }
  }
}

extension Extent {
  fileprivate init(_ ref: BlockRef) { self.init(offset: ref.offset, size: ref.space) }
}
