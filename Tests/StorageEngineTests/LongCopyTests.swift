// Long copies are written by a background thread, bypassing the page cache: with the same bytes, and the same result if
// a write fails.
import SystemIO
import TestSupport
import Testing

@testable import StorageEngine

@Suite("Long copies")
struct LongCopyTests {
  /// Rows in their leaves, in blocks of their own, and longer than both buffers.
  private func fill(_ database: Database) throws {
    try database.write { transaction, table in
      for key in 0..<Int64(20_000) {
        try transaction.put(table, key, row(key, 0, count: key % 3 == 0 ? 700 : 200))
      }
      try transaction.put(table, 30_000, row(30_000, 0, count: 900_000))
      try transaction.put(table, 30_001, row(30_001, 0, count: 40_000_001))
      for key in 40_000..<Int64(70_000) {
        try transaction.put(table, key, row(key, 0, count: 200))
      }
    }
    try database.write { transaction, table in
      for key in 0..<Int64(10_000) { _ = try transaction.delete(table, key * 2) }
    }
  }

  @Test("a long copy has the bytes of a short one, with and without direct writes")
  func sameBytes() throws {
    let bench = try Workbench()
    var options = Workbench.fast
    let first = try bench.open("data", options)
    try fill(first)
    // Closing may commit, and a copy has the version from which it was made.
    try first.close()
    let again = try bench.open("data", options)
    try again.writeCopy(to: bench.path("short"))
    try again.close()
    options.longCopyThreshold = 0
    let second = try bench.open("data", options)
    try second.writeCopy(to: bench.path("long"))
    let short = try FileSystem.read(bench.path("short"))
    let isSame = try FileSystem.read(bench.path("long")) == short
    #expect(isSame)
    let estimate = try second.estimateCompaction(measuringTime: false)
    #expect(estimate.resultBytes == short.count)
    guard case .compacted(_, let after, let rewritten) = try second.compact() else {
      Issue.record("nothing stood in the way")
      return
    }
    #expect(after.file == short.count && rewritten == estimate.bytesToWrite)
    let isCompactedSame = try FileSystem.read(bench.path()) == short
    #expect(isCompactedSame)
    #expect(try second.checkedAudit().rows == 40_002)
  }

  @Test(
    "a write that fails while the next part is assembled fails the copy, and nothing of it is left")
  func failingWrite() throws {
    let volume = FaultyVolume()
    var options = Workbench.fast
    options.longCopyThreshold = 0
    let database = try Database.open(path: "/data", on: volume, options: options)
    try database.write { transaction, table in
      for key in 0..<Int64(60_000) { try transaction.put(table, key, row(key, 0, count: 200)) }
    }
    volume.fail(.write, code: 28)
    let error = try #require(throws: StorageError.self) { try database.writeCopy(to: "/copy") }
    #expect(error.code == .outOfSpace)
    #expect(volume.fileNames == ["/data"])
    #expect(try database.checkedAudit().rows == 60_000)
    try database.writeCopy(to: "/copy")
  }
}
