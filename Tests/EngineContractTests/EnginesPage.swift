// Reports/Engines/README.md, of which parts are made from the code: a test makes its part anew and compares it with what
// is there.
// UPDATE_GOLDEN=1 writes it instead.
import Glibc
import SystemIO
import TestSupport
import Testing

enum EnginesPage {
  /// Tests of one process may write it at once.
  private static let lock = ThreadMutex()

  private static let path = Repository.root.pushing("Reports/Engines/README.md")

  static let isToBeWritten = Repository.isUpdating

  /// The page as it is.
  static func text() throws -> String { try FileSystem.readText(path) }

  /// Holds what stands between the two marks of that name to the text. `filter` names the tests that write it.
  static func hold(_ name: String, to text: String, filter: String) throws {
    try lock.withLock {
      let page = try self.text()
      let generated = try replaced(name, text, in: page)
      if isToBeWritten {
        try FileSystem.write(text: generated, to: path)
      } else {
        #expect(page == generated, "run UPDATE_GOLDEN=1 swift test --filter \(filter)")
      }
    }
  }

  /// A table of Markdown, its first row the head.
  static func table(_ rows: [[String]]) -> String {
    var lines = rows
    lines.insert(rows[0].map { _ in "---" }, at: 1)
    return lines.map { "| " + $0.joined(separator: " | ") + " |\n" }.joined()
  }

  /// The cells of the table of that name, its head first, without the line below the head.
  static func table(named name: String) throws -> [[String]] {
    let page = try text()
    var rows = page[try range(of: name, in: page)].split(separator: "\n").map { line in
      line.split(separator: "|", omittingEmptySubsequences: false).dropFirst().dropLast()
        .map { cell in
          String(cell.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
        }
    }
    if rows.count > 1 { rows.remove(at: 1) }
    return rows
  }

  private static func replaced(
    _ name: String, _ text: String, in page: String
  ) throws -> String {
    let range = try range(of: name, in: page)
    return page[..<range.lowerBound] + text + page[range.upperBound...]
  }

  /// Between the two marks.
  private static func range(of name: String, in page: String) throws -> Range<String.Index> {
    let begin = "<!-- \(name): begin -->\n"
    let end = "<!-- \(name): end -->"
    let from = try #require(page.firstRange(of: begin), "\(begin) is missing")
    let to = try #require(page.firstRange(of: end), "\(end) is missing")
    return from.upperBound..<to.lowerBound
  }
}
