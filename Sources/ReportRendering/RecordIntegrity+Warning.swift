// What a report says before everything else where its figures may not be those that were measured.
import RecordModel

extension RecordIntegrity {
  /// A line of Markdown; nil for files that are as the run left them.
  var warning: String? {
    switch self {
    case .verified: nil
    case .unknown:
      "*The record is of an earlier version and has no digests: whether its files are unchanged since the run is not known.*"
    case .changed(let files):
      "**Made from files that were changed after the run: \(files.map { "`\($0)`" }.joined(separator: ", ")). These "
        + "figures were not measured.**"
    }
  }
}
