// Limits: what does not fit is refused without a change, and what fits succeeds.
import Glibc
import SystemIO
import TestSupport
import Testing

@testable import StorageEngine

@Suite("Limits")
struct LimitTests {
  private func fill(_ database: Database, _ keys: Range<Int64>, count: Int) throws {
    try database.write { transaction, table in
      for key in keys { try transaction.put(table, key, row(key, 0, count: count)) }
    }
  }

  private func rows(_ database: Database) throws -> Int {
    let snapshot = try database.beginSnapshot()
    defer { snapshot.end() }
    return try snapshot.count(try #require(snapshot.table("rows")))
  }

  @Test(
    "a commit beyond the maximum file size is rolled back, and a smaller one succeeds"
  )
  func fileSize() throws {
    let bench = try Workbench()
    var options = Workbench.fast
    options.maximumFileSize = 200_000
    let database = try bench.open("data", options)
    try fill(database, 0..<100, count: 1000)
    let before = database.usage()
    let error = try #require(throws: StorageError.self) {
      try fill(database, 100..<300, count: 1000)
    }
    #expect(error.code == .limitExceeded && error.message.contains("maximumFileSize"))
    #expect(database.usage() == before)
    try database.checkedAudit()
    try fill(database, 100..<110, count: 1000)
    #expect(try rows(database) == 110)
    #expect(database.usage().file <= 200_000 / 4096 * 4096)
    #expect(try FileSystem.read(bench.path()).count == database.usage().file)
    try database.close()
    // Opened with a lower limit, it works within what it has.
    options.maximumFileSize = 50_000
    let again = try bench.open("data", options)
    #expect(throws: StorageError.self) { try fill(again, 200..<400, count: 1000) }
    try again.write { _ = try $0.delete($1, 5) }
    #expect(try rows(again) == 109)
    try again.close()
  }

  /// Inserts rows until one is refused, and returns how many there are.
  private func fillUp(_ database: Database, from key: Int64) throws -> Int64 {
    var next = key
    while true {
      do {
        try fill(database, next..<next + 10, count: 300)
        next += 10
      } catch let error as StorageError {
        #expect(error.code == .limitExceeded, "\(error)")
        return next
      }
    }
  }

  @Test(
    "a file that is full of rows can be changed and emptied at its limit, and filled again",
    arguments: [1 << 18, 1 << 20, 8 << 20], [Allocation.clustered, .tightFit])
  func emptiedAtTheLimit(_ limit: Int, _ allocation: Allocation) throws {
    let bench = try Workbench()
    var options = Workbench.fast
    options.maximumFileSize = limit
    options.automaticCompaction = nil
    options.allocation = allocation
    let database = try bench.open("data", options)
    var next: Int64 = 0
    var random = SeededRandom(seed: 7)
    for generation in 1...3 {
      let first = next
      next = try fillUp(database, from: first)
      #expect(Int(next - first) * 300 > limit / 2, "\(next - first) rows in \(limit) bytes")
      for _ in 0..<500 {
        let key = first + Int64(random.below(Int(next - first)))
        try database.write { try $0.put($1, key, row(key, generation, count: 300)) }
      }
      // Rows that are far apart, so that each copies a leaf of its own: as many at once as half of the reserve has pages.
      let count = Int64(limit / 64 / 4096 + 1)
      let distance = (next - first + count - 1) / count
      for start in 0..<distance {
        try database.write { transaction, table in
          for key in stride(from: first + start, to: next, by: Int(distance)) {
            let existed = try transaction.delete(table, key)
            #expect(existed)
          }
        }
      }
      #expect(try rows(database) == 0)
    }
    try database.checkedAudit()
    try database.close()
  }

  @Test("a file larger than the mapping limit is refused, and growth beyond it is rolled back")
  func mapped() throws {
    let bench = try Workbench()
    var options = Workbench.fast
    options.maximumMappedBytes = 1 << 20
    let database = try bench.open("data", options)
    try fill(database, 0..<500, count: 1000)
    let error = try #require(throws: StorageError.self) {
      try fill(database, 500..<1500, count: 1000)
    }
    #expect(error.code == .limitExceeded && error.message.contains("maximumMappedBytes"))
    try fill(database, 500..<510, count: 1000)
    try database.checkedAudit()
    try database.close()
    let before = try FileSystem.read(bench.path())
    options.maximumMappedBytes = 1 << 18
    let refused = try #require(throws: StorageError.self) { try bench.open("data", options) }
    #expect(refused.code == .limitExceeded)
    #expect(try FileSystem.read(bench.path()) == before)
    let free = try bench.open()
    try fill(free, 510..<3000, count: 1000)
    #expect(try rows(free) == 3000)
    try free.close()
  }

  @Test(
    "with little address space large commits are refused without a change, and smaller ones succeed",
    .disabled(if: hasAddressSanitizer, "AddressSanitizer takes terabytes of addresses for itself."))
  func addressSpace() async throws {
    let bench = try Workbench()
    let pathString = bench.path().string
    await #expect(processExitsWith: .success) { [pathString = pathString as String] in
      try littleAddressSpace(pathString)
    }
    let database = try bench.open()
    try database.checkedAudit()
    #expect(try rows(database) > 2)
    let value = [UInt8](repeating: 4, count: 1 << 20)
    for key in Int64(1000)..<1100 { try database.write { try $0.put($1, key, value) } }
    try database.close()
  }
}

/// Whether this is a run under AddressSanitizer.
private let hasAddressSanitizer = dlsym(nil, "__asan_init") != nil

/// Runs in a process of its own, with an address space of 80 MiB.
private func littleAddressSpace(_ pathString: String) throws {
  let path = FilePath(pathString)
  let words = String(decoding: try FileSystem.read("/proc/self/statm"), as: UTF8.self)
  let used = UInt(words.split(separator: " ")[0])! * UInt(getpagesize())
  let most = used + (80 << 20)
  var limit = rlimit(rlim_cur: most, rlim_max: most)
  precondition(setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit) == 0)
  var options = Workbench.fast
  options.growthStep = 4 << 20
  let database = try Database.open(path: path, options: options)
  let value = [UInt8](repeating: 3, count: 1 << 20)
  var made: Int64 = 0
  var refused: StorageError?
  while refused == nil, made < 500 {
    do {
      try database.write { try $0.put($1, made, value) }
      made += 1
    } catch let error as StorageError { refused = error }
  }
  precondition(refused?.code == .limitExceeded, "\(String(describing: refused)) after \(made)")
  precondition(made > 2, "only \(made) rows fit")
  try database.write { try $0.put($1, 0, [1, 2, 3]) }
  try database.write { try $0.put($1, 0, value) }
  try database.close()
}
