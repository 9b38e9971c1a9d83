// Shipped scenarios with random damage. Each must parse, or give problems that lie in the file.
import Foundation
import ScenarioModel
import ScenarioParser
import TestSupport
import Testing

@Suite("Damaged scenario files")
struct MutationTests {
  /// `FUZZ_ROUNDS=100000` for a night's worth; the usual number takes seconds.
  private static let rounds =
    ProcessInfo.processInfo.environment["FUZZ_ROUNDS"].flatMap(Int.init) ?? 2001

  /// Pieces that mean something to YAML or to the parser.
  private static let pieces: [String] = [
    "\"", "'", "{", "}", "[", "]", ":", ": ", "- ", "#", "|", ">", "&a ", "*a", "!!str ", "\t",
    "\n", "\r\n", "---\n", "%", "_", "-1", "0", "null", "~", "99999999999999999999", "1e9", "NaN",
    "é", "🗜", "\u{0}", "\u{FEFF}", "\u{E000}", "\u{2028}", "\\", "<<", "name", "none",
    "never", " + ", "on-launch: ", "within 3 commits", "to", "1000000000000000000 B", "? ", "- - ",
    "../x", "/etc/passwd", "histogram ../a.csv", "9223372036854775807", "-9223372036854775808",
    "1_000_000_000_000_000_000", "0.0000000001", "1e308", "log-normal 1 B sigma 9", "-0", "100 %",
    "kind: queues", "*a: ", "<<: *a",
  ]

  @Test(
    "damage anywhere never crashes the parser, and problems lie within the file",
    arguments: [1, 2, 3])
  func damage(_ stream: UInt64) throws {
    let seed = testSeed(20_260) &+ stream
    var random = SeededRandom(seed: seed)
    let texts = try ShippedScenarios.texts()
    #expect(!texts.isEmpty)
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
    switch random.below(6) {
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
    case 4:
      // Moves a line elsewhere, which moves keys between mappings.
      let lines = scalars.split(separator: "\n", omittingEmptySubsequences: false)
      let line = Array(lines[random.below(lines.count)])
      let to = random.below(lines.count)
      let begin = lines[to].startIndex
      scalars.insert(contentsOf: line + ["\n"], at: min(begin, scalars.count))
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
    for sign in ["- ", "? ", "[", "{", "{a: ", "!!x ", "- ? "] {
      let nested = String(repeating: sign, count: 200_000)
      #expect(!MistakeTests.problems(nested).isEmpty, "\(sign)")
      #expect(!MistakeTests.problems("data: \n  " + nested).isEmpty, "\(sign)")
    }
    let large = "scenario: " + String(repeating: "x", count: 2 << 20)
    #expect(MistakeTests.problems(large).map(\.message) == ["the file is larger than 1 MiB"])
    let repeated = String(repeating: "seed: 1\n", count: 500)
    #expect(!MistakeTests.problems(repeated).isEmpty)
  }

  @Test("aliases that stand for more values than there is memory are refused where they stand")
  func aliases() throws {
    // Each list has the one before eight times: 8^40 in all. Comparing keys would look at every one.
    let laughs = (1..<40).map { "b\($0): &b\($0) [*b\($0 - 1), *b\($0 - 1)]\n" }.joined()
    for last in ["", "? *b39\n: 1\n? *b39\n: 2\n", "{ [*b39]: 1, [*b39]: 2 }\n", "expect: *b39\n"] {
      let text = "b0: &b0 [x, x]\n" + laughs + last
      let problem = try #require(MistakeTests.problems(text).first)
      #expect(problem.message == "there are &b0 and *b0, and aliases are not read")
      #expect((problem.line, problem.column) == (2, 10))
    }
    // Signs of anchors that are text stay text.
    let text = try #require(try ShippedScenarios.texts().first)
    let spoken = text.replacingOccurrences(
      of: "question: ", with: "question: Is 20 *size &much or R&D *and all that, ")
    #expect(spoken != text && MistakeTests.problems(spoken).isEmpty)
  }

  @Test("what crosses lists is bounded: many arms, policies and expectations end with a sentence")
  func products() throws {
    func lines(_ count: Int, _ line: (Int) -> String) -> String {
      (0..<count).map(line).joined()
    }
    let start = """
      scenario: many
      question: How many?
      data: { Item: { rows: 1, value: { size: 1 B } } }
      phases: [{ work: { commits: 1, run: [writer] } }]
      clients:
        writer: { kind: writer, transaction: { update: 1 } }

      """
    let clients = lines(2000) { "  c\($0): { kind: reader }\n" }
    let arms = "arms:\n" + lines(2000) { "  - a\($0):\n" }
    let policies = "policies:\n" + lines(150) { "  - { name: p\($0), automatic: true }\n" }
    let many = MistakeTests.problems(start + clients + arms + policies)
    #expect(many.contains { $0.message == "there are 2_001 elements" && $0.path == "clients" })
    #expect(many.contains { $0.message == "there are 2_000 elements" && $0.path == "arms" })
    let hundred = "arms:\n" + lines(150) { "  - a\($0):\n" }
    let names = "[" + (0..<150).map { "p\($0)" }.joined(separator: ", ") + "]"
    let crossed = "[" + (0..<150).map { "a\($0)" }.joined(separator: ", ") + "]"
    let expect =
      "expect:\n"
      + lines(500) { _ in "  - { at: end, policy: \(names), arm: \(crossed), that: pins == 0 }\n" }
    let found = MistakeTests.problems(start + hundred + policies + expect)
    #expect(
      found.first?.message == "with this one there are more than 10_000 expectations")
  }

