// Why a session is not closed, in the same words for every engine.

extension EngineError {
  /// Snapshots of it are held.
  package static func snapshotsHeld(_ count: Int, of engine: String) -> EngineError {
    let held = count == 1 ? "1 snapshot is held; end it" : "\(count) snapshots are held; end them"
    return EngineError(engine: engine, code: .snapshotsHeld, message: "\(held) before closing")
  }

  /// The session is closed already.
  package static func sessionClosed(of engine: String) -> EngineError {
    EngineError(
      engine: engine, code: .failed, message: "the session is closed; open it again")
  }

  /// Its write transaction is under way.
  package static func writeUnderWay(of engine: String) -> EngineError {
    EngineError(
      engine: engine, code: .busy,
      message: "a write transaction is open; commit it or roll it back before closing")
  }
}
