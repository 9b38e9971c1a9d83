// Files that nobody would write: shipped scenarios with random damage. Each must parse or give problems that lie in it.
import ScenarioModel
import ScenarioParser
import TestSupport
import Testing

@Suite("Damaged scenario files")
struct MutationTests {
  private static let rounds = 2000

  /// Pieces that mean something to YAML or to the parser.
  private static let pieces: [String] = [
    "\"", "'", "{", "}", "[", "]", ":", ": ", "- ", "#", "|", ">", "&a ", "*a", "!!str ", "\t",
    "\n", "\r\n", "---\n", "%", "_", "-1", "0", "null", "~", "99999999999999999999", "1e9", "NaN",
    "é", "🗜", "\u{0}", "\u{FEFF}", "\u{E000}", "\u{2028}", "\\", "<<", "name", "none",
    "never", " + ", "on-launch: ", "within 3 commits", "to",
  ]

  @Test(
    "damage anywhere never crashes the parser, and problems lie within the file",
    arguments: [1, 2, 3])
  func damage(_ stream: UInt64) throws {
    let seed = testSeed(20_260) &+ stream
    var random = SeededRandom(seed: seed)
    let texts = try Repository.scenarios().map { try Repository.text("Scenarios/\($0).yml") }
    for round in 0..<Self.rounds / 3 {
      var scalars = Array(texts[random.below(texts.count)].unicodeScalars)
      for _ in 0...random.below(4) { mutate(&scalars, &random) }
      var view = String.UnicodeScalarView()
      view.append(contentsOf: scalars)
      let text = String(view)
      for problem in MistakeTests.problems(text) {
        let context: Comment =
          "SEED=\(seed &- stream), stream \(stream), round \(round): \(problem.summary)"
        #expect(problem.line >= 1 && problem.column >= 1 && problem.length >= 1, context)
        #expect(problem.line <= lineCount(text) + 1, context)
        #expect(problem.column <= problem.sourceLine.unicodeScalars.count + 1, context)
        #expect(!problem.excerpt.isEmpty, context)
      }
    }
  }

  private func mutate(_ scalars: inout [Unicode.Scalar], _ random: inout SeededRandom) {
    let at = random.below(scalars.count + 1)
    switch random.below(5) {
    case 0:
      scalars.removeSubrange(at..<min(scalars.count, at + 1 + random.below(8)))
    case 1:
      scalars.insert(
        contentsOf: Self.pieces[random.below(Self.pieces.count)].unicodeScalars, at: at)
    case 2 where at < scalars.count:
      let piece = Self.pieces[random.below(Self.pieces.count)]
      scalars.replaceSubrange(at..<at + 1, with: piece.unicodeScalars)
    case 3:
      // Doubles a stretch, which doubles keys and names.
      let end = min(scalars.count, at + random.below(200))
      scalars.insert(contentsOf: scalars[at..<end], at: at)
    default:
      scalars.removeSubrange(at...)
    }
  }

  private func lineCount(_ text: String) -> Int {
    1 + text.unicodeScalars.count { [0x0A, 0x0D, 0x85, 0x2028, 0x2029].contains($0.value) }
  }

  @Test("deep nesting and long lists are refused or read, in stride")
  func extremes() {
    let deep = "scenario: " + String(repeating: "[", count: 5000)
    #expect(!MistakeTests.problems(deep).isEmpty)
    let laughs =
      "a: &a [x, x, x, x, x, x, x, x]\n"
      + (0..<20).map { "b\($0): &a [*a, *a, *a, *a, *a, *a, *a, *a]\n" }.joined()
    #expect(!MistakeTests.problems(laughs).isEmpty)
    let large = "scenario: " + String(repeating: "x", count: 2 << 20)
    #expect(MistakeTests.problems(large).map(\.message) == ["the file is larger than 1 MiB"])
    let repeated = String(repeating: "seed: 1\n", count: 500)
    #expect(!MistakeTests.problems(repeated).isEmpty)
  }
}
