import Foundation
import MetricModel
import ScenarioModel
import ScenarioParser
import SystemIO
import TestSupport
import Testing

@testable import ScenarioRendering

@Suite("A scenario explained")
struct ScenarioTextTests {
  static let small = """
    scenario: small
    question: What does it come to?
    data:
      Item: { rows: 1_000, value: { size: 1 kB } }
    clients:
      writer: { kind: writer, transaction: { update: 10, scan: 1 } }
      slow: { kind: writer, transaction: { insert: 1 }, rate: 1 per s }
      reader: { kind: reader }
    arms:
      - holding: { summary: as & when <it> happens }
      - cure: { clients: { reader: none } }
    phases:
      - first: { commits: 300, run: [writer, reader] }
      - trim: { delete: 85 %, launches: 2 }
      - second: { commits: 100, run: [writer, slow] }
    launches: { count: 2, gap: 1 h }
    policies: [never, every-launch]
    expect:
      - { in: first, engine: native, that: plateau }
    """

  static func parse(_ text: String) throws -> Scenario {
    try ScenarioParser.parse(text, file: "small.yml")
  }

  @Test("the plan has every phase of every launch, with its commits, its clients and its time")
  func plan() throws {
    let text = ScenarioText.text(try Self.parse(Self.small))
    let lines = text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
    func has(_ line: String) { #expect(lines.contains(line), "\(line)\nis not in\n\(text)") }
    has("plan of holding")
    has("launch 1, at about 0 s")
    has("first   commits 1 to 300, about 3 s: writer and reader")
    // Two closed loops take turns: 1 s and 10 ms, a hundred times in all.
    has("second  commits 301 to 400, about 50 s 500 ms: writer and slow")
    // 53 s of the launch before do not show beside the hour.
    has("launch 2, at about 1 h")
    // The slow one inserted some of the rows by then, and how many is drawn: 1,000 to 1,100.
    has("trim    deletes 85 % of each table, 1,000 rows a transaction: commit 701")
    has("second  commits 702 to 801, about 50 s 500 ms: writer and slow")
    // The cure has no reader, so its plan is another.
    has("first   commits 1 to 300, about 3 s: writer")
    has("cure     without reader")
    has("data        Item  1,000 rows of 1.00 kB, 1.00 MB in all")
    has("expected    in first: plateau (native)")
    #expect(text.contains("each 10 updates and 1 scan of 100 rows, keys uniform; 100 per s"))
    #expect(text.contains("12 cells"))
  }

  @Test("crashes, seed files, hours, keys and what differs in a phase are told")
  func lifecycle() throws {
    var file = Self.small.replacing(
      "launches: { count: 2, gap: 1 h }",
      with:
        "seed-file: true\nlaunches: { count: 4, gap: log-normal 6 h sigma 1, active-hours: 7 h to 23 h, crash: [2, 3] }"
    )
    file = file.replacing("- cure: { clients", with: "- cure: { encrypted: true, clients")
    file = file.replacing(
      "run: [writer, slow]", with: "run: [slow, writer: { transaction: { insert: 7 } }]")
    let text = ScenarioText.text(try Self.parse(file))
    for part in [
      "4 launches, around 6 h between them, log-normal with sigma 1; ",
      "the first launch finds the rows in a compacted copy",
      "the database is opened from 7 h to 23 h only",
      "launches 2 and 3 end as if the process were killed",
      "cure     the database is encrypted",
      "writer commits transactions on Item, each 7 inserts",
    ] { #expect(text.contains(part), "\(part)\nis not in\n\(text)") }
    let plain = ScenarioText.text(try Self.parse(Self.small))
    for word in ["encrypted", "killed", "compacted copy", "opened", "log-normal", "7 inserts"] {
      #expect(!plain.contains(word))
    }
  }

  @Test("an arm says over how many files its rows are divided")
  func files() throws {
    let text = { ScenarioText.text(try Self.parse($0)) }
    let line = "cure     the rows are divided over 4 files"
    #expect(!(try text(Self.small)).contains("divided"))
    let file = Self.small.replacing("- cure: { clients", with: "- cure: { files: 4, clients")
    #expect(try text(file).contains(line))
  }

  @Test(
    "what rows have besides their bytes is in words",
    arguments: [
      ("links 8", "each links to at most 8 rows of the table, chosen anew by each update"),
      ("links 1", "each links to at most 1 row of the table, chosen anew by each update"),
      ("list", "each has a list of integers, which begins empty"),
      (
        "tree of 3",
        "each has 3 embedded objects, and each of these 3 more, 12 in all, replaced by each update"
      ),
      ("indexes 1", "each has 1 indexed integer column, with new values in each update"),
      ("indexes 3", "each has 3 indexed integer columns, with new values in each update"),
    ])
  func shapes(_ shape: String, _ words: String) throws {
    let file = Self.small.replacing(
      "value: { size: 1 kB } }", with: "value: { size: 1 kB }, shape: \(shape) }")
    // In a line of its own, below the number of rows.
    let rows = "Item  1,000 rows of 1.00 kB, 1.00 MB in all\n"
    let line = rows + String(repeating: " ", count: 18) + words + "\n"
    #expect(ScenarioText.text(try Self.parse(file)).contains(line))
    #expect(!ScenarioText.text(try Self.parse(Self.small)).contains("each links"))
  }

  @Test("a transaction that changes lists only is not an empty one in words")
  func lists() throws {
    let file = Self.small
      .replacing("value: { size: 1 kB } }", with: "value: { size: 1 kB }, shape: list }")
      .replacing("{ update: 10, scan: 1 }", with: "{ append: 50, remove-first: 1 }")
    let words = "each 50 elements appended to lists and 1 element removed from the front of lists,"
    #expect(ScenarioText.text(try Self.parse(file)).contains(words))
  }

  @Test("the plan has a migration with its commit, apart from deletions")
  func migrations() throws {
    func text(_ phase: String) throws -> String {
      ScenarioText.text(try Self.parse(Self.small.replacing("trim: { delete: 85 %,", with: phase)))
    }
    let moved = try text("trim: { migrate: values,")
    #expect(
      moved.contains(
        "trim    a migration moves all values to a new property in one transaction: commit 701"))
    #expect(moved.contains("800 commits of clients and 1 of migrations; "))
    let renamed = try text("trim: { migrate: name, delete: 85 %,")
    #expect(
      renamed.contains(
        "deletes 85 % of each table, 1,000 rows a transaction; a migration gives the property of the values "
          + "another name in one transaction: commits 701 to 702"))
    #expect(renamed.contains(" of deletions and migrations; "))
  }

