// Converts LMDB's return codes to engine errors.
import CLMDB
import EngineInterface
import MetricModel
import SystemIO

let lmdbID = EngineIdentifier.lmdb.rawValue

extension LMDBLibrary {
  /// A non-zero return code, positive from the system and negative from LMDB, with what was being done.
  func error(_ code: Int32, while action: String) -> EngineError {
    if code == SystemError.inputOutput {
      return EngineError(
        engine: lmdbID, code: .failed,
        message: """
          \(action): input/output error. LMDB also reports a write that was cut short so: look for a full disk \
          or a file size limit (ulimit -f)
          """)
    }
    if code > 0 {
      return EngineError(
        engine: lmdbID, SystemError(code: code, call: "LMDB"), while: action)
    }
    let (kind, hint) = Self.meaning(code)
    let text = call.strerror(code).map { String(cString: $0) } ?? "error \(code)"
    return EngineError(engine: lmdbID, code: kind, message: "\(action): \(text)\(hint)")
  }

  private static func meaning(_ code: Int32) -> (EngineError.Code, hint: String) {
    switch code {
    case MDB_INVALID, MDB_VERSION_MISMATCH, MDB_CORRUPTED, MDB_PAGE_NOTFOUND, MDB_INCOMPATIBLE:
      (.corrupt, "; restore it from a copy, or give an empty folder")
    case MDB_MAP_FULL:
      (.outOfSpace, "; the map reserves address space: raise the limit (ulimit -v)")
    case MDB_READERS_FULL:
      (.busy, "; end snapshots before beginning more")
    case MDB_PANIC:
      (.failed, "; an earlier write failed half-way: close and open again")
    default:
      (.failed, "")
    }
  }
}
