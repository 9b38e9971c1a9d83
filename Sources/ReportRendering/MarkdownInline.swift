// The marks within a line of our Markdown: code, strong and emphasized text, line breaks, and escaped characters. All else is
// text.

struct MarkdownInline {
  private let text: [Character]
  private var offset = 0
  private var isStrong = false
  private var isEmphasized = false
  private(set) var html = ""

  init(_ text: String) {
    self.text = Array(text)
    while offset < self.text.count { step() }
    if isEmphasized { html += "</em>" }
    if isStrong { html += "</strong>" }
  }

  private mutating func step() {
    switch text[offset] {
    case "\\" where follows { $0.isASCII && ($0.isPunctuation || $0.isSymbol) }:
      append(text[offset + 1])
      offset += 2
    case "`": code()
    case "*": emphasis()
    case "<" where text[offset...].starts(with: "<br>"):
      html += "<br>"
      offset += 4
    case let character:
      append(character)
      offset += 1
    }
  }

  private func follows(_ isRight: (Character) -> Bool) -> Bool {
    offset + 1 < text.count && isRight(text[offset + 1])
  }

  private mutating func append(_ character: Character) { html += String(character).asMarkup }

  /// From one run of backticks to the next that is as long; a run that has no other is text.
  private mutating func code() {
    let fence = run(at: offset, "`")
    var end = offset + fence
    while end < text.count {
      let length = run(at: end, "`")
      if length == fence { break }
      end += max(1, length)
    }
    guard end < text.count else {
      html += String(repeating: "`", count: fence)
      offset += fence
      return
    }
    var inner = text[(offset + fence)..<end]
    if fence > 1, inner.count > 2, inner.first == " ", inner.last == " " {
      inner = inner.dropFirst().dropLast()
    }
    html += "<code>\(String(inner).asMarkup)</code>"
    offset = end + fence
  }

  private mutating func emphasis() {
    let isDouble = run(at: offset, "*") >= 2
    let length = isDouble ? 2 : 1
    let isOpen = isDouble ? isStrong : isEmphasized
    let before = offset > 0 ? text[offset - 1] : " "
    let after = offset + length < text.count ? text[offset + length] : " "
    let tag = isDouble ? "strong" : "em"
    if isOpen, !before.isWhitespace {
      html += "</\(tag)>"
    } else if !isOpen, !after.isWhitespace {
      html += "<\(tag)>"
    } else {
      html += String(repeating: "*", count: length)
      offset += length
      return
    }
    if isDouble { isStrong.toggle() } else { isEmphasized.toggle() }
    offset += length
  }

  private func run(at start: Int, _ character: Character) -> Int {
    text[start...].prefix { $0 == character }.count
  }
}
