// A copy of a closed file, such as one that an app brings along or restores: it has the mark of a closed file, but its bytes
// and its name may be in the page cache only. Opening it syncs nothing, so its first durable commit has to.
import StorageEngine
import SystemIO
import TestSupport
import Testing

@Suite("Copies of closed files")
struct CopiedFileTests {
  private let change = RowChange(key: 7, value: [7])

  @Test("opening a copy syncs nothing; its first commit syncs bytes and name before it writes")
  func firstCommit() throws {
    let copied = try CopiedFile()
    var order: [FaultyVolume.Operation] = []
    copied.volume.beforeOperation = { _, operation, _ in order.append(operation) }
    let database = try copied.open()
    #expect(try database.rows() == copied.rows)
    #expect(order == [])
    try database.apply([change])
    // The file becomes longer first, since that may fail.
    let calls = order.filter { $0 != .resize }
    #expect(calls.prefix(2) == [.sync, .syncFolder])
    #expect(calls.dropFirst(2).contains(.write) && calls.last == .sync)
    order = []
    try database.apply([RowChange(key: 8, value: [8])])
    #expect(order.count { $0 == .sync } == 1 && !order.contains(.syncFolder))
  }

  @Test("a copy that is only read is left as it is")
  func onlyRead() throws {
    let copied = try CopiedFile()
    var order: [FaultyVolume.Operation] = []
    copied.volume.beforeOperation = { _, operation, _ in order.append(operation) }
    for _ in 0..<3 {
      let database = try copied.open()
      #expect(try database.rows() == copied.rows)
      try database.close()
    }
    #expect(order == [])
  }

  @Test(
    "a power cut in the first commit leaves the rows before it or after it; behind it, after it")
  func powerCut() throws {
    let seed = testSeed()
    let (cuts, problems) = try CopiedFile().powerCuts(in: [change], seed: seed)
    #expect(problems == [], "SEED=\(seed)")
    #expect(cuts >= 20)
  }

  @Test("a process that is killed in its first commit leaves a file whose next opening syncs it")
  func killed() throws {
    let copied = try CopiedFile()
    let database = try copied.open()
    var left: [FaultyVolume] = []
    copied.volume.beforeOperation = { volume, operation, _ in left.append(volume.afterKill()) }
    try database.apply([change])
    copied.volume.beforeOperation = nil
    #expect(left.count >= 4)
    for volume in left {
      let again = try CopiedFile.open(volume)
      let found = try again.rows()
      #expect([copied.rows, copied.rows.applying([change])].contains(found))
      try again.apply([RowChange(key: 9, value: [9])])
      let cut = volume.crashStates().volume(unitSize: 512) { _ in false }
      #expect(try CopiedFile.open(cut).rows() == found.merging([9: [9]]) { $1 })
    }
  }

  @Test(
    "a commit whose deferred sync fails is refused, and the database takes no other",
    arguments: [FaultyVolume.Operation.sync, .syncFolder])
  func failure(_ operation: FaultyVolume.Operation) throws {
    let copied = try CopiedFile()
    let database = try copied.open()
    copied.volume.fail(operation, code: 5)
    #expect(throws: StorageError.self) { try database.apply([change]) }
    let error = #expect(throws: StorageError.self) { try database.apply([change]) }
    #expect(error?.code == .poisoned)
    #expect(try database.rows() == copied.rows)
  }

  @Test(
    "a file that is longer than when it was closed, or was not closed, is synced when it is opened")
  func otherwise() throws {
    let copied = try CopiedFile()
    do {
      let file = try copied.volume.open(CopiedFile.path, .existing)
      try file.resize(to: file.size + 4096)
    }
    let syncs = copied.volume.count(of: .sync)
    let database = try copied.open()
    #expect(copied.volume.count(of: .sync) == syncs + 1)
    try database.apply([change])
    let left = copied.volume.afterKill()
    _ = try CopiedFile.open(left)
    #expect(left.count(of: .sync) == 1 && left.count(of: .syncFolder) == 1)
  }
}

/// A copy of a closed file on a volume on which nothing is durable.
struct CopiedFile {
  static let path: FilePath = "/copy.db"
  let volume = FaultyVolume()
  let rows: RowModel
  private let options: DatabaseOptions

  init(options: DatabaseOptions = DatabaseOptions()) throws {
    self.options = options
    let original = FaultyVolume()
    let database = try Database.open(path: "/rows.db", on: original)
    var rows: RowModel = [:]
    for key in 0..<60 { rows[Int64(key)] = [UInt8](repeating: UInt8(key), count: 300) }
    try database.apply(rows.sorted { $0.key < $1.key }.map { RowChange(key: $0, value: $1) })
    try database.close()
    self.rows = rows
    let bytes = original.file("/rows.db")?.liveBytes ?? []
    let file = try volume.open(Self.path, .new)
    try file.resize(to: bytes.count)
    for offset in stride(from: 0, to: bytes.count, by: 4096) {
      try bytes[offset..<min(offset + 4096, bytes.count)].withUnsafeBytes {
        try file.write($0, at: offset)
      }
    }
  }

  static func open(
    _ volume: FaultyVolume, _ options: DatabaseOptions = DatabaseOptions()
  ) throws -> Database {
    try Database.open(path: path, on: volume, options: options)
  }

  func open() throws -> Database { try Self.open(volume, options) }

  /// Commits, with a power cut before each operation that follows the sync of the name, and one behind the commit. Returns
  /// how many there were, and those that left other rows.
  func powerCuts(in changes: [RowChange], seed: UInt64) throws -> (cuts: Int, problems: [String]) {
    var random = SeededRandom(seed: seed)
    var (cuts, problems) = (0, [String]())
    func cut(_ volume: FaultyVolume, _ allowed: [RowModel], _ context: String) {
      let states = volume.crashStates()
      for number in 0..<12 {
        cuts += 1
        let left = states.volume(unitSize: random.oneIn(2) ? 512 : 4096) { _ in
          number == 0 || (number > 1 && random.oneIn(2))
        }
        do {
          let opened = try Self.open(left, options)
          if !allowed.contains(try opened.rows()) { problems.append("\(context): other rows") }
        } catch { problems.append("\(context): \(error)") }
      }
    }
    let next = rows.applying(changes)
    let database = try open()
    volume.beforeOperation = { [rows] volume, operation, _ in
      guard volume.count(of: .syncFolder) > 0 else { return }
      cut(volume, [rows, next], "before \(operation)")
    }
    try database.apply(changes)
    volume.beforeOperation = nil
    cut(volume, [next], "behind the commit")
    return (cuts, problems)
  }
}