  @Test(
    "a quantity that no machine has is refused with a sentence",
    arguments: [
      ("rows: 40_000", "rows: 1000000000000000000", "data.Item.rows"),
      ("size: 256 B", "size: 1000000000000000000", "data.Item.value.size"),
      ("size: 256 B", "size: 1000000000 GiB", "data.Item.value.size"),
      ("size: 256 B", "size: 1 B to 1000000000000000000 B", "data.Item.value.size"),
      ("size: 256 B", "size: 99999999999999999999999999999999999999 B", "data.Item.value.size"),
      ("commits: 2_000", "commits: 1000000000000000000", "phases.work.commits"),
      ("update: 10", "update: 1000000000000000000", "clients.writer.transaction.update"),
      ("launches: 3", "launches: 1000000000000000000", "launches"),
      ("launches: 3", "launches: { count: 3, gap: 1000000000000000000 d }", "launches.gap"),
      ("every: 50", "every: 1000000000000000000", "sample.every"),
    ])
  func huge(_ usual: String, _ huge: String, _ path: String) throws {
    let text = """
      scenario: huge
      question: How much?
      data:
        Item: { rows: 40_000, value: { size: 256 B } }
      clients:
        writer: { kind: writer, transaction: { update: 10 } }
      phases:
        - work: { commits: 2_000, run: [writer] }
      launches: 3
      policies: [never]
      sample: { every: 50 }
      """
    #expect(MistakeTests.problems(text).isEmpty)
    let changed = text.replacingOccurrences(of: usual, with: huge)
    let problems = MistakeTests.problems(changed)
    #expect(problems.map(\.path) == [path], "\(problems)")
    #expect(problems.allSatisfy { $0.message.contains(" ") && $0.message.count > 15 })
  }

  @Test(
    "names that would lead out of a folder are refused: a scenario's, which reports go by, and a histogram's",
    arguments: [
      "../evil", "/etc/passwd", "a/b", "..", ".", "a/../../b", "~/x", "a\\b", "C:x", "x%2f..",
      "\u{0}",
    ])
  func paths(_ name: String) throws {
    func text(_ scenario: String, _ size: String) -> String {
      """
      scenario: \(scenario)
      question: Where does it go?
      data:
        Item: { rows: 4, value: { size: \(size) } }
      clients:
        writer: { kind: writer, transaction: { update: 10 } }
      phases:
        - work: { commits: 2_000, run: [writer] }
      policies: [never]
      """
    }
    #expect(MistakeTests.problems(text("inside", "1 B")).isEmpty)
    #expect(!MistakeTests.problems(text("\"\(name)\"", "1 B")).isEmpty)
    guard name.contains("/") || name.hasPrefix(".") else { return }
    var asked: [String] = []
    #expect(throws: ScenarioProblems.self) {
      try ScenarioParser.parse(
        text("inside", "histogram \(name)"), file: "inside.yml",
        companion: {
          asked.append($0)
          return "1,2,1\n"
        })
    }
    #expect(asked == [])
  }
}
