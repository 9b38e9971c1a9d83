// What a database refuses after a failed write or sync: what reached the disk is unknown, so nothing may build on it
// until it is opened again.
import StorageEngine
import SystemIO
import TestSupport
import Testing

@Suite("After a failed write")
struct PoisonTests {
  private static let file: FilePath = "/rows.db"
  private static let inputOutputError: Int32 = 5
  private let rows: RowModel = [1: [1], 2: [2], 3: [3]]

  private func open(_ volume: FaultyVolume) throws -> Database {
    try Database.open(path: Self.file, on: volume)
  }

  private func fill(_ volume: FaultyVolume) throws -> Database {
    let database = try open(volume)
    try database.apply(rows.map { RowChange(key: $0, value: $1) })
    return database
  }

  /// Every call that writes, by name.
  private func attempts(_ database: Database) -> [(String, () throws -> Void)] {
    [
      ("beginWrite", { try database.beginWrite().rollBack() }),
      ("apply", { try database.apply([RowChange(key: 9, value: [9])]) }),
      ("compact", { _ = try database.compact() }),
      ("makeSavepoint", { _ = try database.makeSavepoint("later") }),
      ("dropSavepoint", { try database.dropSavepoint("later") }),
    ]
  }

  @Test(
    "every call that writes is refused as poisoned and writes nothing; every call that reads continues",
    arguments: [FaultyVolume.Operation.write, .sync])
  func everyCall(_ operation: FaultyVolume.Operation) throws {
    let volume = FaultyVolume()
    let database = try fill(volume)
    let change = RowChange(key: 1, value: [7])
    volume.fail(operation, code: Self.inputOutputError)
    #expect(throws: StorageError.self) { try database.apply([change]) }
    let before = volume.crashStates().changeCount
    for (name, attempt) in attempts(database) {
      let error = #expect(throws: StorageError.self, "\(name)") { try attempt() }
      #expect(error?.code == .poisoned, "\(name): \(String(describing: error))")
    }
    #expect(volume.crashStates().changeCount == before, "a poisoned database wrote")
    #expect(try database.rows() == rows)
    #expect(database.usage().file > 0)
    try database.close()
    #expect(volume.crashStates().changeCount == before, "a poisoned database wrote at its end")
    let left = volume.afterKill()
    let again = try open(left)
    let verdict = try CrashVerdict(again, allowed: [rows, rows.applying([change])])
    guard case .state = verdict else {
      Issue.record("\(verdict)")
      return
    }
    try again.apply([RowChange(key: 4, value: [4])])
  }

  @Test("a compaction whose folder sync failed leaves a database that takes no commit")
  func folderSync() throws {
    let volume = FaultyVolume()
    let database = try fill(volume)
    volume.fail(.syncFolder, code: Self.inputOutputError)
    let failure = #expect(throws: StorageError.self) { try database.compact() }
    #expect(failure?.code == .poisoned)
    for (name, attempt) in attempts(database) {
      let error = #expect(throws: StorageError.self, "\(name)") { try attempt() }
      #expect(error?.code == .poisoned, "\(name): \(String(describing: error))")
    }
    #expect(try database.rows() == rows)
  }

  @Test(
    "a compaction that fails before its rename leaves the old file, which takes further commits",
    arguments: [FaultyVolume.Operation.create, .write, .resize, .sync, .rename])
  func earlier(_ operation: FaultyVolume.Operation) throws {
    let volume = FaultyVolume()
    let database = try fill(volume)
    volume.fail(operation, code: Self.inputOutputError)
    #expect(throws: StorageError.self) { try database.compact() }
    #expect(volume.fileNames == ["/rows.db"])
    let change = RowChange(key: 2, value: nil)
    try database.apply([change])
    #expect(try database.rows() == rows.applying([change]))
    #expect(try database.audit().violations == [])
  }

  @Test(
    "a first opening that fails leaves no file, and the next one creates the database",
    arguments: [FaultyVolume.Operation.create, .write, .resize, .sync, .syncFolder])
  func firstOpening(_ operation: FaultyVolume.Operation) throws {
    let volume = FaultyVolume()
    volume.fail(operation, code: Self.inputOutputError)
    let failure = #expect(throws: StorageError.self) { try open(volume) }
    #expect(failure?.cause?.code == Self.inputOutputError)
    #expect(volume.fileNames == [])
    guard operation != .syncFolder else { return }
    #expect(try fill(volume).rows() == rows)
  }

  @Test("an opening that fails never removes a file that was there before")
  func laterOpening() throws {
    let volume = FaultyVolume()
    // Not closed, since the opening of a closed file syncs nothing.
    let database = try fill(volume)
    let left = volume.afterKill()
    left.fail(.sync, code: Self.inputOutputError)
    #expect(throws: StorageError.self) { try open(left) }
    #expect(left.fileNames == ["/rows.db"])
    try database.close()
  }

  @Test("a new database has its name on disk before the first commit can be")
  func nameFirst() throws {
    let volume = FaultyVolume()
    var order: [FaultyVolume.Operation] = []
    volume.beforeOperation = { _, operation, _ in order.append(operation) }
    let database = try open(volume)
    #expect(order.last == .syncFolder)
    #expect(order.first == .create)
    let opened = order.count
    try database.apply([RowChange(key: 1, value: [1])])
    #expect(order[opened...].last == .sync)
    volume.beforeOperation = nil
    let cut = volume.crashStates().volume(unitSize: 512) { _ in false }
    #expect(try open(cut).rows() == [1: [1]])
  }
}
