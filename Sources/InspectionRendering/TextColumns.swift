// Aligned columns of text, as inspections show them.

/// Returns the text with spaces before it, `width` characters long at least.
func padded(_ text: String, _ width: Int) -> String {
  String(repeating: " ", count: max(0, width - text.count)) + text
}

/// Aligns rows: the first `leading` columns and the last `trailing` to the left, the rest to the right.
func columns(_ rows: [[String]], leading: Int, trailing: Int = 0) -> String {
  let count = rows.first?.count ?? 0
  let widths = (0..<count).map { column in rows.map { $0[column].count }.max() ?? 0 }
  return rows.map { row in
    let cells = row.enumerated().map { column, text in
      let space = String(repeating: " ", count: widths[column] - text.count)
      return column < leading || column >= count - trailing ? text + space : space + text
    }
    var line = "  " + cells.joined(separator: "  ")
    while line.last == " " { line.removeLast() }
    return line
  }.joined(separator: "\n")
}
