// Printing and reading again changes nothing, and no text whatever brings the reader down.
import Foundation
import PredicateLanguage
import Testing

// Foundation has types of these names too.
private typealias Predicate = PredicateLanguage.Predicate
private typealias PredicateError = PredicateLanguage.PredicateError

@Suite("Round trips and robustness")
struct RoundTripTests {
  static let seed = ProcessInfo.processInfo.environment["SEED"].flatMap(UInt64.init) ?? 1

  /// Numbers for choosing among possibilities; quality is no matter.
  struct Dice: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return (state >> 33) | (state << 31)
    }
  }

  static func arithmetic(_ dice: inout Dice, _ depth: Int) -> String {
    let leaves = ["totalBytes", "usedBytes", "pins", "3", "0.5", "20 MiB", "50 %", "1e3", "0"]
    guard depth > 0 else { return leaves.randomElement(using: &dice)! }
    let left = arithmetic(&dice, depth - 1)
    switch Int.random(in: 0..<8, using: &dice) {
    case 0: return "-\(left)"
    case 1: return "Int(\(left))"
    case 2: return "(\(left))"
    default:
      let op = ["+", "-", "*", "/"].randomElement(using: &dice)!
      return "(\(left)) \(op) (\(arithmetic(&dice, depth - 1)))"
    }
  }

  static func condition(_ dice: inout Dice, _ depth: Int) -> String {
    guard depth > 0 else {
      let op = ["<", "<=", ">", ">=", "==", "!="].randomElement(using: &dice)!
      return "\(arithmetic(&dice, 2)) \(op) \(arithmetic(&dice, 2))"
    }
    let left = condition(&dice, depth - 1)
    switch Int.random(in: 0..<6, using: &dice) {
    case 0: return "!(\(left))"
    case 1: return "not (\(left))"
    default:
      let op = ["&&", "||", "and", "or"].randomElement(using: &dice)!
      return "(\(left)) \(op) (\(condition(&dice, depth - 1)))"
    }
  }

  @Test("the condensed form of a random condition decides as the condition does")
  func condensed() throws {
    var dice = Dice(state: Self.seed)
    var read = 0
    for _ in 0..<2000 {
      // The line break makes the predicate condense itself.
      let source = "\n" + Self.condition(&dice, 3).replacing(") ", with: ")\n ", maxReplacements: 1)
      let predicate: Predicate
      do {
        predicate = try Predicate(source, variables: names)
      } catch {
        // Constants that divide by zero, and sizes compared with shares.
        #expect([.noValue, .type].contains(error.code), "\(source)")
        continue
      }
      read += 1
      let again = try Predicate(predicate.oneLine, variables: names)
      #expect(again.oneLine == predicate.oneLine)
      for _ in 0..<5 {
        let values = [
          "totalBytes": Double.random(in: 0...4, using: &dice).rounded(),
          "usedBytes": Double.random(in: 0...4, using: &dice).rounded(),
        ]
        #expect(
          predicate.evaluate { values[$0] } == again.evaluate { values[$0] },
          "seed \(Self.seed): \(source) as \(predicate.oneLine) at \(values)")
      }
    }
    #expect(read > 500)
  }

  @Test("encodes as its text; decoding needs no names and gives an equal predicate")
  func codable() throws {
    let predicate = try Predicate("totalBytes > 5 && pins < 3", variables: names)
    let data = try JSONEncoder().encode([predicate])
    #expect(String(decoding: data, as: UTF8.self) == #"["totalBytes > 5 && pins < 3"]"#)
    #expect(try JSONDecoder().decode([Predicate].self, from: data) == [predicate])
    let formula = try Formula("totalBytes / 2", variables: names)
    let formulaData = try JSONEncoder().encode([formula])
    #expect(try JSONDecoder().decode([Formula].self, from: formulaData) == [formula])
    let bad = Data(#"["totalBytes >"]"#.utf8)
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode([Predicate].self, from: bad)
    }
  }

  private static let soup = [
    "totalBytes", "usedBytes", "nowhere", "let", "var", "return", "in", "and", "or", "not",
    "true", "Double", "Int", "NSUInteger", "shouldCompactOnLaunch", "(", ")", "{", "}", "^", "<",
    "<=", "==", "=", "!=", "!", "&&", "||", "&", "|", "+", "-", "*", "/", "%", ",", ";", ":", "->",
    "1", "0.5", "1e9", "20", "MB", "KB", "s", "//", "/*", "*/", "\n", "\t", "\r\n", "$0", ".", "?",
    "é", "≤", "👩‍👩‍👧", "_", "\"", "'", "\u{0}", "x",
  ]

  @Test("random token soup is refused within the text, or read; it never crashes")
  func tokenSoup() {
    var dice = Dice(state: Self.seed)
    var read = 0
    for _ in 0..<20_000 {
      let count = Int.random(in: 0...12, using: &dice)
      let glue = Bool.random(using: &dice) ? " " : ""
      let source = (0..<count).map { _ in Self.soup.randomElement(using: &dice)! }
        .joined(separator: glue)
      do {
        let predicate = try Predicate(source, variables: names)
        _ = predicate.evaluate { _ in 1 }
        read += 1
      } catch {
        #expect(
          error.position.offset >= 0 && error.position.offset <= source.count
            && error.position.length >= 1 && !error.message.isEmpty && !error.report.isEmpty,
          "seed \(Self.seed): \(source.debugDescription)")
      }
    }
    #expect(read > 0)
  }

  @Test("a text that is too deep or too large is refused, not a crash")
  func limits() {
    let deep = String(repeating: "(", count: 10_000) + "1" + String(repeating: ")", count: 10_000)
    let signs = String(repeating: "-", count: 10_000) + "1 > 0"
    let negations = String(repeating: "!", count: 10_000) + "true"
    let nots = String(repeating: "not ", count: 10_000) + "true"
    let sum = "0 < 1" + String(repeating: " + 1", count: 10_000)
    let casts = String(repeating: "(int)", count: 10_000) + "1 > 0"
    let calls =
      String(repeating: "Int(", count: 10_000) + "1" + String(repeating: ")", count: 10_000)
    var doubling = "let a0 = totalBytes\n"
    for index in 1...60 { doubling += "let a\(index) = a\(index - 1) + a\(index - 1)\n" }
    doubling += "a60 > 0"
    for source in [deep, signs, negations, nots, sum, casts, calls, doubling] {
      let error = #expect(throws: PredicateError.self) {
        try Predicate(source, variables: names)
      }
      #expect(error?.code == .tooLarge, "\(source.prefix(40))")
    }
  }
}
