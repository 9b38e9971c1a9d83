// A Markdown table with aligned source, so that report.md is readable in a plain editor.

struct MarkdownTable {
  enum Alignment { case left, right }

  private let titles: [String]
  private let alignments: [Alignment]
  private var rows: [[String]] = []

  init(_ columns: [(title: String, alignment: Alignment)]) {
    titles = columns.map(\.title)
    alignments = columns.map(\.alignment)
  }

  var isEmpty: Bool { rows.isEmpty }

  mutating func add(_ cells: [String]) {
    precondition(cells.count == titles.count, "a row has a cell for every column")
    rows.append(cells.map { $0.replacing("|", with: "\\|").replacing("\n", with: " ") })
  }

  var text: String {
    let widths = titles.indices.map { column in
      max(3, ([titles] + rows).map { $0[column].count }.max() ?? 3)
    }
    let rule = zip(widths, alignments).map { width, alignment in
      String(repeating: "-", count: alignment == .right ? width - 1 : width)
        + (alignment == .right ? ":" : "")
    }
    return ([titles, rule] + rows).map { cells in
      let padded = cells.indices.map { column in
        TextColumn.pad(cells[column], to: widths[column], right: alignments[column] == .right)
      }
      return "| " + padded.joined(separator: " | ") + " |"
    }.joined(separator: "\n") + "\n"
  }
}

package enum TextColumn {
  package static func pad(_ text: String, to width: Int, right: Bool) -> String {
    let space = String(repeating: " ", count: max(0, width - text.count))
    return right ? space + text : text + space
  }
}
