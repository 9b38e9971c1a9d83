// The compacted copy. libmdbx writes it with a second thread, and waits for ever for that thread once a write of it has
// failed (0.13.12): so the file is made with all the room that the copy can take before libmdbx is given it.
import CMDBX
import EngineInterface
import MetricModel
import SystemIO

extension Environment {
  /// Copies what the newest version needs, page after page without gaps. `account` is this environment's.
  func writeCompactedCopy(to path: FilePath, for account: SpaceAccount) throws(EngineError) {
    if FileSystem.exists(path) {
      throw EngineError(
        engine: mdbxID, code: .alreadyExists,
        message: "\(path) exists; a compacted copy replaces nothing, so name another")
    }
    let needed = try account.copyBytes()
    let file: FileWriter
    do throws(SystemError) {
      file = try FileWriter(new: path, reserving: needed.bytes)
    } catch {
      throw EngineError(
        engine: mdbxID, error, while: "making room of \(needed) for a compacted copy")
    }
    let code = file.withDescriptor { mdbx.call.envCopy2fd(handle, $0, UInt32(MDBX_CP_COMPACT)) }
    if code == MDBX_SUCCESS { return }
    // What was begun is of no use; that it cannot be removed is not the error to report.
    try? FileSystem.removeFile(path)
    throw mdbx.error(code, while: "writing a compacted copy to \(path)")
  }
}
