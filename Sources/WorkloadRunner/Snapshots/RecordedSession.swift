// A session of the engine beside the recorder and the pin ledger, and the snapshots that are entered there.
import EngineInterface
import SystemIO

/// The session of a launch, with what records its use.
struct RecordedSession: Sendable {
  var session: any EngineSession
  var recorder: Recorder
  var ledger: PinLedger

  /// Whether the engine holds and observes versions as programs of its own object API do.
  var holdsByInstances: Bool { session.capability((any InstanceHolding).self) != nil }

  /// Begins a snapshot and enters it as a pin of `holder`. Where the engine has other holders than snapshots, `holding` is
  /// the one to use.
  func hold(_ holder: String, as holding: Holding? = nil) throws(EngineError) -> HeldSnapshot {
    let snapshot: any EngineSnapshot
    if let holding, let holds = session.capability((any VersionHolding).self) {
      snapshot = try holds.hold(holding, label: holder)
    } else {
      snapshot = try session.beginSnapshot(label: holder)
    }
    return HeldSnapshot(snapshot, holder: holder, self)
  }

  /// Enters a pin that begins now. `label` is the engine's name for it, nil if that is the holder's name.
  func enterPin(of holder: String, label: String? = nil) -> PinEntry {
    PinEntry(holder, label, ledger, recorder)
  }
}

/// A pin's entry in the ledger, from its beginning to its end. Used by one client at a time.
final class PinEntry: @unchecked Sendable {
  private let ledger: PinLedger
  private let recorder: Recorder
  private let holder: String
  private let begin = Clock.monotonicNanoseconds()
  private var pin: Int?

  fileprivate init(
    _ holder: String, _ label: String?, _ ledger: PinLedger, _ recorder: Recorder
  ) {
    self.ledger = ledger
    self.recorder = recorder
    self.holder = holder
    let (commits, time) = recorder.position
    pin = ledger.begin(holder, label: label, commit: commits, time: time)
  }

  /// Enters the end of the pin. A second call does nothing.
  func end() {
    guard let pin else { return }
    ledger.end(pin, commit: recorder.position.commits)
    recorder.timeline.record(pinOf: holder, since: begin)
    self.pin = nil
  }
}

/// A snapshot with its entry in the ledger, which end together. Used by one client at a time.
final class HeldSnapshot: SnapshotHandle, @unchecked Sendable {
  let snapshot: any EngineSnapshot
  let holder: String
  private let session: RecordedSession
  private var entry: PinEntry

  init(_ snapshot: any EngineSnapshot, holder: String, _ session: RecordedSession) {
    self.snapshot = snapshot
    self.holder = holder
    self.session = session
    entry = session.enterPin(of: holder, label: snapshot.pinLabel)
  }

  /// Moves to the newest version, which is another pin of the same holder.
  func refresh() throws(EngineError) {
    try snapshot.refresh()
    entry.end()
    entry = session.enterPin(of: holder, label: snapshot.pinLabel)
  }

  func release() {
    snapshot.end()
    entry.end()
  }
}
