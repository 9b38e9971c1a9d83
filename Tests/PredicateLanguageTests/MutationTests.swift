// Texts of conditions and closures with random damage. Each is read or refused within its text, evaluates to the end, and is
// shown so that it reads back and decides alike.
import Foundation
import PredicateLanguage
import Testing

// Foundation has types of these names too.
private typealias Predicate = PredicateLanguage.Predicate
private typealias PredicateError = PredicateLanguage.PredicateError

@Suite("Damaged predicates")
struct PredicateMutationTests {
  /// `FUZZ_ROUNDS=100000` for a night's worth; the usual number takes a second.
  private static let rounds =
    ProcessInfo.processInfo.environment["FUZZ_ROUNDS"].flatMap(Int.init) ?? 2001

  /// Texts that are damaged, and those that once failed: a line of hyphens ends each.
  private static let corpus: [String] = {
    let file = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "Corpus/predicates.txt")
    let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
    return text.components(separatedBy: "\n---\n")
  }()

  private static let pieces = [
    "let ", "var x = ", "return ", "if ", "else", " else { ", "guard ", "{", "}", "(", ")", "? ",
    ": ", ";", "\n", "&&", "||", "!", "<", "<=", "==", "=", "+", "-", "*", "/", "%", " MB", " s",
    "0", "1", "0.5", "5UL", "9223372036854775807", "9223372036854775808", "1e308", "Double(",
    "Int(", "UInt(", "Int8(", "Float(", "(double)", "(unsigned long)", "NSUInteger x = ", "min(",
    "max(", "abs(", "sqrt(", ", ", "totalBytes", "usedBytes", "liveBytes", "pinAge", "pins", "x",
    "true", "NO", "and ", "not ", "^", "in ", "const ", "//", "/*", "*/", "≤", "é", "\u{0}", "\r\n",
  ]

  @Test("texts of the corpus are read, or refused as they were")
  func corpusItself() {
    #expect(Self.corpus.count == 10)
    let refused = Self.corpus.filter { (try? Predicate($0, variables: measured)) == nil }
    #expect(refused == ["totalBytes > 5; let x = 5"])
  }

  @Test("damage anywhere is refused within the text, or decides as its shown form does")
  func damage() throws {
    var dice = RoundTripTests.Dice(state: RoundTripTests.seed &+ 7)
    var read = 0
    for round in 0..<Self.rounds {
      var text = Array(Self.corpus.randomElement(using: &dice)!)
      for _ in 0...Int.random(in: 0..<4, using: &dice) { Self.mutate(&text, &dice) }
      let source = String(text)
      let context: Comment =
        "SEED=\(RoundTripTests.seed), round \(round): \(source.debugDescription)"
      do throws(PredicateError) {
        let predicate = try Predicate(source, variables: measured)
        read += 1
        try check(predicate, context, &dice)
      } catch {
        let position = error.position
        #expect(position.offset >= 0 && position.offset <= source.count, context)
        #expect(position.length >= 1 && !error.report.isEmpty, context)
      }
    }
    #expect(read > Self.rounds / 100)
  }

  private func check(
    _ predicate: Predicate, _ context: Comment, _ dice: inout RoundTripTests.Dice
  ) throws(PredicateError) {
    let again: Predicate
    do { again = try Predicate(predicate.oneLine, variables: measured) } catch {
      Issue.record("\(context): \(predicate.oneLine): \(error)")
      return
    }
    for _ in 0..<4 {
      let values = Dictionary(
        uniqueKeysWithValues: measured.names.map { name in
          let size = [0, 1, 2, 5, 1024, 30_000_000, 1 << 47].randomElement(using: &dice)!
          return (name, Double(size))
        })
      #expect(
        predicate.evaluate { values[$0] } == again.evaluate { values[$0] },
        "\(context) as \(predicate.oneLine)")
      _ = predicate.evaluate { $0 == "totalBytes" ? 5 : nil }
      _ = predicate.evaluate { _ in .infinity }
      _ = predicate.evaluate { _ in -0.5 }
    }
  }

  private static func mutate(_ text: inout [Character], _ dice: inout RoundTripTests.Dice) {
    let at = Int.random(in: 0...text.count, using: &dice)
    let piece = Array(pieces.randomElement(using: &dice)!)
    switch Int.random(in: 0..<5, using: &dice) {
    case 0:
      text.removeSubrange(at..<min(text.count, at + 1 + Int.random(in: 0..<8, using: &dice)))
    case 1: text.insert(contentsOf: piece, at: at)
    case 2 where at < text.count: text.replaceSubrange(at..<at + 1, with: piece)
    case 3:
      let end = min(text.count, at + Int.random(in: 0..<60, using: &dice))
      text.insert(contentsOf: text[at..<end], at: at)
    default:
      let end = min(text.count, at + Int.random(in: 0..<20, using: &dice))
      text.removeSubrange(at..<end)
    }
  }
}
