// One engine's comparison: short pieces of the same work on both sides, in an order drawn anew for each pair, so that a slow
// moment of the machine falls on both alike. Ratios are taken within pairs.
import EngineInterface
import Statistics
import SystemIO
import TestSupport

/// What is done in a piece.
enum Operation: String, CaseIterable {
  case durableCommits, unsyncedCommits, reads, shortSnapshots

  static let putsInCommit = 10
  static let readsInShortSnapshot = 10

  var words: String {
    switch self {
    case .durableCommits: "durable commit of \(Self.putsInCommit) puts"
    case .unsyncedCommits: "commit of \(Self.putsInCommit) puts, no sync"
    case .reads: "point read"
    case .shortSnapshots: "snapshot of \(Self.readsInShortSnapshot) reads"
    }
  }

  var durability: Durability { self == .durableCommits ? .full : .none }

  /// How many rows one has to do with.
  var rows: Int {
    switch self {
    case .durableCommits, .unsyncedCommits: Self.putsInCommit
    case .reads: 1
    case .shortSnapshots: Self.readsInShortSnapshot
    }
  }

  /// How many are in a piece: some milliseconds of work, with at most so many rows.
  func count(maxRows: Int) -> Int {
    let usual =
      switch self {
      case .durableCommits: 40
      case .unsyncedCommits: 200
      case .reads: 20_000
      case .shortSnapshots: 1_000
      }
    return min(usual, max(1, maxRows / rows))
  }

  /// The most that the adapter may take, of the direct side's time.
  var bar: Double { self == .durableCommits ? 1.05 : 1.15 }
}

struct Comparison {
  static let valueBytes = 256

  private let subject: Subject
  private let bench: AdapterBench
  private var random: SeededRandom
  private let value: UnsafeMutableRawBufferPointer

  init(_ subject: Subject, _ bench: AdapterBench) {
    self.subject = subject
    self.bench = bench
    random = SeededRandom(seed: bench.seed)
    value = .allocate(byteCount: Self.valueBytes, alignment: 8)
    for index in value.indices { value[index] = UInt8(truncatingIfNeeded: index &* 31) }
  }

  mutating func run() throws {
    defer { value.deallocate() }
    let folder = try FileSystem.makeTemporaryFolder(prefix: "adapter-bench", in: bench.folder)
    defer { try? FileSystem.removeTree(folder) }
    for durability in [Durability.full, .none]
    where bench.operations.contains(where: { $0.durability == durability }) {
      let durabilityFolder = folder.appending(durability.rawValue)
      let adapterFolder = durabilityFolder.appending("adapter")
      let directFolder = durabilityFolder.appending("direct")
      try FileSystem.makeFolders(adapterFolder)
      try FileSystem.makeFolders(directFolder)
      let file = subject.engine.mainFile
      let adapter = try AdapterSide(subject.engine, in: adapterFolder, durability)
      let direct = try subject.open(directFolder.appending(file), durability)
      for side in [adapter, direct] as [any Side] {
        try side.load(rows: bench.rows, value: UnsafeRawBufferPointer(value))
      }
      for operation in bench.operations where operation.durability == durability {
        try compare(operation, adapter, direct)
      }
      try adapter.close()
      try direct.close()
      if subject.isBarred {
        try compareFiles(adapterFolder.appending(file), directFolder.appending(file))
      }
    }
  }

  /// What one side took for a piece, for each operation.
  private struct Cost {
    /// Microseconds.
    var wall: Double
    var processor: Double
    /// What the rows that were read come to.
    var sum: UInt64
  }

  private mutating func compare(
    _ operation: Operation, _ adapter: any Side, _ direct: any Side
  ) throws {
    var costs: (adapter: [Cost], direct: [Cost]) = ([], [])
    // The first two pieces fill caches and pools.
    for pair in -2..<bench.pairs {
      let drawn = draw(operation)
      var cost: (adapter: Cost?, direct: Cost?)
      let adapterIsFirst = random.oneIn(2)
      if adapterIsFirst { cost.adapter = try piece(operation, adapter, drawn) }
      cost.direct = try piece(operation, direct, drawn)
      if !adapterIsFirst { cost.adapter = try piece(operation, adapter, drawn) }
      guard let ours = cost.adapter, let theirs = cost.direct else { continue }
      guard ours.sum == theirs.sum else {
        throw BenchError(description: "\(subject.name): the two sides read different rows")
      }
      if pair < 0 { continue }
      costs.adapter.append(ours)
      costs.direct.append(theirs)
    }
    tell(operation, costs.adapter, costs.direct)
  }

