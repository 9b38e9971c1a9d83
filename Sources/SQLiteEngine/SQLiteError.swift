// Converts SQLite's result codes to engine errors.
import CSQLite
import EngineInterface
import MetricModel
import SystemIO

let sqliteID = EngineIdentifier.sqlite.rawValue

extension SQLiteLibrary {
  /// Returns the error of the connection's last failed call; `action` is what was being done.
  func error(
    _ code: Int32, _ connection: OpaquePointer?, while action: String
  ) -> EngineError {
    let words = connection.map { call.errmsg($0) } ?? call.errstr(code)
    let text = words.map { String(cString: $0) } ?? "error \(code)"
    let cause = connection.map { call.systemErrno($0) } ?? 0
    let system = SystemError(code: cause, call: "system")
    let primary = code & 0xff
    let isSystems = cause != 0 && [SQLITE_IOERR, SQLITE_CANTOPEN, SQLITE_FULL].contains(primary)
    let (kind, hint) =
      isSystems ? (EngineError.Code(system), " (\(system))") : Self.meaning(primary)
    return EngineError(engine: sqliteID, code: kind, message: "\(action): \(text)\(hint)")
  }

  private static func meaning(_ primary: Int32) -> (EngineError.Code, hint: String) {
    switch primary {
    case SQLITE_NOTADB, SQLITE_CORRUPT:
      (.corrupt, "; restore it from a copy, or give an empty folder")
    case SQLITE_FULL:
      (.outOfSpace, "; make room on the disk")
    case SQLITE_READONLY, SQLITE_PERM, SQLITE_AUTH:
      (.permissionDenied, "; give the user the right to write the file and its folder")
    case SQLITE_BUSY, SQLITE_LOCKED:
      (.busy, "; another connection holds a lock: end its transaction")
    default:
      (.failed, "")
    }
  }

}

extension EngineError {
  static var sqliteClosed: EngineError {
    EngineError(engine: sqliteID, code: .failed, message: "the session is closed; open it again")
  }
}
