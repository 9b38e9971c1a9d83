// From libmdbx's return codes to the refusals of the contract.
import CMDBX
import EngineInterface
import MetricModel
import SystemIO

let mdbxID = EngineIdentifier.mdbx.rawValue

extension MDBXLibrary {
  /// A non-zero return code, positive from the system and negative from libmdbx, with what was being done.
  func error(_ code: Int32, while action: String) -> EngineError {
    if code > 0, Self.meaning(code) == nil {
      return EngineError(engine: mdbxID, SystemError(code: code, call: "libmdbx"), while: action)
    }
    let (kind, hint) = Self.meaning(code) ?? (.failed, "")
    let text = call.strerror(code).map { String(cString: $0) } ?? "error \(code)"
    return EngineError(engine: mdbxID, code: kind, message: "\(action): \(text)\(hint)")
  }

  private static func meaning(_ code: Int32) -> (EngineError.Code, hint: String)? {
    switch code {
    case MDBX_INVALID, MDBX_VERSION_MISMATCH, MDBX_CORRUPTED, MDBX_PAGE_NOTFOUND,
      MDBX_INCOMPATIBLE, MDBX_WANNA_RECOVERY, SystemError.noData:
      (.corrupt, "; restore it from a copy, or give an empty folder")
    case MDBX_MAP_FULL, MDBX_TOO_LARGE, MDBX_UNABLE_EXTEND_MAPSIZE:
      (.outOfSpace, "; raise the geometry's upper bound, or the limit of addresses (ulimit -v)")
    case MDBX_READERS_FULL:
      (.busy, "; end snapshots before beginning more")
    case MDBX_BUSY:
      (.busy, "; another session has the database in a way that excludes this: close it first")
    case MDBX_TXN_FULL:
      (.failed, "; the transaction changed more pages than libmdbx keeps: commit more often")
    case MDBX_PANIC:
      (.failed, "; an earlier write failed half-way: close and open again")
    default:
      nil
    }
  }
}