  @Test("the timeline joins without gaps, and launches lie the gap apart")
  func timeline() throws {
    let scenario = try Self.parse(Self.small)
    let stretches = ScenarioTimeline(scenario, scenario.arms[0]).stretches
    #expect(stretches.map(\.phase.name) == ["first", "second", "first", "trim", "second"])
    for (before, after) in zip(stretches, stretches.dropFirst()) {
      #expect(before.commits.end == after.commits.before)
      let gap = before.launch == after.launch ? .zero : scenario.gapBetweenLaunches
      #expect(before.end + gap == after.begin)
    }
    #expect(stretches.last?.commits.end == 801...801)
  }

  @Test("every shipped scenario is explained, and drawn as well-formed XML with all its names")
  func shipped() throws {
    let folder = Repository.root.appending("Scenarios")
    let files = try FileManager.default.subpathsOfDirectory(atPath: folder.string)
      .filter { $0.hasSuffix(".yml") }
    #expect(!files.isEmpty)
    for name in files {
      let file = folder.pushing(FilePath(name))
      let scenario = try Self.parse(try FileSystem.readText(file))
      let text = ScenarioText.text(scenario)
      let svg = TimelineSVG.text(scenario)
      for arm in scenario.arms {
        // A file without arms has one without a name.
        #expect(scenario.arms.count == 1 || text.contains(arm.name))
        #expect(svg.contains(arm.name))
      }
      for phase in scenario.phases { #expect(svg.contains(">\(phase.name)</text>")) }
      #expect(text.split(separator: "\n").allSatisfy { !$0.hasSuffix(" ") })
      try wellFormed(svg)
    }
  }

  @Test("names with signs of XML do not break the picture, which knows light and dark")
  func escaped() throws {
    let svg = TimelineSVG.text(try Self.parse(Self.small))
    #expect(svg.contains("as &amp; when &lt;it&gt; happens"))
    #expect(svg.contains("prefers-color-scheme:dark"))
    try wellFormed(svg)
  }

  @Test("spans of time and numbers are as people write them")
  func quantities() {
    #expect(span(.init(microseconds: 0)) == "0 s")
    #expect(span(.init(microseconds: 90_000_000)) == "1 min 30 s")
    #expect(span(.init(microseconds: 28_800_000_000)) == "8 h")
    #expect(span(.init(microseconds: 1_500)) == "1 ms 500 µs")
    #expect([number(0.5), number(100), number(1234.25)] == ["0.5", "100", "1,234.25"])
    #expect([grouped(7), grouped(1000), grouped(-1_234_567)] == ["7", "1,000", "-1,234,567"])
  }

  /// Every tag that is opened is closed, in order.
  private func wellFormed(_ svg: String) throws {
    var open: [Substring] = []
    for match in svg.matches(of: #/<(/?)([a-z]+)[^<>]*?(/?)>/#) {
      if match.3 == "/" { continue }
      if match.1.isEmpty {
        open.append(match.2)
      } else {
        #expect(open.popLast() == match.2)
      }
    }
    #expect(open.isEmpty)
  }
}
