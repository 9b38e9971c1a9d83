// What all parts of the benchmark share: the sizes, the engines, their files, random keys and turns.

import BenchSupport
import StorageEngine

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

final class Bench {
  let rows: Int
  let pairs: Int
  let updates: Int
  let folder: String
  let allocation: Allocation
  let only: String?
  var random: KeyStream
  var value: [UInt8]
  var table = PairTable()

  init(
    rows: Int, value: Int, pairs: Int, updates: Int, folder: String, seed: UInt64,
    allocation: Allocation, only: String?
  ) throws {
    self.rows = rows
    self.pairs = pairs
    self.updates = updates
    self.allocation = allocation
    self.only = only
    self.value = (0..<value).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    random = KeyStream(seed: seed)
    var template = Array((folder + "/engine-bench-XXXXXX").utf8CString)
    guard mkdtemp(&template) != nil else {
      throw BenchError(description: "\(folder): \(String(cString: strerror(errno)))")
    }
    self.folder = template.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
  }

  deinit {
    removeFiles()
    rmdir(folder)
  }

  func removeFiles() {
    for name in [
      "native.db", "native.db.lock", "lmdb.db", "lmdb.db-lock", "sqlite.db", "sqlite.db-wal",
      "sqlite.db-shm",
    ] { unlink(folder + "/" + name) }
  }

  /// Engines with new files, the native one first.
  func engines() throws -> [any BenchEngine] {
    removeFiles()
    var engines: [any BenchEngine] = []
    if only == nil || only == "native" {
      engines.append(try NativeBench(folder: folder, allocation: allocation))
    }
    if only == nil || only == "LMDB" { engines.append(try LMDBBench(folder: folder)) }
    if only == nil || only == "SQLite" { engines.append(try SQLiteBench(folder: folder)) }
    return engines
  }

  /// The engines in an order drawn anew: a slow moment of the machine falls on all of them.
  func shuffled(_ engines: [any BenchEngine]) -> [any BenchEngine] {
    var rest = engines
    var order: [any BenchEngine] = []
    while !rest.isEmpty { order.append(rest.remove(at: Int(random.next() % UInt64(rest.count)))) }
    return order
  }

  func load(_ engine: any BenchEngine, _ keys: Range<Int64>? = nil) throws {
    try value.withUnsafeBytes { try engine.load(keys ?? 0..<Int64(rows), value: $0) }
  }

  /// Commits random updates. Returns the wall time and the processor time in seconds.
  @discardableResult
  func commits(
    _ engine: any BenchEngine, _ batches: [[Int64]]
  ) throws -> (wall: Double, processor: Double) {
    try seconds {
      for keys in batches {
        value[Int(truncatingIfNeeded: keys[0]) % value.count] &+= 1
        try value.withUnsafeBytes { try engine.update(keys, value: $0) }
      }
    }
  }

  func seconds(_ body: () throws -> Void) rethrows -> (wall: Double, processor: Double) {
    let start = nanoseconds()
    let spent = processorNanoseconds()
    try body()
    return (
      Double(nanoseconds() - start) / 1e9, Double(processorNanoseconds() - spent) / 1e9
    )
  }

  func batches(_ count: Int, of updates: Int) -> [[Int64]] {
    (0..<count).map { _ in random.keys(updates, below: rows) }
  }

  /// Updates as many rows as `times` the table has, without sync.
  func churn(_ engine: any BenchEngine, times: Int, seed: UInt64) throws {
    try engine.setMode(.unsynced)
    var random = KeyStream(seed: seed)
    let inCommit = rows > 100_000 ? 200 : updates
    for _ in 0..<(rows * times / inCommit) {
      _ = try commits(engine, [random.keys(inCommit, below: rows)])
    }
  }

  /// Has the files on disk and out of the page cache, so that the next pages that change are single ones: a file that
  /// was written in large pieces is cached in large pieces, and those are written whole.
  func settle(_ engine: any BenchEngine) throws {
    try engine.setMode(.durable)
    try engine.close()
    for path in engine.files {
      let descriptor = open(path, O_RDONLY)
      guard descriptor >= 0 else { continue }
      fsync(descriptor)
      #if canImport(Glibc)
        posix_fadvise(descriptor, 0, 0, POSIX_FADV_DONTNEED)
      #endif
      closeDescriptor(descriptor)
    }
    try engine.reopen()
  }

  func fileBytes(_ engine: any BenchEngine) -> Double {
    Double(engine.files.map { lengthOfFile($0) }.reduce(0, +))
  }
}
