// From the texts of DuckDB's errors to the refusals of the contract.
import CDuckDB
import EngineInterface
import MetricModel

let duckDBID = EngineIdentifier.duckDB.rawValue

/// An error of DuckDB as the C interface has it: a text that begins with the kind of error.
struct DuckDBFailure {
  let text: String

  init(_ text: UnsafePointer<CChar>?) {
    self.text = text.map { String(cString: $0) } ?? "DuckDB gives no reason"
  }

  private static let meanings: [([String], EngineError.Code, hint: String)] = [
    (
      ["No space left on device", "File too large", "Disk quota exceeded"], .outOfSpace,
      "; free disk space"
    ),
    (
      ["Could not set lock on file", "already attached", "Unique file handle conflict"], .busy,
      "; close the other session first"
    ),
    (
      ["Permission denied", "Read-only file system", "Operation not permitted"],
      .permissionDenied, ""
    ),
    (
      ["not a valid DuckDB database file", "orrupt", "checksum", "Serialization Error"],
      .corrupt, "; restore it from a copy, or give an empty folder"
    ),
  ]

  /// Returns the error; `otherwise` is its code where the text has no known meaning.
  func error(
    while action: String, otherwise: EngineError.Code = .failed
  ) -> EngineError {
    for (marks, code, hint) in Self.meanings where marks.contains(where: text.contains) {
      return EngineError(engine: duckDBID, code: code, message: "\(action): \(text)\(hint)")
    }
    return EngineError(engine: duckDBID, code: otherwise, message: "\(action): \(text)")
  }
}
