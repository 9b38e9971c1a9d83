// The clients over the object store: each drives the API that programs have for what it does, and the bytes are those of
// the mechanism: of snapshots taken and released at the same commits.
import EngineInterface
import Foundation
import MetricModel
import NativeEngine
import RecordModel
import ScenarioModel
import SystemIO
import Testing
import WorkloadRunner

/// `native-objects`, with nothing but snapshots to hold versions by; and what its pins were called.
private final class SnapshotsOnly: Engine, Sendable {
  let id = NativeEngine.objects.id
  let capabilities = NativeEngine.objects.capabilities
  let mainFile = NativeEngine.objects.mainFile
  let sidecarFiles: [String] = []

  func open(_ folder: FilePath, _ options: SessionOptions) throws(EngineError) -> OpenedSession {
    var opened = try NativeEngine.objects.open(folder, options)
    opened.session = Session(opened.session)
    return opened
  }

  private final class Session: EngineSession {
    private let inner: any EngineSession
    init(_ inner: any EngineSession) { self.inner = inner }

    func beginSnapshot(label: String) throws(EngineError) -> any EngineSnapshot {
      try inner.beginSnapshot(label: label)
    }
    func beginWrite() throws(EngineError) -> any EngineTransaction { try inner.beginWrite() }
    func spaceUsage() throws(EngineError) -> SpaceUsage { try inner.spaceUsage() }
    var bytesWritten: ByteCount? { inner.bytesWritten }
    func drainEvents() -> [CompactionEvent] { inner.drainEvents() }
    func writeCompactedCopy(to path: FilePath) throws(EngineError) {
      try inner.writeCompactedCopy(to: path)
    }
    func close() throws(EngineError) { try inner.close() }
    /// All but holding by instances.
    func capability<Capability>(_ type: Capability.Type) -> Capability? {
      type == (any InstanceHolding).self || type == (any VersionHolding).self
        ? nil : inner.capability(type)
    }
  }
}

