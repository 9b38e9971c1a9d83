// The compacted copy. libmdbx writes it with a second thread, and waits for ever for that thread once a write of it has
// failed (0.13.12): so the file is made with all the room that the copy can take before libmdbx is given it.
import CMDBX
import EngineInterface
import MetricModel
import SystemIO

extension Environment {
  /// Copies what the newest version needs, page after page without gaps, to a new file. `account` is this environment's.
  func writeCompactedCopy(to path: FilePath, for account: SpaceAccount) throws(EngineError) {
    let copy = try CompactedCopy.makeFile(
      path, forCopyOf: file, engine: mdbxID, reserving: account.copyBytes())
    try writeCompactedCopy(into: copy, path)
  }

  /// Copies into an empty file, which has room for `account.copyBytes()`.
  func writeCompactedCopy(into copy: FileWriter, _ path: FilePath) throws(EngineError) {
    let code = copy.withDescriptor { mdbx.call.envCopy2fd(handle, $0, UInt32(MDBX_CP_COMPACT)) }
    if code == MDBX_SUCCESS { return }
    // What was begun is of no use; that it cannot be removed is not the error to report.
    try? FileSystem.removeFile(path)
    throw mdbx.error(code, while: "writing a compacted copy to \(path)")
  }
}
