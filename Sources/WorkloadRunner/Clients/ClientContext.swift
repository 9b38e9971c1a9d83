// What a client works with while a launch lasts, and the protocol of all clients but writers.
import EngineInterface
import ScenarioModel

/// The launch of a client.
struct ClientContext: Sendable {
  var recorded: RecordedSession
  var leftovers: Leftovers
  /// The limits of this launch: a transaction that is refused because of one is rolled back and counted, and the run goes
  /// on.
  var limits: LimitSpec?

  var session: any EngineSession { recorded.session }
  var recorder: Recorder { recorded.recorder }

  /// Whether the error is the effect of a limit, so that the run goes on.
  func isRefusal(_ error: EngineError) -> Bool {
    // LMDB reports a write that a full disk cut short as a failure of the disk, and refuses further commits.
    limits != nil
      && (error.code.isOfLimits || (error.code == .failed && limits?.disk != nil)
        || (error.code == .busy && limits?.busyTimeout != nil))
  }
}

/// A client that is driven by commits: it acts whenever the run has reached the commit count at which it is due. Called by
/// one schedule step or one thread at a time.
protocol CommitDrivenClient: AnyObject {
  var name: String { get }
  /// Begins its part of the phase.
  func begin() throws
  /// The commit count at which `act` is due; nil for never.
  var nextDue: Int? { get }
  func act() throws
  /// Whether writers on real threads wait while `act` is long due. Not if it takes long itself, beside commits.
  var holdsBackWriters: Bool { get }
  /// Ends its part of the phase, and releases every snapshot.
  func end() throws
}

extension CommitDrivenClient {
  var holdsBackWriters: Bool { true }
}
