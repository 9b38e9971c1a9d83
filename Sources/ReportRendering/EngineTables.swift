// A table for each engine under its name, so that no column repeats it and every table fits on a page.

struct EngineTables {
  private let columns: [(title: String, alignment: MarkdownTable.Alignment)]
  private var tables: [(engine: String, note: String, table: MarkdownTable, after: String)] = []

  init(_ columns: [(title: String, alignment: MarkdownTable.Alignment)]) { self.columns = columns }

  var isEmpty: Bool { tables.isEmpty }

  /// Adds a row below those of the same engine.
  ///
  /// - Parameter note: what stands behind the engine's name; taken from its first row.
  mutating func add(_ engine: String, note: String = "", _ cells: [String]) {
    if tables.last?.engine != engine {
      tables.append((engine, note, MarkdownTable(columns), ""))
    }
    tables[tables.count - 1].table.add(cells)
  }

  /// Adds a line below the last table.
  mutating func add(lineAfter text: String) {
    guard !tables.isEmpty else { return }
    tables[tables.count - 1].after += "\n\(text)\n"
  }

  var text: String {
    tables.map { entry in
      let note = entry.note.isEmpty ? "" : ", \(entry.note)"
      return "**\(entry.engine.asMarkdown)**\(note)\n\n\(entry.table.text)\(entry.after)"
    }.joined(separator: "\n")
  }
}
