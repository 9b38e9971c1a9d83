// Opening a large file: after a clean close, and after its process was killed right behind a durable commit.

import BenchSupport

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

struct OpenPart {
  let bench: Bench
  /// An opening takes a tenth of a millisecond, and slow moments of a machine last for tens of them: what is compared is
  /// the median of this many.
  private static let openings = 25

  func run() throws -> String {
    let engines = try bench.engines().filter { $0.name != "SQLite" }
    for engine in engines {
      try bench.load(engine)
      try engine.setMode(.durable)
      try engine.close()
    }
    // No engine is to wait for what the loads have left to write.
    sync()
    try compare(engines, "open after a clean close, µs", times: Self.openings) { _ in }
    try compare(engines, "open after a crash, µs", times: 1, crash)
    for engine in engines {
      bench.table.add("file, bytes", engine.name, bench.fileBytes(engine), isCost: true)
    }
    return bench.table.markdown
  }

  /// Opens all engines in each pair, in an order drawn anew, each time after `prepare`.
  private func compare(
    _ engines: [any BenchEngine], _ figure: String, times: Int,
    _ prepare: (any BenchEngine) throws -> Void
  ) throws {
    for _ in 0..<bench.pairs {
      for engine in bench.shuffled(engines) {
        var openings: [Double] = []
        for _ in 0..<times {
          try prepare(engine)
          let start = nanoseconds()
          try engine.reopen()
          openings.append(Double(nanoseconds() - start) / 1000)
          try engine.close()
        }
        bench.table.add(figure, engine.name, Spread(openings).median, isCost: true)
      }
    }
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
