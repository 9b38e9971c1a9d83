// The times of opening and of compacting a database of one size. It is made once; each compaction gets a copy of it.
import Calibration
import EngineInterface
import Generators
import MetricModel
import SystemIO
import WorkloadRunner

struct FileMeasurement {
  let engine: any Engine
  let file: CalibrationDesign.PlannedFile
  let folder: FilePath
  let seed: UInt64
  let index: Int

  private static let table = "rows"
  private static let launches = 3

  private var original: FilePath { folder.appending("original") }

  func run(onStage: (String) -> Void) throws -> [CostPoint] {
    onStage("filling the database")
    try UsedDatabase(engine: engine, file: file, table: Self.table, seed: seed, index: index)
      .make(in: original)
    onStage("opening it")
    var points: [CostPoint] = []
    for cache in CacheState.allCases { points.append(try launches(cache)) }
    return points + (try compactions(onStage))
  }

  private func launches(_ cache: CacheState) throws -> CostPoint {
    let files = DatabaseFiles(of: engine, in: original)
    var times: [Double] = []
    var share: Double?
    for _ in 0..<Self.launches {
      share = try files.prepare(cache)
      let start = Clock.monotonicNanoseconds()
      let opened = try engine.open(original, options)
      times.append(Double(Clock.monotonicNanoseconds() - start))
      try opened.session.close()
    }
    return CostPoint(
      .launch, cache, bytes: try files.mainBytes(), isHeldOut: file.isHeldOut, nanoseconds: times,
      cachedShare: share)
  }

  /// Durable as in an app: the compacted file is on the disk when the launch ends.
  private var options: SessionOptions { SessionOptions(tables: [Self.table], durability: .full) }

  private func compactions(_ onStage: (String) -> Void) throws -> [CostPoint] {
    var order = (0..<file.repetitions).flatMap { repetition in
      CacheState.allCases.map { (cache: $0, followsPause: followsPause(repetition)) }
    }
    var stream = RandomStream(seed: seed, label: "calibration order", index: index)
    stream.shuffle(&order)
    var points: [CostPoint] = []
    for (number, (cache, followsPause)) in order.enumerated() {
      onStage("compacting it, \(number + 1)/\(order.count)")
      let copy = folder.appending("copy")
      // The last compaction needs no original any more.
      if number == order.count - 1 {
        try FileSystem.moveTree(original, to: copy)
      } else {
        try FileSystem.copyTree(original, to: copy)
      }
      let point = try compaction(of: copy, cache, followsPause: followsPause)
      try FileSystem.removeTree(copy)
      if let known = points.firstIndex(where: { $0.cache == cache }) {
        points[known].nanoseconds += point.nanoseconds
      } else {
        points.append(point)
      }
    }
    return points
  }

  /// Two of three compactions follow a pause. A virtual machine gives memory that is free for some seconds back to its
  /// host, and the first write to such a page costs up to ten times as much as one to a page that another compaction has
  /// just freed. A launch of an app, hours after the last, finds pages of both kinds. So do these, and single compactions
  /// deviate as much.
  private func followsPause(_ repetition: Int) -> Bool {
    repetition % 3 != 0 && file.file.bytes >= Self.minPausedFile
  }

  /// The copy of a smaller file fits into what any process has just freed.
  private static let minPausedFile = 8_000_000

  /// In which a host takes free memory back: 2 s were enough where this was observed.
  private static let pauseNanoseconds: UInt64 = 2_500_000_000

  private func compaction(
    of copy: FilePath, _ cache: CacheState, followsPause: Bool
  ) throws -> CostPoint {
    let share = try DatabaseFiles(of: engine, in: copy).prepare(cache)
    if followsPause {
      Clock.sleep(untilNanoseconds: Clock.monotonicNanoseconds() + Self.pauseNanoseconds)
    }
    let decision = DecisionMoment()
    var options = options
    options.compactOnLaunch = { space in
      decision.note(space)
      return true
    }
    let opened = try engine.open(copy, options)
    let end = Clock.monotonicNanoseconds()
    try opened.session.close()
    let rewritten: ByteCount
    switch opened.launch {
    case .compacted(_, _, let written): rewritten = written
    case .skipped(_, let reason), .notCalled(let reason): throw RunnerError(reason)
    case .notAsked, .declined: throw RunnerError("the engine did not compact")
    }
    guard let (start, space) = decision.noted else {
      throw RunnerError("the engine compacted without asking")
    }
    guard let live = space.usedAtLaunch ?? space.live else {
      throw RunnerError("the engine does not report its used bytes")
    }
    return CostPoint(
      .compaction, cache, live: live, bytes: space.file, rewritten: rewritten,
      isHeldOut: file.isHeldOut,
      nanoseconds: [Double(end - start)], cachedShare: share)
  }
}

/// When the engine asked whether to compact, and what it reported.
private final class DecisionMoment: Sendable {
  private let lock = ThreadMutex()
  /// Guarded by `lock`.
  nonisolated(unsafe) private var moment: (UInt64, SpaceUsage)?

  func note(_ space: SpaceUsage) {
    lock.withLock { moment = (Clock.monotonicNanoseconds(), space) }
  }

  var noted: (UInt64, SpaceUsage)? { lock.withLock { moment } }
}

/// The files of a closed database, and where they are before a measurement.
private struct DatabaseFiles {
  private let main: FilePath
  private let files: [FilePath]

  init(of engine: any Engine, in folder: FilePath) {
    main = folder.appending(engine.mainFile)
    files = FileSystem.dataFiles(
      at: ([engine.mainFile] + engine.sidecarFiles).filter { !$0.isEmpty }
        .map { folder.appending($0) })
  }

  func mainBytes() throws -> ByteCount { ByteCount(try FileSystem.size(of: main).bytes) }

  /// Makes the files durable, so that no measurement waits for bytes written before it, and reads or drops them. Returns the
  /// share of the main file that is in the page cache; nil where the system does not report it.
  func prepare(_ cache: CacheState) throws -> Double? {
    for file in files {
      try FileSystem.syncFile(file)
      switch cache {
      case .warm: try PageCache.load(file)
      case .cold: try PageCache.drop(file)
      }
    }
    let bytes = try mainBytes().bytes
    guard bytes > 0 else { return nil }
    var resident = 0
    for file in FileSystem.dataFiles(at: [main]) {
      guard let cached = try? PageCache.residentBytes(of: file) else { return nil }
      resident += cached
    }
    return min(1, Double(resident) / Double(bytes))
  }
}
