// A session over the sessions of k files: figures are summed where that makes sense, everything else is done in each file.
import EngineInterface
import MetricModel
import SystemIO

final class SplitSession: EngineSession, VersionCounting, PinInspecting, DeadReaderFreeing,
  AutomaticCompactionReporting, IdleCompacting, Checkpointing, Shortenable
{
  private let parts: [any EngineSession]
  private let engine: String
  /// Held from the beginning of a write transaction to its end, on one thread. Without it, two transactions that each have
  /// one file's write lock and wait for the other's would deadlock.
  private let writing = ThreadMutex()
  /// Held while a transaction's files are committed, and while a snapshot of each file begins.
  private let versions = ThreadMutex()

  init(_ parts: [any EngineSession], engine: String) {
    self.parts = parts
    self.engine = engine
  }

  func beginSnapshot(label: String) throws(EngineError) -> any EngineSnapshot {
    try versions.withLock { () throws(EngineError) in
      var begun: [any EngineSnapshot] = []
      do throws(EngineError) {
        for part in parts { begun.append(try part.beginSnapshot(label: label)) }
      } catch {
        for snapshot in begun { snapshot.end() }
        throw error
      }
      return SplitSnapshot(begun, versions)
    }
  }

  func beginWrite() throws(EngineError) -> any EngineTransaction {
    writing.lock()
    return SplitTransaction(parts, writing: writing, versions: versions)
  }

  /// What the session of one file has and can be had of all files together.
  func capability<Capability>(_ type: Capability.Type) -> Capability? {
    parts[0].capability(type) == nil ? nil : self as? Capability
  }

  /// The sum over the files.
  func spaceUsage() throws(EngineError) -> SpaceUsage {
    var sum = try parts[0].spaceUsage()
    for part in parts.dropFirst() { sum = sum.adding(try part.spaceUsage()) }
    return sum
  }

  /// Returns the greatest number of all files: the others have fewer commits.
  func liveVersions() throws(EngineError) -> Int? {
    var greatest = 0
    for part in parts {
      guard let versions = try part.capability((any VersionCounting).self)?.liveVersions() else {
        return nil
      }
      greatest = max(greatest, versions)
    }
    return greatest
  }

  /// Returns one pin for each snapshot. A snapshot has a pin in each file, and all files have the same order of pins, so the
  /// n-th pin of a label belongs to the same snapshot everywhere. A label is skipped while one of its snapshots begins or
  /// ends on another thread.
  func pins() throws(EngineError) -> [EnginePin] {
    var lists: [[String: [EnginePin]]] = []
    var labels: [String] = []
    for part in parts {
      let pins = try part.capability((any PinInspecting).self)?.pins() ?? []
      if lists.isEmpty { labels = pins.map(\.label) }
      lists.append(Dictionary(grouping: pins, by: \.label))
    }
    var seen: [String: Int] = [:]
    return labels.compactMap { label in
      let nth = seen[label, default: 0]
      seen[label] = nth + 1
      let counts = Set(lists.map { $0[label]?.count ?? 0 })
      guard counts.count == 1 else { return nil }
      return lists.reduce(into: EnginePin(label: label, retained: .zero, exclusive: .zero)) {
        guard let pin = $1[label]?[nth] else { return }
        $0.retained = $0.retained + pin.retained
        $0.exclusive = $0.exclusive + pin.exclusive
      }
    }
  }

  func freeDeadReaders() throws(EngineError) -> Int {
    var sum = 0
    for part in parts {
      sum += try part.capability((any DeadReaderFreeing).self)?.freeDeadReaders() ?? 0
    }
    return sum
  }

  /// Moves the log of each file into that file; the outcome is busy if one file's is.
  func checkpoint(_ mode: CheckpointMode) throws(EngineError) -> CheckpointOutcome {
    var sum = CheckpointOutcome(isBusy: false, loggedPages: 0, movedPages: 0)
    for part in parts {
      let outcome = try part.require((any Checkpointing).self, for: "a checkpoint")
        .checkpoint(mode)
      sum.isBusy = sum.isBusy || outcome.isBusy
      sum.loggedPages += max(0, outcome.loggedPages)
      sum.movedPages += max(0, outcome.movedPages)
    }
    return sum
  }

  /// Shortens one file after the other, by `limit` in total.
  func shorten(by limit: ByteCount?) throws(EngineError) -> Shortening? {
    var sum: Shortening?
    var left = limit
    for part in parts {
      guard let done = try part.capability((any Shortenable).self)?.shorten(by: left) else {
        continue
      }
      left = left.map { max(.zero, $0 - (done.before - done.after)) }
      sum = Shortening(
        before: (sum?.before ?? .zero) + done.before, after: (sum?.after ?? .zero) + done.after,
        rewritten: (sum?.rewritten ?? .zero) + done.rewritten)
    }
    return sum
  }

  var bytesWritten: ByteCount? {
    parts.reduce(ByteCount.zero as ByteCount?) { .sum($0, $1.bytesWritten) }
  }

  func drainEvents() -> [CompactionEvent] { parts.flatMap { $0.drainEvents() } }

  /// Returns nil if automatic compaction works in one file; otherwise each reason with the number of files that have it.
  func automaticRefusal() throws(EngineError) -> String? {
    var reasons: [(text: String, files: Int)] = []
    for part in parts {
      let reporter = part.capability((any AutomaticCompactionReporting).self)
      guard let reason = try reporter?.automaticRefusal() else { return nil }
      if let index = reasons.firstIndex(where: { $0.text == reason }) {
        reasons[index].files += 1
      } else {
        reasons.append((reason, 1))
      }
    }
    return reasons.map { "\($0.files) of \(parts.count) files: \($0.text)" }
      .joined(separator: "; ")
  }

  func compactWhileIdle() throws(EngineError) {
    for part in parts { try part.capability((any IdleCompacting).self)?.compactWhileIdle() }
  }

  /// Returns the most active stage of all files.
  func automaticStage() throws(EngineError) -> AutomaticStage? {
    var stages: Set<AutomaticStage> = []
    for part in parts {
      let reporter = part.capability((any AutomaticCompactionReporting).self)
      if let stage = try reporter?.automaticStage() { stages.insert(stage) }
    }
    return [.evacuating, .waiting, .blocked, .idle].first { stages.contains($0) }
  }

  func writeCompactedCopy(to path: FilePath) throws(EngineError) {
    throw EngineError(
      engine: engine, code: .unsupported,
      message:
        "the database is divided over \(parts.count) files, of which one copy cannot be made; "
        + "leave files out")
  }

  /// Closes all files. While a snapshot is held none is closed, since each file has a part of it.
  func close() throws(EngineError) {
    var first: EngineError?
    for part in parts {
      do throws(EngineError) {
        try part.close()
      } catch {
        if error.code == .snapshotsHeld { throw error }
        first = first ?? error
      }
    }
    if let first { throw first }
  }
}

extension SpaceUsage {
  /// Returns the sum of each figure; nil where one of both is nil.
  fileprivate func adding(_ other: Self) -> Self {
    SpaceUsage(
      file: file + other.file, live: .sum(live, other.live), free: .sum(free, other.free),
      pinned: .sum(pinned, other.pinned), pending: .sum(pending, other.pending),
      overhead: .sum(overhead, other.overhead), sidecar: sidecar + other.sidecar,
      tail: tail + other.tail)
  }
}
