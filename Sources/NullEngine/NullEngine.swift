// An engine that keeps nothing. What a run over it costs is what the harness itself costs.
package import EngineInterface
import MetricModel
package import SystemIO

/// Accepts every call and does nothing: reads find no row, space is zero.
package struct NullEngine: Engine {
  package init() {}

  package static let entry = EngineEntry(.null, declared: NullEngine().capabilities) {
    () throws(LibraryAbsence) in NullEngine()
  }

  package let id = EngineIdentifier.null.rawValue
  package let mainFile = ""
  package let sidecarFiles: [String] = []

  package let capabilities = EngineCapabilities(
    summary: "keeps nothing: what a run over it costs is what the harness costs",
    version: "built in",
    accounting: .exact,
    automatic: .notApplicable(reason: "there is nothing to compact"),
    onLaunch: .notApplicable(reason: "there is nothing to compact"), keepsRows: false)

  package func open(
    _ folder: FilePath, _ options: SessionOptions
  ) throws(EngineError) -> OpenedSession {
    try refuseKey(options)
    if options.automaticCompaction {
      throw EngineError(
        engine: id, code: .unsupported,
        message: "this engine keeps nothing, so it cannot compact; leave `automatic` out for it")
    }
    let launch: LaunchOutcome =
      options.compactOnLaunch == nil ? .notAsked : .notCalled(reason: "there is nothing to compact")
    return OpenedSession(session: NullSession(), launch: launch)
  }
}

private final class NullSession: EngineSession {
  /// One for each caller: threads that shared one would share its reference count.
  func beginSnapshot(label: String) -> any EngineSnapshot { NullSnapshot() }
  func beginWrite() -> any EngineTransaction { NullTransaction.shared }

  func spaceUsage() -> SpaceUsage {
    SpaceUsage(
      file: .zero, live: .zero, free: .zero, pinned: .zero, pending: .zero, overhead: .zero)
  }

  var bytesWritten: ByteCount? { .zero }
  func drainEvents() -> [CompactionEvent] { [] }

  func writeCompactedCopy(to path: FilePath) throws(EngineError) {
    throw EngineError(
      engine: "null", code: .unsupported,
      message: "this engine keeps nothing that could be copied")
  }

  func close() {}
}

private final class NullSnapshot: RenewableSnapshot {
  func read(_ table: TableIndex, _ key: Int64, _ body: (UnsafeRawBufferPointer) -> Void) -> Bool {
    false
  }

  func scan(
    _ table: TableIndex, from key: Int64, limit: Int,
    _ body: (Int64, UnsafeRawBufferPointer) -> Void
  ) -> Int { 0 }

  func count(_ table: TableIndex) -> Int { 0 }
  func refresh() {}
  func reset() {}
  func end() {}
}

/// Without state, so that one serves every thread.
private final class NullTransaction: EngineTransaction, Sendable {
  static let shared = NullTransaction()

  func put(_ table: TableIndex, _ key: Int64, _ value: UnsafeRawBufferPointer) {}
  func delete(_ table: TableIndex, _ key: Int64) -> Bool { false }

  func read(_ table: TableIndex, _ key: Int64, _ body: (UnsafeRawBufferPointer) -> Void) -> Bool {
    false
  }

  func commit() {}
  func rollBack() {}
}
