// From the texts of RocksDB's statuses to the refusals of the contract.
import CRocksDB
import EngineInterface
import MetricModel

let rocksDBID = EngineIdentifier.rocksDB.rawValue

extension RocksDBLibrary {
  /// Returns the error for a status that is not OK, and frees its text. The C interface returns no code, so the text is
  /// all there is: the kind of the status, a colon, and mostly the system's words.
  func error(
    takingTextOf failure: UnsafeMutablePointer<CChar>, while action: String
  ) -> EngineError {
    let text = takeText(failure) ?? ""
    let (code, hint) = Self.meaning(of: text)
    return EngineError(engine: rocksDBID, code: code, message: "\(action): \(text)\(hint)")
  }

  private static func meaning(of text: String) -> (EngineError.Code, hint: String) {
    let meanings: [([String], EngineError.Code, hint: String)] = [
      (
        ["No space left on device", "File too large", "Disk quota exceeded"], .outOfSpace,
        "; free disk space, then close and open again"
      ),
      (
        ["lock hold by current process", "While lock file"], .busy,
        "; close the other session first"
      ),
      (
        ["Permission denied", "Read-only file system", "Operation not permitted"],
        .permissionDenied, ""
      ),
      (
        ["Corruption", "Invalid argument", "No such file or directory"], .corrupt,
        "; restore it from a copy, or give an empty folder"
      ),
    ]
    for (marks, code, hint) in meanings where marks.contains(where: text.contains) {
      return (code, hint)
    }
    return (.failed, "")
  }
}
