// One round: fresh files, the same work for every engine, in turns. The engines take turns every few commits and in an
// order drawn anew each time, so that a slow moment of the disk or of the machine falls on all of them.

/// What is measured of an engine, each as work per second unless named otherwise.
enum Measure: String, CaseIterable {
  case durable = "durable commits / s"
  case unsynced = "no-sync commits / s"
  case reads = "point reads / s"
  case load = "bulk load, rows / s"
  case loadedSize = "size after load, bytes"
  case finalSize = "size at the end, bytes"
  case durableBytes = "bytes written per durable commit"

  /// Whether the benchmark states a ratio of it.
  var isSpeed: Bool { self == .durable || self == .unsynced || self == .reads || self == .load }
}

/// The sizes of the work.
struct Work {
  var rows: Int
  var valueBytes: Int
  var updatesPerCommit: Int
  var durableCommits: Int
  var unsyncedCommits: Int
  var reads: Int
}

/// Runs the work once on every engine.
struct Round {
  let work: Work
  var random: KeyStream
  private var value: [UInt8]
  private var results: [String: [Measure: Double]] = [:]

  init(work: Work, seed: UInt64) {
    self.work = work
    random = KeyStream(seed: seed)
    value = (0..<work.valueBytes).map { UInt8(truncatingIfNeeded: $0 &* 31) }
  }

  mutating func run(_ engines: [any BenchEngine]) throws -> [String: [Measure: Double]] {
    for engine in shuffled(engines) { try load(engine) }
    try commits(engines, total: work.durableCommits / 10, record: nil)
    try commits(engines, total: work.durableCommits, record: .durable)
    for engine in engines { try engine.setDurable(false) }
    try commits(engines, total: work.unsyncedCommits / 10, record: nil)
    try commits(engines, total: work.unsyncedCommits, record: .unsynced)
    try reads(engines)
    for engine in engines {
      results[engine.name]![.finalSize] = Double(engine.files.map(fileBytes).reduce(0, +))
      try engine.close()
    }
    return results
  }

  private mutating func load(_ engine: any BenchEngine) throws {
    let start = nanoseconds()
    try value.withUnsafeBytes { try engine.load(rows: work.rows, value: $0) }
    let seconds = Double(nanoseconds() - start) / 1e9
    results[engine.name, default: [:]][.load] = Double(work.rows) / seconds
    results[engine.name]![.loadedSize] = Double(engine.files.map(fileBytes).reduce(0, +))
  }

  /// Slices of commits, the engines taking turns; a tenth of the work at a time.
  private mutating func commits(
    _ engines: [any BenchEngine], total: Int, record measure: Measure?
  ) throws {
    var spent: [String: UInt64] = [:]
    var handed: [String: Int] = [:]
    let slice = max(1, total / 10)
    var done = 0
    while done < total {
      let batches = (0..<slice).map { _ in random.keys(work.updatesPerCommit, below: work.rows) }
      for engine in shuffled(engines) {
        let before = requestedBytes()
        let start = nanoseconds()
        for keys in batches {
          value[Int(truncatingIfNeeded: keys[0]) % value.count] &+= 1
          try value.withUnsafeBytes { try engine.update(keys, value: $0) }
        }
        spent[engine.name, default: 0] += nanoseconds() - start
        if let before, let after = requestedBytes() {
          handed[engine.name, default: 0] += after - before
        }
      }
      done += slice
    }
    guard let measure else { return }
    for engine in engines {
      results[engine.name]![measure] = Double(done) / (Double(spent[engine.name]!) / 1e9)
      if measure == .durable, let bytes = handed[engine.name] {
        results[engine.name]![.durableBytes] = Double(bytes) / Double(done)
      }
    }
  }

  private mutating func reads(_ engines: [any BenchEngine]) throws {
    var spent: [String: UInt64] = [:]
    let slice = max(1, work.reads / 10)
    for turn in 0..<11 {
      let keys = random.keys(slice, below: work.rows)
      for engine in shuffled(engines) {
        let start = nanoseconds()
        _ = try engine.read(keys)
        // The first turn warms up.
        if turn > 0 { spent[engine.name, default: 0] += nanoseconds() - start }
      }
    }
    for engine in engines {
      results[engine.name]![.reads] = Double(10 * slice) / (Double(spent[engine.name]!) / 1e9)
    }
  }

  private mutating func shuffled(_ engines: [any BenchEngine]) -> [any BenchEngine] {
    var rest = engines
    var order: [any BenchEngine] = []
    while !rest.isEmpty { order.append(rest.remove(at: Int(random.next() % UInt64(rest.count)))) }
    return order
  }
}
