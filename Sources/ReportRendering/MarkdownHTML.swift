// Turns the Markdown that our reports are written in into HTML: headings, paragraphs, quotes, lists, tables, code. Not a
// reader of any Markdown; what reports do not use is not here, and a picture is left to the page.

struct MarkdownHTML {
  private var html = ""
  private var lines: ArraySlice<Substring>

  /// - Parameter picture: what stands for a line that shows a picture, by its path; nil to leave it out.
  static func html(_ markdown: String, picture: (String) -> String?) -> String {
    var converter = Self(
      lines: markdown.split(separator: "\n", omittingEmptySubsequences: false)[...])
    while !converter.lines.isEmpty { converter.block(picture) }
    return converter.html
  }

  private init(lines: ArraySlice<Substring>) { self.lines = lines }

  private mutating func block(_ picture: (String) -> String?) {
    guard let line = lines.first else { return }
    if line.isEmpty {
      lines.removeFirst()
    } else if let fold = MarkdownFold.html(line, inline: Self.inline) {
      lines.removeFirst()
      html += fold
    } else if line.hasPrefix("```") {
      code()
    } else if line.hasPrefix("#") {
      heading()
    } else if line.hasPrefix("![") {
      lines.removeFirst()
      let path = line.split(separator: "](").last?.dropLast() ?? ""
      html += picture(String(path)) ?? ""
    } else if line.hasPrefix("|") {
      table()
    } else if line.hasPrefix(">") {
      quote()
    } else if line.hasPrefix("- ") {
      html += "<ul>\n"
      for item in take({ !$0.isEmpty }).joined(separator: "\n").split(separator: "\n- ") {
        html += "<li>\(Self.inline(String(item.hasPrefix("- ") ? item.dropFirst(2) : item)))</li>\n"
      }
      html += "</ul>\n"
    } else {
      html += "<p>\(Self.inline(take { !$0.isEmpty }.joined(separator: "\n")))</p>\n"
    }
  }

  private mutating func take(_ belongs: (Substring) -> Bool) -> [Substring] {
    let taken = lines.prefix(while: belongs)
    lines = lines.dropFirst(taken.count)
    return Array(taken)
  }

  private mutating func code() {
    let fence = lines.removeFirst().prefix { $0 == "`" }
    let text = take { $0 != fence }.joined(separator: "\n")
    lines = lines.dropFirst()
    html += "<pre><code>\(text.asMarkup)</code></pre>\n"
  }

  private mutating func heading() {
    let line = lines.removeFirst()
    let level = line.prefix { $0 == "#" }.count
    html += "<h\(level)>\(Self.inline(String(line.dropFirst(level + 1))))</h\(level)>\n"
  }

  private mutating func quote() {
    let texts = take { $0.hasPrefix(">") }.map { $0.dropFirst($0.hasPrefix("> ") ? 2 : 1) }
    let paragraphs = texts.split { $0.isEmpty }.map { $0.joined(separator: " ") }
    html += "<blockquote>"
    html += paragraphs.map { "<p>\(Self.inline($0))</p>" }.joined()
    html += "</blockquote>\n"
  }

  private mutating func table() {
    let rows = take { $0.hasPrefix("|") }.map(Self.cells)
    let isRight = (rows.dropFirst().first ?? []).map { $0.hasSuffix(":") }
    // The keyboard can scroll what has the focus.
    html += "<div class=\"scroll\" tabindex=\"0\"><table>\n"
    for (index, row) in rows.enumerated() where index != 1 {
      let isEmptyHeader = index == 0 && row.allSatisfy(\.isEmpty)
      if isEmptyHeader { continue }
      let tag = index == 0 ? "th" : "td"
      html += "<tr>"
      for (column, cell) in row.enumerated() {
        let number = column < isRight.count && isRight[column] ? " class=\"n\"" : ""
        html += "<\(tag)\(number)>\(Self.inline(cell))</\(tag)>"
      }
      html += "</tr>\n"
    }
    html += "</table></div>\n"
  }

  /// The fields of a row; a bar behind a backslash is text.
  private static func cells(_ line: Substring) -> [String] {
    let inner = line.dropFirst().dropLast(line.hasSuffix("|") ? 1 : 0)
    return inner.replacing("\\|", with: "\u{1}").split(
      separator: "|", omittingEmptySubsequences: false
    ).map { $0.trimmed.replacing("\u{1}", with: "|") }
  }

  static func inline(_ text: String) -> String { MarkdownInline(text).html }
}

extension Substring {
  fileprivate var trimmed: String {
    String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
  }
}