  private mutating func draw(_ operation: Operation) -> [Int64] {
    let count = operation.count(maxRows: subject.maxRowsInPiece) * operation.rows
    return (0..<count).map { _ in Int64(random.below(bench.rows)) }
  }

  private func piece(_ operation: Operation, _ side: any Side, _ keys: [Int64]) throws -> Cost {
    let began = Clock.monotonicNanoseconds()
    let spent = Clock.processorNanoseconds()
    var sum: UInt64 = 0
    switch operation {
    case .durableCommits, .unsyncedCommits:
      try side.commit(keys, puts: Operation.putsInCommit, value: value)
    case .reads: sum = try side.read(keys, inSnapshot: keys.count)
    case .shortSnapshots: sum = try side.read(keys, inSnapshot: Operation.readsInShortSnapshot)
    }
    let processor = Clock.processorNanoseconds() - spent
    let wall = Clock.monotonicNanoseconds() - began
    let count = Double(keys.count / operation.rows)
    return Cost(
      wall: Double(wall) / 1000 / count, processor: Double(processor) / 1000 / count, sum: sum)
  }

  private func tell(_ operation: Operation, _ adapter: [Cost], _ direct: [Cost]) {
    let wall = zip(adapter, direct).map { $0.wall / $1.wall }
    let processor = zip(adapter, direct).map { $0.processor / $1.processor }
    var verdict = ""
    if subject.isBarred, let median = Quantiles.median(wall) {
      verdict = median <= operation.bar ? "holds" : "missed"
    }
    let cells = [
      subject.name, operation.words, microseconds(direct), microseconds(adapter), text(wall),
      text(processor), subject.isBarred ? Self.digits(operation.bar) : "", verdict,
    ]
    AdapterBench.say("| " + cells.joined(separator: " | ") + " |")
  }

  private func microseconds(_ costs: [Cost]) -> String {
    Self.digits(Quantiles.median(costs.map(\.wall)) ?? .nan)
  }

  private func text(_ ratios: [Double]) -> String {
    guard let estimate = MedianEstimate(ratios) else { return "" }
    let interval = estimate.interval.map {
      ", \(Self.digits($0.low))–\(Self.digits($0.high))"
    }
    let range = "[\(Self.digits(ratios.min() ?? .nan))–\(Self.digits(ratios.max() ?? .nan))]"
    return "\(Self.digits(estimate.median))\(interval ?? "") \(range)"
  }

  /// Three digits that count, and two behind the point where one stands before it.
  private static func digits(_ value: Double) -> String {
    let places = value >= 100 ? 0 : value >= 10 ? 1 : value >= 1 ? 2 : 3
    var scale = 1.0
    for _ in 0..<places { scale *= 10 }
    let rounded = (value * scale).rounded() / scale
    var text = places == 0 ? String(Int(rounded)) : "\(rounded)"
    guard places > 0, let point = text.firstIndex(of: ".") else { return text }
    let behind = text.distance(from: point, to: text.endIndex) - 1
    text += String(repeating: "0", count: max(0, places - behind))
    return text
  }

  /// Both sides did the same from the beginning, so their files have the same length; where not, they are not comparable.
  private func compareFiles(_ adapter: FilePath, _ direct: FilePath) throws {
    let sizes = (
      try FileSystem.size(of: adapter).bytes, try FileSystem.size(of: direct).bytes
    )
    if sizes.0 != sizes.1 {
      AdapterBench.say(
        "| \(subject.name) | the files differ: \(sizes.0) bytes, direct \(sizes.1) | | | | | | |")
    }
  }
}