@Suite("Clients over the object store")
struct ObjectClientTests {
  /// On a thread of its own: a run waits for its clients' actors.
  private func run(
    _ kind: ClientSpec.Kind, on engine: any Engine, schedule: Schedule = .stepped
  ) async throws -> RepetitionResult {
    let scenario = CellRunTests.scenario(
      [CellRunTests.writer, ClientSpec(name: "client", kind: kind)], commits: 120)
    return try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread {
        continuation.resume(
          with: Result { try CellRunTests.run(scenario, on: engine, schedule: schedule) })
      }
    }
  }

  /// What a run came to, without what the process wrote meanwhile, where other tests write as well.
  private func outcome(_ result: RepetitionResult) -> ExactSummary {
    var outcome = result.record.exact
    outcome.written = nil
    outcome.samplesDigest = ""
    return outcome
  }

  /// Clients that hold exactly the versions that snapshots would hold.
  private static let kinds: [ClientSpec.Kind] = [
    .reader(ReaderSpec(table: "Item", reads: 3)),
    .reader(ReaderSpec(table: "Item", reads: 3, whileBlocked: .refreshes(everyCommits: 15))),
    .frozen(FrozenSpec(table: "Item", takeEveryCommits: 8, window: 4, reads: 2)),
    .observers(ObserverSpec(table: "Item", observers: 3, callbackCommits: 4)),
    .observers(ObserverSpec(table: "Item", stallsAfterCommits: 20, stallsForCommits: 50)),
    .pins(PinsSpec(table: "Item", lifetime: .fixed(commits: 35), heldBy: .actor)),
    .pins(PinsSpec(table: "Item", takeEveryCommits: 50, lifetime: .never, heldBy: .actor)),
  ]

  @Test(
    "a live reader, a frozen holder, observers and actors make the file what snapshots make it, sample by sample",
    arguments: kinds.indices)
  func sameBytes(_ index: Int) async throws {
    let kind = Self.kinds[index]
    let real = try await run(kind, on: NativeEngine.objects)
    let plain = try await run(kind, on: SnapshotsOnly())
    #expect(real.samples.map(\.observation) == plain.samples.map(\.observation))
    #expect(outcome(real) == outcome(plain))
    // Each pin was found among the engine's, by the name that it has there.
    #expect(real.record.pins.map(\.retained) == plain.record.pins.map(\.retained))
    #expect(real.record.pins.contains { $0.retained.map { $0 > .zero } == true })
    #expect(Set(real.record.pins.map(\.holder)) == Set(plain.record.pins.map(\.holder)))
  }

  private static let releases: [QueueSpec.Release] = [
    .atEndOfBlock, .late(afterCommits: 40), .idle(forCommits: 25), .never,
  ]

  @Test("every kind of client repeats to the byte over the object store under the stepped schedule")
  func repeats() async throws {
    let queues = Self.releases.map {
      ClientSpec.Kind.queues(QueueSpec(table: "Item", queues: 3, jobEveryCommits: 5, release: $0))
    }
    for kind in Self.kinds + queues {
      let first = try await run(kind, on: NativeEngine.objects)
      let second = try await run(kind, on: NativeEngine.objects)
      #expect(first.samples.map(\.observation) == second.samples.map(\.observation))
      #expect(outcome(first) == outcome(second))
      #expect(first.record.pins == second.record.pins)
    }
  }

  @Test(
    "a queue has one realm at a time: pools that drain late keep a version for each queue, not for each job",
    arguments: releases.indices)
  func queues(_ index: Int) async throws {
    let release = Self.releases[index]
    func most(_ engine: any Engine) async throws -> Int {
      let spec = QueueSpec(table: "Item", queues: 3, jobEveryCommits: 5, release: release)
      let result = try await run(.queues(spec), on: engine)
      #expect(result.samples.last?.observation.pins == 0)
      return result.samples.map(\.observation.pins).max() ?? 0
    }
    let real = try await most(NativeEngine.objects)
    let plain = try await most(NativeEngine.exact)
    switch release {
    case .atEndOfBlock:
      #expect(real == 0)
      #expect(plain == 0)
    case .late, .idle, .never:
      #expect(real == 3)
      #expect(plain > 3)
    }
  }

  @Test(
    "a run that is recorded is the same run, and a replay over the engine below holds the same versions",
    arguments: kinds.indices)
  func recorded(_ index: Int) async throws {
    let scenario = CellRunTests.scenario(
      [CellRunTests.writer, ClientSpec(name: "client", kind: Self.kinds[index])], commits: 120)
    try await withCheckedThrowingContinuation {
      (continuation: CheckedContinuation<Void, any Error>) in
      Thread.detachNewThread {
        continuation.resume(
          with: Result {
            let plain = try CellRunTests.run(scenario, on: NativeEngine.objects)
            try ReplayTests.withFolder { folder in
              let file = folder.appending("a.trace")
              let recorded = try ReplayTests.record(
                scenario, on: NativeEngine.objects, schedule: .stepped, to: file)
              #expect(
                recorded.samples.map(\.observation) == plain.samples.map(\.observation))
              let replayed = try ReplayTests.replay(file, scenario, on: NativeEngine.exact)
              #expect(
                replayed.samples.map(\.observation.oldestPinLag)
                  == plain.samples.map(\.observation.oldestPinLag))
              #expect(
                replayed.samples.map(\.observation.pins) == plain.samples.map(\.observation.pins))
            }
          })
      }
    }
  }

  @Test("jobs of concurrent queues, which no realm is confined to, hold snapshots")
  func concurrentQueues() async throws {
    let spec = QueueSpec(
      table: "Item", queues: 2, isConcurrent: true, jobEveryCommits: 5,
      release: .late(afterCommits: 40))
    let real = try await run(.queues(spec), on: NativeEngine.objects)
    let plain = try await run(.queues(spec), on: SnapshotsOnly())
    #expect(real.samples.map(\.observation) == plain.samples.map(\.observation))
  }

  @Test("on real threads every client ends what it held", arguments: kinds.indices)
  func threads(_ index: Int) async throws {
    let result = try await run(Self.kinds[index], on: NativeEngine.objects, schedule: .threads)
    // A leak is open to the end of its launch; a session with a pin would not have closed.
    #expect(result.record.exact.commits == 120)
  }
}
