// Opening a large file: after a clean close, and after its process was killed right behind a durable commit.

import BenchSupport

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

struct OpenPart {
  let bench: Bench

  func run() throws -> String {
    for engine in try bench.engines() where engine.name != "SQLite" {
      try bench.load(engine)
      try engine.setMode(.durable)
      try engine.close()
      for _ in 0..<bench.pairs {
        let seconds = try opening(engine)
        bench.table.add("open after a clean close, µs", engine.name, seconds * 1e6, isCost: true)
        try engine.close()
      }
      for _ in 0..<bench.pairs {
        try crash(engine)
        let seconds = try opening(engine)
        bench.table.add("open after a crash, µs", engine.name, seconds * 1e6, isCost: true)
        try engine.close()
      }
      bench.table.add("file, bytes", engine.name, bench.fileBytes(engine), isCost: true)
      bench.table.add(
        "memory at the end, KiB", engine.name, Double(peakMemory() ?? 0), isCost: true)
    }
    return bench.table.markdown
  }

  private func opening(_ engine: any BenchEngine) throws -> Double {
    let start = nanoseconds()
    try engine.reopen()
    return Double(nanoseconds() - start) / 1e9
  }

  /// Another process opens the file, commits and ends without closing.
  private func crash(_ engine: any BenchEngine) throws {
    let arguments = [
      "engine-bench", "--part", "crash", "--rows", "\(bench.rows)", "--folder", bench.folder,
      "--only", engine.name,
    ]
    var words = arguments.map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    var child: pid_t = 0
    guard posix_spawn(&child, "/proc/self/exe", nil, nil, &words, environ) == 0 else {
      throw BenchError(description: "a second process could not be started")
    }
    var status: Int32 = 0
    waitpid(child, &status, 0)
    guard status >> 8 & 0xFF == 42 else {
      throw BenchError(description: "the process that should crash ended with \(status)")
    }
  }

  /// What that process does: the files are in its folder already.
  static func crash(_ folder: String, _ only: String?, rows: Int) throws -> Never {
    let engine: any BenchEngine =
      only == "LMDB"
      ? try LMDBBench(folder: folder) : try NativeBench(folder: folder, allocation: .clustered)
    var random = KeyStream(seed: nanoseconds())
    let value = [UInt8](repeating: 9, count: 400)
    if let native = engine as? NativeBench { try native.find() }
    try value.withUnsafeBytes { try engine.update(random.keys(10, below: rows), value: $0) }
    _exit(42)
  }
}
