// From WiredTiger's error numbers to the refusals of the contract.
import CWiredTiger
import EngineInterface
import MetricModel

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

let wiredTigerID = EngineIdentifier.wiredTiger.rawValue

extension WiredTigerConnection {
  /// Throws the error for a result that is not zero, with what WiredTiger reported to the handler of messages.
  @inline(__always)
  func check(_ action: @autoclosure () -> String, _ result: Int32) throws(EngineError) {
    if result != 0 { throw messages.error(result, while: action(), library) }
  }
}

extension MessageLog {
  func error(
    _ number: Int32, while action: String, _ library: WiredTigerLibrary
  ) -> EngineError {
    let texts = take()
    let cause = number == WT_PANIC ? spaceMessage : nil
    let (code, hint) = Self.meaning(of: number, isForSpace: cause != nil)
    let first = cause.map { texts.contains($0) ? [] : [$0] } ?? []
    let reasons = texts.isEmpty ? [library.text(of: number)] : texts
    return EngineError(
      engine: wiredTigerID, code: code,
      message: "\(action): \((first + reasons).joined(separator: "; "))\(hint)")
  }

  private static func meaning(
    of number: Int32, isForSpace: Bool
  ) -> (EngineError.Code, hint: String) {
    switch number {
    case ENOSPC, EFBIG, EDQUOT:
      return (.outOfSpace, "; free disk space, then close and open again")
    case WT_PANIC where isForSpace:
      return (.outOfSpace, "; free disk space, then close and open again")
    case EBUSY: return (.busy, "; close the other session first")
    case EACCES, EPERM, EROFS: return (.permissionDenied, "")
    case WT_ERROR, WT_NOTFOUND, WT_PANIC, WT_TRY_SALVAGE, EINVAL, ENOENT:
      return (.corrupt, "; restore it from a copy, or give an empty folder")
    default: return (.failed, "")
    }
  }
}
