// An open RocksDB database with its tables: how it is opened and closed, and what it reports of itself.
import CRocksDB
import EngineInterface
import MetricModel
import SystemIO

/// An open database. Closes when it goes.
final class RocksDBDatabase: @unchecked Sendable {
  let rocks: RocksDBLibrary
  let setup: DatabaseSetup
  let handle: OpaquePointer
  /// The session's tables, by `TableIndex`.
  let tables: [OpaquePointer]
  /// Every table in the database: the session's, and others that are only in the files.
  let families: [OpaquePointer]
  /// Which tables commits changed.
  let changes: TableChanges
  private let options: OpaquePointer
  /// Guards `unflushed` and `logged`.
  private let counting = ThreadMutex()
  /// The bytes of rows in each table's memtable, and of all rows since all tables were flushed, where the adapter flushes.
  private var unflushed: [Int]
  private var logged = 0

  init(_ setup: DatabaseSetup, isNew: Bool) throws(EngineError) {
    rocks = setup.rocks
    self.setup = setup
    options = try Self.makeOptions(setup)
    do throws(EngineError) {
      let present = isNew ? [] : try Self.names(setup, options)
      let others = (present + ["default"]).filter { !setup.tables.contains($0) }
      let names = setup.tables + Array(Set(others)).sorted()
      (handle, families) = try Self.open(setup, options, names)
    } catch {
      setup.rocks.call.optionsDestroy(options)
      throw error
    }
    tables = Array(families.prefix(setup.tables.count))
    changes = TableChanges(tableCount: setup.tables.count)
    unflushed = Array(repeating: 0, count: setup.tables.count)
  }

  deinit {
    for family in families { rocks.call.familyDestroy(family) }
    rocks.call.close(handle)
    rocks.call.optionsDestroy(options)
  }

  private static func makeOptions(_ setup: DatabaseSetup) throws(EngineError) -> OpaquePointer {
    let call = setup.rocks.call
    let base = call.optionsCreate()
    defer { call.optionsDestroy(base) }
    guard let options = call.optionsCreate() else {
      preconditionFailure("RocksDB made no options.")
    }
    try setup.rocks.check("setting options") {
      call.optionsFromString(base, setup.text, options, $0)
    }
    if let log = setup.files.log { call.optionsSetWalDir(options, log.padded) }
    call.optionsSetLogDir(options, setup.files.messages.padded)
    call.optionsEnableStatistics(options)
    return options
  }

  /// The names of the tables in the files. RocksDB opens a database with all of them or not at all.
  private static func names(
    _ setup: DatabaseSetup, _ options: OpaquePointer
  ) throws(EngineError) -> [String] {
    var count = 0
    let path = setup.files.data.string
    let names = try setup.rocks.check("listing the tables of \(path)") {
      setup.rocks.call.listFamilies(options, path, &count, $0)
    }
    guard let names else { return [] }
    defer { setup.rocks.call.listFamiliesDestroy(names, count) }
    return (0..<count).compactMap { names[$0].map { String(cString: $0) } }
  }

  private static func open(
    _ setup: DatabaseSetup, _ options: OpaquePointer, _ names: [String]
  ) throws(EngineError) -> (OpaquePointer, [OpaquePointer]) {
    var texts: [UnsafePointer<CChar>?] = []
    defer { for text in texts { text?.deallocate() } }
    for name in names {
      let bytes = name.utf8CString
      let text = UnsafeMutablePointer<CChar>.allocate(capacity: bytes.count)
      for (index, byte) in bytes.enumerated() { text[index] = byte }
      texts.append(UnsafePointer(text))
    }
    var families = [OpaquePointer?](repeating: nil, count: names.count)
    let path = setup.files.data.string
    let handle = try setup.rocks.check("opening \(path)") { failure in
      setup.rocks.call.openFamilies(
        options, path, Int32(names.count), texts,
        [OpaquePointer?](repeating: options, count: names.count), &families, failure)
    }
    guard let handle else { preconditionFailure("RocksDB opened nothing and reported no error.") }
    return (handle, families.compactMap { $0 })
  }
}

extension RocksDBDatabase {
  /// Adds what a commit wrote to each table. Where the adapter flushes, the tables whose memtables are full by now are
  /// flushed, and all of them once the log is long; then waits until nothing is left to do. Called by one writer at a time.
  func committed(bytes: [Int]) throws(EngineError) {
    if setup.worksInBackground { return }
    let full = counting.withLock {
      for (table, added) in bytes.enumerated() {
        unflushed[table] += added
        logged += added
      }
      let isLogFull = logged >= DatabaseSetup.logOfTable * tables.count
      let full = unflushed.indices.filter {
        unflushed[$0] >= DatabaseSetup.writeBuffer || isLogFull && unflushed[$0] > 0
      }
      for table in full { unflushed[table] = 0 }
      if unflushed.allSatisfy({ $0 == 0 }) { logged = 0 }
      return full
    }
    if full.isEmpty { return }
    for table in full { try flush(tables[table]) }
    awaitRest()
  }

