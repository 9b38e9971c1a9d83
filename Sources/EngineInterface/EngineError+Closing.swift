// The errors of closing a session, in the same words for every engine.

extension EngineError {
  /// The error of closing a session of which snapshots are held.
  package static func snapshotsHeld(_ count: Int, of engine: String) -> EngineError {
    let held = count == 1 ? "1 snapshot is held; end it" : "\(count) snapshots are held; end them"
    return EngineError(engine: engine, code: .snapshotsHeld, message: "\(held) before closing")
  }

  /// The error of using or closing a session that is closed.
  package static func sessionClosed(of engine: String) -> EngineError {
    EngineError(
      engine: engine, code: .failed, message: "the session is closed; open it again")
  }

  /// The error of closing a session whose write transaction has not ended.
  package static func writeUnderWay(of engine: String) -> EngineError {
    EngineError(
      engine: engine, code: .busy,
      message: "a write transaction is open; commit it or roll it back before closing")
  }
}
