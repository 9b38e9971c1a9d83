// The least width of a page's tables, estimated without a browser: as CSS computes the min-content width of an automatic table,
// with the advance widths of DejaVu Sans, the widest font that the page asks for.

/// A table of a page: its cells row by row.
struct PageTable {
  struct Cell {
    var isHeader: Bool
    /// A number is not broken into lines.
    var isNumber: Bool
    var lines: [[Glyph]] = [[]]
  }

  /// A character with its font.
  struct Glyph {
    var character: Character
    var isBold: Bool
    var isCode: Bool
  }

  var rows: [[Cell]] = []
  /// How many folds it is in, each of which has a border and a padding.
  var folds: Int

  /// The space that it may take in a window of 1,280 px: the page has a padding of 20 px on each side, a fold 8 px and a
  /// border of 1 px.
  var available: Double { 1240 - 18 * Double(folds) }

  /// The least width in px, to which no column can be narrowed further.
  var minWidth: Double {
    let columnCount = rows.map(\.count).max() ?? 0
    return (0..<columnCount).reduce(0) { sum, column in
      sum
        + (rows.compactMap { row in
          column < row.count
            ? minWidth(row[column], isFirst: column == 0, isLast: column == row.count - 1) : nil
        }.max() ?? 0)
    }
  }

  private func minWidth(_ cell: Cell, isFirst: Bool, isLast: Bool) -> Double {
    let isWhole = cell.isNumber || (isFirst && !cell.isHeader)
    let texts = cell.lines.flatMap { isWhole ? [$0] : Self.words($0) }
    let text = texts.map { $0.reduce(0) { $0 + FontWidths.width($1) } }.max() ?? 0
    let least = isLast && !cell.isHeader ? 5 * FontWidths.size : 0
    return max(text, least) + 2 * 7
  }

  /// The parts between which a line may be broken: at spaces and after hyphens.
  private static func words(_ line: [Glyph]) -> [[Glyph]] {
    var words: [[Glyph]] = [[]]
    for glyph in line {
      if glyph.character == " " {
        words.append([])
      } else {
        words[words.count - 1].append(glyph)
        if glyph.character == "-" { words.append([]) }
      }
    }
    return words
  }

  /// Returns the tables of a page.
  static func all(in page: String) -> [PageTable] {
    var tables: [PageTable] = []
    var folds = 0
    var isInCell = false
    var (isStrong, isCode) = (false, false)
    func add(_ text: Substring) {
      guard isInCell, let row = tables.indices.last.map({ tables[$0].rows.count - 1 }),
        let cell = tables.last?.rows[row].indices.last
      else { return }
      let isBold = isStrong || tables[tables.count - 1].rows[row][cell].isHeader
      let line = tables[tables.count - 1].rows[row][cell].lines.count - 1
      tables[tables.count - 1].rows[row][cell].lines[line] += unescaped(text).map {
        Glyph(character: $0, isBold: isBold, isCode: isCode)
      }
    }
    for match in page.matches(of: #/<(\/?)(\w+)([^>]*)>|([^<]+)/#) {
      guard let name = match.output.2 else {
        add(match.output.4 ?? "")
        continue
      }
      let isEnd = match.output.1 == "/"
      switch name {
      case "details": folds += isEnd ? -1 : 1
      case "table" where !isEnd: tables.append(PageTable(folds: folds))
      case "tr" where !isEnd: tables[tables.count - 1].rows.append([])
      case "td", "th":
        isInCell = !isEnd
        guard !isEnd, let row = tables.last.map({ $0.rows.count - 1 }) else { break }
        let isNumber = match.output.3?.contains("class=\"n\"") ?? false
        tables[tables.count - 1].rows[row].append(
          Cell(isHeader: name == "th", isNumber: isNumber))
      case "br" where isInCell:
        let row = tables[tables.count - 1].rows.count - 1
        let cell = tables[tables.count - 1].rows[row].count - 1
        tables[tables.count - 1].rows[row][cell].lines.append([])
      case "strong": isStrong = !isEnd
      case "code": isCode = !isEnd
      default: break
      }
    }
    return tables
  }

  private static func unescaped(_ text: Substring) -> String {
    String(text).replacing("\n", with: " ").replacing("&lt;", with: "<").replacing(
      "&gt;", with: ">"
    )
    .replacing("&quot;", with: "\"").replacing("&#39;", with: "'").replacing("&amp;", with: "&")
  }
}

/// Advance widths in thousandths of the font's size.
private enum FontWidths {
  /// The font size of tables, in px.
  static let size = 13.0

  /// DejaVu Sans, from the space to the tilde.
  private static let regular = [
    318, 401, 460, 838, 636, 950, 780, 275, 390, 390, 500, 838, 318, 361, 318, 337, 636, 636, 636,
    636, 636, 636, 636, 636, 636, 636, 337, 337, 838, 838, 838, 531, 1000, 684, 686, 698, 770, 632,
    575, 775, 752, 295, 295, 656, 557, 863, 748, 787, 603, 787, 695, 635, 611, 732, 684, 989, 685,
    611, 685, 390, 337, 390, 838, 500, 500, 613, 635, 550, 635, 615, 352, 635, 634, 278, 278, 579,
    278, 974, 634, 612, 635, 635, 411, 521, 392, 634, 592, 818, 592, 592, 525, 636, 337, 636, 838,
  ]
  /// DejaVu Sans Bold.
  private static let bold = [
    348, 456, 521, 838, 696, 1002, 872, 306, 457, 457, 523, 838, 380, 415, 380, 365, 696, 696, 696,
    696, 696, 696, 696, 696, 696, 696, 400, 400, 838, 838, 838, 580, 1000, 774, 762, 734, 830, 683,
    683, 821, 837, 372, 372, 775, 637, 995, 837, 850, 733, 850, 770, 720, 682, 812, 774, 1103, 771,
    724, 725, 457, 365, 457, 838, 500, 500, 675, 716, 593, 716, 678, 435, 716, 712, 343, 343, 665,
    343, 1042, 712, 687, 716, 716, 493, 595, 478, 712, 652, 924, 645, 652, 582, 712, 365, 712, 838,
  ]
  /// DejaVu Sans Mono.
  private static let code = 602
  /// Of other characters, those that figures are written with.
  private static let others: [Character: Int] = ["µ": 736, "·": 380, "–": 500]
  /// Of the rest, about the widest.
  private static let widest = 1000

  static func width(_ glyph: PageTable.Glyph) -> Double {
    let thousandths: Int
    if glyph.isCode {
      thousandths = code
    } else if let ascii = glyph.character.asciiValue, (32...126).contains(ascii) {
      thousandths = (glyph.isBold ? bold : regular)[Int(ascii) - 32]
    } else {
      thousandths = others[glyph.character] ?? widest
    }
    return Double(thousandths) * size / 1000
  }
}
