// From SQLite's result codes to the refusals of the contract.
import CSQLite
import EngineInterface
import SystemIO

let sqliteID = "sqlite"

extension EngineError {
  /// What the connection's last failed call says, with what was being done.
  static func sqlite(_ code: Int32, _ connection: OpaquePointer?, while action: String)
    -> EngineError
  {
    let text = String(cString: connection.map { sqlite3_errmsg($0) } ?? sqlite3_errstr(code))
    let cause = connection.map { sqlite3_system_errno($0) } ?? 0
    let system = SystemError(code: cause, call: "system")
    let primary = code & 0xff
    let isSystems = cause != 0 && [SQLITE_IOERR, SQLITE_CANTOPEN, SQLITE_FULL].contains(primary)
    let (kind, hint) = isSystems ? (Code(system), " (\(system))") : meaning(primary)
    return EngineError(engine: sqliteID, code: kind, message: "\(action): \(text)\(hint)")
  }

  private static func meaning(_ primary: Int32) -> (Code, hint: String) {
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

  static var sqliteClosed: EngineError {
    EngineError(engine: sqliteID, code: .failed, message: "the session is closed; open it again")
  }
}
