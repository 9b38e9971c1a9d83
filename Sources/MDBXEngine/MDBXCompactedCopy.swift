// The compacted copy. libmdbx writes it with a second thread, and waits forever for that thread once a write of it has
// failed (0.13.12): so all the space that the copy can take is reserved in the file before libmdbx writes to it.
import CMDBX
import EngineInterface
import MetricModel
import SystemIO

extension Environment {
  /// Copies the pages of the newest version, without gaps, to a new file. `account` is this environment's.
  func writeCompactedCopy(to path: FilePath, for account: SpaceAccount) throws(EngineError) {
    let copy = try CompactedCopy.makeFile(
      path, forCopyOf: file, engine: mdbxID, reserving: account.copyBytes())
    try writeCompactedCopy(into: copy, path)
  }

  /// Copies into an empty file in which `account.copyBytes()` bytes are reserved.
  func writeCompactedCopy(into copy: FileWriter, _ path: FilePath) throws(EngineError) {
    let code = copy.withDescriptor { mdbx.call.envCopy2fd(handle, $0, UInt32(MDBX_CP_COMPACT)) }
    if code == MDBX_SUCCESS { return }
    // The partial copy is of no use. A failure to remove it is not the error to report.
    try? FileSystem.removeFile(path)
    throw mdbx.error(code, while: "writing a compacted copy to \(path)")
  }
}
