// A session over the sessions of k files: sums what can be added up, and asks each file by itself for the rest.
import EngineInterface
import MetricModel
import SystemIO

final class SplitSession: EngineSession, VersionCounting, PinInspecting, DeadReaderFreeing,
  AutomaticCompactionReporting, IdleCompacting, Checkpointing, Shortenable
{
  private let parts: [any EngineSession]
  private let engine: String
  /// Held from the beginning of a write transaction to its end, on one thread: two that each held one file and waited for
  /// the other's would wait for ever.
  private let writing = ThreadMutex()
  /// Held while a transaction's files are committed, and while a snapshot is taken of each.
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

  /// The greatest number over the files: the others have fewer commits.
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

  /// A snapshot has a pin in each file, and these began in one order everywhere: the n-th of a label is the same snapshot.
  /// A label whose pins are being taken or let go just now is left out.
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

  /// Of each file; busy where one is.
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

  /// Each file by so much at most, as far as what is left of it goes.
  func shorten(by most: ByteCount?) throws(EngineError) -> Shortening? {
    var sum: Shortening?
    var left = most
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

  /// nil as soon as it is at work in one file; otherwise each reason, and in how many files it is so.
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

  /// Of the file that does most.
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

  /// With a snapshot held nothing is closed: each file has a part of it, the first one too.
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
  /// Byte by byte; what one of them cannot tell, the sum cannot.
  fileprivate func adding(_ other: Self) -> Self {
    SpaceUsage(
      file: file + other.file, live: .sum(live, other.live), free: .sum(free, other.free),
      pinned: .sum(pinned, other.pinned), pending: .sum(pending, other.pending),
      overhead: .sum(overhead, other.overhead), sidecar: sidecar + other.sidecar,
      tail: tail + other.tail)
  }
}
