// The operators on strings. They compare bytes in UTF-8, as indexes do, and not the characters that a reader sees.
import Foundation

/// An operator and its operand.
struct TextMatch: Sendable {
  enum Operation: Sendable {
    case equals, contains, begins, ends
    /// `?` in the operand is any one scalar, `*` any number of them.
    case like
  }

  let operation: Operation
  let operand: String
  let ignoresCase: Bool
  /// The operand's bytes, in lowercase if case is ignored.
  private let pattern: [UInt8]

  init(_ operation: Operation, _ operand: String, ignoresCase: Bool) {
    self.operation = operation
    self.operand = operand
    self.ignoresCase = ignoresCase
    pattern = Array((ignoresCase ? operand.lowercased() : operand).utf8)
  }

  func matches(_ text: String) -> Bool {
    var text = ignoresCase ? text.lowercased() : text
    return text.withUTF8 { matches($0) }
  }

  private func matches(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    switch operation {
    case .equals: text.elementsEqual(pattern)
    case .begins: text.starts(with: pattern)
    case .ends: text.suffix(pattern.count).elementsEqual(pattern)
    case .contains: contains(text)
    case .like: isLike(text)
    }
  }

  private func contains(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let first = pattern.first else { return true }
    guard text.count >= pattern.count else { return false }
    for start in 0...(text.count - pattern.count) where text[start] == first {
      if text[start..<start + pattern.count].elementsEqual(pattern) { return true }
    }
    return false
  }

  private func isLike(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    var (index, patternIndex) = (0, 0)
    // Where to continue if the rest does not match: behind the last `*`, with one more scalar for it.
    var star: (patternIndex: Int, index: Int)?
    while index < text.count {
      let wanted = patternIndex < pattern.count ? pattern[patternIndex] : nil
      if wanted == UInt8(ascii: "*") {
        patternIndex += 1
        star = (patternIndex, index)
      } else if wanted == UInt8(ascii: "?") {
        patternIndex += 1
        index = Self.nextScalar(text, index)
      } else if wanted == text[index] {
        patternIndex += 1
        index += 1
      } else if let last = star {
        index = Self.nextScalar(text, last.index)
        patternIndex = last.patternIndex
        star = (last.patternIndex, index)
      } else {
        return false
      }
    }
    return pattern[patternIndex...].allSatisfy { $0 == UInt8(ascii: "*") }
  }

  private static func nextScalar(_ text: UnsafeBufferPointer<UInt8>, _ index: Int) -> Int {
    var next = index + 1
    while next < text.count, text[next] & 0xC0 == 0x80 { next += 1 }
    return next
  }

  /// The bytes that every match begins with; nil if they are not known.
  var prefix: [UInt8]? {
    if ignoresCase { return nil }
    switch operation {
    case .equals, .begins: return pattern
    case .like:
      return Array(pattern.prefix { $0 != UInt8(ascii: "*") && $0 != UInt8(ascii: "?") })
    case .contains, .ends: return nil
    }
  }
}
