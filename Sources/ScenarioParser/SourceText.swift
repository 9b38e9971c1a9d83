// The text of a scenario file by line and column, and the way back from a decoded scalar to the characters it came
// from: a mistake in a predicate is shown where the predicate stands in the file, even within an indented block.
import Yams

struct SourceText {
  /// Line and column from 1, in Unicode scalars, as YAML marks are.
  struct Position {
    var line: Int
    var column: Int
  }

  let file: String
  private let scalars: [Unicode.Scalar]
  /// The offset of each line; the last is past the end if the text ends with a line break.
  private let lineStarts: [Int]

  init(_ text: String, file: String) {
    self.file = file
    scalars = Array(text.unicodeScalars)
    var starts = [0]
    for (index, scalar) in scalars.enumerated() where scalar.isLineBreak {
      let isFirstOfPair =
        scalar == "\r" && index + 1 < scalars.count && scalars[index + 1] == "\n"
      if !isFirstOfPair { starts.append(index + 1) }
    }
    lineStarts = starts
  }

  /// Unicode scalars of the text.
  var count: Int { scalars.count }

  /// The first scalar of a kind, and its offset.
  func first(where condition: (Unicode.Scalar) -> Bool) -> (Int, Unicode.Scalar)? {
    scalars.firstIndex(where: condition).map { ($0, scalars[$0]) }
  }

  /// The text of a line without its break; empty where there is no such line.
  func line(_ number: Int) -> String {
    guard lineStarts.indices.contains(number - 1) else { return "" }
    var view = String.UnicodeScalarView()
    view.append(contentsOf: scalars[lineStarts[number - 1]...].prefix { !$0.isLineBreak })
    return String(view)
  }

  func offset(of position: Position) -> Int {
    guard lineStarts.indices.contains(position.line - 1) else { return scalars.count }
    return min(lineStarts[position.line - 1] + position.column - 1, scalars.count)
  }

  func position(of offset: Int) -> Position {
    let line = lineStarts.lastIndex { $0 <= offset } ?? 0
    return Position(line: line + 1, column: offset - lineStarts[line] + 1)
  }

  /// Returns for each Unicode scalar of `scalar.string`, and for its end, the offset in this text; nil if the two cannot be
  /// aligned (a tag or an anchor precedes the text).
  func offsets(of scalar: Node.Scalar) -> [Int]? {
    guard let mark = scalar.mark else { return nil }
    let start = offset(of: Position(line: mark.line, column: mark.column))
    var alignment = Alignment(source: scalars, style: scalar.style, from: start)
    return alignment.run(Array(scalar.string.unicodeScalars))
  }
}

/// Walks a decoded scalar and its source side by side.
private struct Alignment {
  let source: [Unicode.Scalar]
  let style: Node.Scalar.Style
  var at: Int
  /// Spaces that a block scalar's lines begin with.
  var indent = 0

  init(source: [Unicode.Scalar], style: Node.Scalar.Style, from start: Int) {
    self.source = source
    self.style = style
    at = start
    switch style {
    case .literal, .folded:
      skip { !$0.isLineBreak }
      skipBreak()
      indent = firstIndent()
      skipIndent()
    case .singleQuoted, .doubleQuoted: at += 1
    case .any, .plain: break
    }
  }

  mutating func run(_ decoded: [Unicode.Scalar]) -> [Int]? {
    var offsets: [Int] = []
    for scalar in decoded {
      if style == .doubleQuoted { skipContinuations() }
      if scalar == " " || scalar == "\n" {
        offsets.append(at)
        advanceOverSpace(scalar)
      } else {
        skip { $0 == " " || $0 == "\t" && scalar != "\t" || $0.isLineBreak }
        guard let length = lengthOfMatch(scalar) else { return nil }
        offsets.append(at)
        at += length
      }
    }
    return offsets + [min(at, source.count)]
  }

  /// Returns the length of the source for `scalar`; nil if another character is there.
  private func lengthOfMatch(_ scalar: Unicode.Scalar) -> Int? {
    guard at < source.count else { return nil }
    if style == .doubleQuoted, source[at] == "\\" { return lengthOfEscape() }
    guard source[at] == scalar else { return nil }
    return style == .singleQuoted && scalar == "'" ? 2 : 1
  }

  private func lengthOfEscape() -> Int {
    guard at + 1 < source.count else { return 1 }
    switch source[at + 1] {
    case "x": return 4
    case "u": return 6
    case "U": return 10
    default: return 2
    }
  }

  private mutating func advanceOverSpace(_ scalar: Unicode.Scalar) {
    guard at < source.count else { return }
    switch style {
    case .literal:
      if scalar == "\n" {
        skip { $0 == " " }
        skipBreak()
        skipIndent()
      } else if source[at] == scalar {
        at += 1
      }
    default:
      if style == .doubleQuoted, source[at] == "\\" {
        at += lengthOfEscape()
      } else if source[at].isLineBreak {
        skip { $0.isLineBreak || $0 == " " || $0 == "\t" }
      } else if source[at] == scalar {
        at += 1
      }
    }
  }

  /// A backslash at the end of a line of double-quoted text joins it with the next.
  private mutating func skipContinuations() {
    while at + 1 < source.count, source[at] == "\\", source[at + 1].isLineBreak {
      at += 1
      skip { $0.isLineBreak || $0 == " " || $0 == "\t" }
    }
  }

  private mutating func skip(_ condition: (Unicode.Scalar) -> Bool) {
    while at < source.count, condition(source[at]) { at += 1 }
  }

  private mutating func skipBreak() {
    guard at < source.count else { return }
    at += source[at] == "\r" && at + 1 < source.count && source[at + 1] == "\n" ? 2 : 1
  }

  private mutating func skipIndent() {
    let end = min(at + indent, source.count)
    while at < end, source[at] == " " { at += 1 }
  }

  /// The indent of the first line that is not blank.
  private func firstIndent() -> Int {
    var spaces = 0
    for scalar in source[min(at, source.count)...] {
      if scalar == " " {
        spaces += 1
      } else if scalar.isLineBreak {
        spaces = 0
      } else {
        break
      }
    }
    return spaces
  }
}

extension Unicode.Scalar {
  /// Whether the character ends a line in YAML 1.1.
  fileprivate var isLineBreak: Bool {
    switch value {
    case 0x0A, 0x0D, 0x85, 0x2028, 0x2029: true
    default: false
    }
  }
}
