// The page of errors, made from the doc comments of the failures' declarations: Reports/ObjectErrors.md.
import TestSupport

enum ErrorPage {
  private static let declarations = "Sources/ObjectStore/Errors/RealmError.swift"

  private static let head = """
    # Errors of the object store

    For programmers who ask: what does an error of the [object store](../Docs/ObjectStore.md) mean? Calls throw `Realm.Error`,
    a subclass of `NSError` with the domain `io.realm`, the failure and its code, the file, and a message. Codes below 100 are
    the SDK's; the others stand for what the SDK raises as an Objective-C exception. This page is made from the declarations
    of failures.

    | failure | code | when |
    |---|---|---|

    """

  /// Returns the page: a row for each `case` with a code, with the doc comment above it.
  static func text() throws -> String {
    var comment: [Substring] = []
    var rows: [String] = []
    for line in try Repository.text(declarations).split(separator: "\n") {
      if let part = line.wholeMatch(of: #/ +\/\/\/ (.+)/#) {
        comment.append(part.1)
        continue
      }
      if let failure = line.wholeMatch(of: #/ +case (\w+) = (\d+)/#) {
        rows.append("| `\(failure.1)` | \(failure.2) | \(comment.joined(separator: " ")) |\n")
      }
      comment = []
    }
    return head + rows.joined()
  }
}