  /// Writes all memtables to files, after which the log has nothing that is not in them.
  func flushAll() throws(EngineError) {
    for family in families { try flush(family) }
    counting.withLock {
      for table in unflushed.indices { unflushed[table] = 0 }
      logged = 0
    }
    awaitRest()
  }

  private func flush(_ family: OpaquePointer) throws(EngineError) {
    // Waiting is the default.
    let options = rocks.call.flushOptionsCreate()
    defer { rocks.call.flushOptionsDestroy(options) }
    try rocks.check("flushing a table") { rocks.call.flush(handle, options, family, $0) }
  }

  /// The bytes of rows that are in memtables and the log only. Where RocksDB flushes, those that it allocated for them.
  var unflushedBytes: ByteCount {
    if setup.worksInBackground {
      let allocated = sum(of: "rocksdb.cur-size-all-mem-tables")
      return ByteCount(max(0, allocated - families.count * Self.emptyMemtable))
    }
    return counting.withLock { ByteCount(unflushed.reduce(0, +)) }
  }

  /// The bytes of a memtable without rows.
  private static let emptyMemtable = 2048

  /// The sum of a property over all tables.
  func sum(of property: String) -> Int { families.reduce(0) { $0 + number(property, of: $1) } }

  /// The value of a property of the whole database.
  func number(_ property: String) -> Int { families.first.map { number(property, of: $0) } ?? 0 }

  private func number(_ property: String, of family: OpaquePointer) -> Int {
    var value: UInt64 = 0
    guard rocks.call.propertyNumber(handle, family, property, &value) == 0 else { return 0 }
    return Int(clamping: value)
  }

  /// The texts of a property, one for each table.
  func texts(of property: String) -> [String] {
    families.compactMap { rocks.takeText(rocks.call.propertyText(handle, $0, property)) }
  }

  /// What RocksDB counted since it was opened.
  var counters: Counters { Counters(rocks.takeText(rocks.call.optionsStatistics(options)) ?? "") }

  /// Waits until no flush and no compaction runs or is due. RocksDB 7.8 has no function for it, and its properties are read
  /// one after the other: between two of them a job that was due may begin, or one that ran may make another one due. So
  /// there is rest where two readings find none, and the set of files is the same in both.
  func awaitRest() {
    waitForJobs()
    // Flushes run one after the other, and each deletes what it made obsolete.
    if setup.style != .none { deleteObsoleteFiles() }
  }

  /// Waits for what the end of a snapshot made due: RocksDB then compacts files of the last level that have row versions which
  /// only that snapshot saw.
  func snapshotEnded() {
    guard !setup.worksInBackground, setup.style != .none, waitForJobs() else { return }
    deleteObsoleteFiles()
  }

  /// Returns whether there was a job to wait for.
  @discardableResult
  private func waitForJobs() -> Bool {
    var idlePolls = 0
    var restingVersion: Int?
    var hasWaited = false
    while idlePolls < Self.maxIdlePolls {
      let isDue =
        sum(of: "rocksdb.mem-table-flush-pending") > 0
        || setup.style != .none && sum(of: "rocksdb.compaction-pending") > 0
      let isRunning =
        number("rocksdb.num-running-flushes") + number("rocksdb.num-running-compactions") > 0
      let version = fileSetVersion
      if !isDue, !isRunning {
        if version == restingVersion { return hasWaited }
        restingVersion = version
        continue
      }
      hasWaited = true
      restingVersion = nil
      // A compaction that RocksDB considers due and does not begin: there is none that it could pick.
      idlePolls = isRunning ? 0 : idlePolls + 1
      Clock.sleep(untilNanoseconds: Clock.monotonicNanoseconds() + Self.pollNanoseconds)
    }
    return hasWaited
  }

  /// Deletes files that no version and no iterator needs. RocksDB does so at the end of a job, but leaves files of a number
  /// above that of an output of another running job for the next time.
  private func deleteObsoleteFiles() {
    try? rocks.check("stopping deletions") { rocks.call.disableFileDeletions(handle, $0) }
    try? rocks.check("deleting obsolete files") { rocks.call.enableFileDeletions(handle, 1, $0) }
  }

  /// A number that grows with each change of the set of memtables and files of any table.
  var fileSetVersion: Int { sum(of: "rocksdb.current-super-version-number") }

  private static let pollNanoseconds: UInt64 = 100_000
  private static let maxIdlePolls = 5000
}
