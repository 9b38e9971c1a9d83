// What a client works with while a launch lasts, and the two kinds of clients that schedules know.
import EngineInterface
import Generators
import MetricModel
import ScenarioModel
import SystemIO

/// The launch that clients are part of.
struct ClientContext: Sendable {
  var session: any EngineSession
  var recorder: Recorder
  var ledger: PinLedger
  var leftovers: Leftovers
  /// What holds in this launch: a transaction that is refused because of it is undone and counted, and the run goes on.
  var limits: LimitSpec?

  func isRefusal(_ error: EngineError) -> Bool {
    // LMDB reports a write that a full disk cut short as a failure of the disk, and takes no more commits then.
    limits != nil
      && (error.code.isOfLimits || (error.code == .failed && limits?.disk != nil)
        || (error.code == .busy && limits?.busyTimeout != nil))
  }

  /// Whether the engine holds and observes versions as programs of its own object API do.
  var holdsByInstances: Bool { session.capability((any InstanceHolding).self) != nil }

  /// Begins a snapshot, held in that way where the engine knows it, and enters it as a pin of `holder`.
  func hold(_ holder: String, as holding: Holding? = nil) throws(EngineError) -> HeldSnapshot {
    let snapshot: any EngineSnapshot
    if let holding, let holds = session.capability((any VersionHolding).self) {
      snapshot = try holds.hold(holding, label: holder)
    } else {
      snapshot = try session.beginSnapshot(label: holder)
    }
    return HeldSnapshot(snapshot, holder: holder, self)
  }

  /// Enters a pin that begins now.
  func enter(_ holder: String, pinLabel: String? = nil) -> PinEntry {
    PinEntry(holder, pinLabel, ledger, recorder)
  }
}

/// A pin's place in the ledger, from when it is made until it is left. Guarded by the one client that owns it.
final class PinEntry: @unchecked Sendable {
  private let ledger: PinLedger
  private let recorder: Recorder
  private var pin: Int?

  fileprivate init(
    _ holder: String, _ label: String?, _ ledger: PinLedger, _ recorder: Recorder
  ) {
    self.ledger = ledger
    self.recorder = recorder
    let (commits, time) = recorder.position
    pin = ledger.begin(holder, label: label, commit: commits, time: time)
  }

  /// Again is nothing.
  func leave() {
    guard let pin else { return }
    ledger.end(pin, commit: recorder.position.commits)
    self.pin = nil
  }
}

/// A snapshot and its entry in the ledger, which end together.
final class HeldSnapshot: @unchecked Sendable {
  let snapshot: any EngineSnapshot
  let holder: String
  private let context: ClientContext
  // Guarded by the one client that owns the snapshot.
  private var entry: PinEntry

  init(_ snapshot: any EngineSnapshot, holder: String, _ context: ClientContext) {
    self.snapshot = snapshot
    self.holder = holder
    self.context = context
    entry = context.enter(holder, pinLabel: snapshot.pinLabel)
  }

  /// Moves to the newest version: another pin of the same holder.
  func refresh() throws(EngineError) {
    try snapshot.refresh()
    entry.leave()
    entry = context.enter(holder, pinLabel: snapshot.pinLabel)
  }

  func end() {
    snapshot.end()
    entry.leave()
  }
}

/// A client that reacts to commits: it holds snapshots, and does something when the run has come so far. One schedule
/// step or one thread calls it at a time.
protocol PinningClient: AnyObject {
  var name: String { get }
  /// The phase begins.
  func begin() throws
  /// The commit count at which `act` is due; nil for never.
  var nextDue: Int? { get }
  func act() throws
  /// The phase ends: lets go of every snapshot.
  func end() throws
}

/// Reads rows of a table by its key distribution, touching every byte of every value.
struct RowReader {
  let table: TableIndex
  private let rows: Int
  private var keys: KeyChooser
  private var checksum: UInt64 = 0

  init(table: TableIndex, rows: Int, keys: KeyChooser) {
    self.table = table
    self.rows = rows
    self.keys = keys
  }

  mutating func read(
    _ count: Int, from snapshot: any EngineRows, timing recorder: Recorder
  ) throws(EngineError) {
    for _ in 0..<count {
      let key = Int64(keys.next(rows: rows))
      var sum: UInt64 = 0
      let start = Clock.monotonicNanoseconds()
      _ = try snapshot.read(table, key) { sum = touch($0) }
      recorder.read(nanoseconds: Clock.monotonicNanoseconds() - start)
      checksum &+= sum
    }
  }
}

/// Reads all bytes, so that an engine which only hands out an address is not measured as faster than it is.
func touch(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
  var sum: UInt64 = 0
  var offset = 0
  while offset + 8 <= bytes.count {
    sum &+= bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
    offset += 8
  }
  while offset < bytes.count {
    sum &+= UInt64(bytes[offset])
    offset += 1
  }
  return sum
}
