import StorageEngine
import SystemIO
import TestSupport
import Testing

@Suite("Refusing system calls")
struct FailingCallTests {
  private static let inputOutputError: Int32 = 5

  /// A database of a few commits, and its rows.
  private func begin(_ file: FaultyStorageFile) throws -> (Database, RowModel) {
    let database = try Database.open(file: file, options: CrashWorkload.mixed.options)
    var rows: RowModel = [:]
    for key in 0..<20 {
      let change = RowChange(key: Int64(key), value: [UInt8](repeating: UInt8(key), count: 200))
      try database.apply([change])
      rows = rows.applying([change])
    }
    return (database, rows)
  }

  @Test(
    "after a failed write or sync nothing is written, readers continue, and reopening finds a complete commit",
    arguments: [FaultyStorageFile.Call.write, .sync], [1, 2])
  func failedCall(_ call: FaultyStorageFile.Call, _ occurrence: Int) throws {
    let file = FaultyStorageFile()
    let (database, rows) = try begin(file)
    let change = RowChange(key: 5, value: [UInt8](repeating: 99, count: 5000))
    file.fail(call, occurrence: occurrence, code: Self.inputOutputError)
    var failure: StorageError?
    var attempts = 0
    while failure == nil, attempts < 4 {
      attempts += 1
      do throws(StorageError) { try database.apply([change]) } catch { failure = error }
    }
    let error = try #require(failure)
    #expect(error.code == .failed || error.code == .poisoned)
    #expect(error.cause?.code == Self.inputOutputError)
    // Readers of this process may or may not see the failed commit, but never half of it.
    let seen = try database.rows()
    #expect(seen == rows || seen == rows.applying([change]))
    let written = file.bytesWritten
    let again = try #require(throws: StorageError.self) { try database.apply([change]) }
    #expect(again.code == .poisoned)
    #expect(file.bytesWritten == written, "a poisoned database wrote")
    try database.close()
    let left = file.afterKill(keepingChanges: file.pendingChanges)
    let reopened = try Database.open(file: left, options: CrashWorkload.mixed.options)
    let verdict = try CrashVerdict(reopened, allowed: [rows, rows.applying([change])])
    guard case .state = verdict else {
      Issue.record("\(verdict)")
      return
    }
    try reopened.apply([RowChange(key: 6, value: nil)])
    try reopened.close()
  }

  @Test(
    "on a full disk commits fail as out of space, reading continues, and writing continues once there is space"
  )
  func fullDisk() throws {
    let file = FaultyStorageFile()
    var (database, rows) = try begin(file)
    file.sizeLimit = file.size
    let large = RowChange(key: 7, value: [UInt8](repeating: 1, count: 4 << 20))
    let error = try #require(throws: StorageError.self) { try database.apply([large]) }
    #expect(error.code == .outOfSpace)
    #expect(try database.rows() == rows)
    let small = RowChange(key: 3, value: nil)
    try database.apply([small])
    #expect(try database.rows() == rows.applying([small]))
    rows = rows.applying([small])
    try database.close()
    file.sizeLimit = nil
    let reopened = try Database.open(file: file, options: CrashWorkload.mixed.options)
    let verdict = try CrashVerdict(reopened, allowed: [rows])
    guard case .state = verdict else {
      Issue.record("\(verdict)")
      return
    }
    try reopened.apply([large])
    #expect(try reopened.rows() == rows.applying([large]))
    try reopened.close()
  }
}
