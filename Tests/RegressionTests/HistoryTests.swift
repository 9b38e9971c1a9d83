// Histories name the commit that changed a figure, and no other.
import Generators
import MetricModel
import RecordModel
import Regression
import Testing

@Suite("History")
struct HistoryTests {
  private static func key(_ figure: String, machine: String = "") -> HistorySeriesKey {
    HistorySeriesKey(
      scenario: "churn", cell: CellKey(engine: "native", policy: "never", arm: "default"), seed: 1,
      figure: figure, machine: machine)
  }

  private static func entries(
    _ values: [Double], _ figure: String, machine: String = ""
  ) -> [HistoryEntry] {
    values.enumerated().map {
      HistoryEntry(commit: "c\($0)", series: key(figure, machine: machine), value: $1)
    }
  }

  @Test("a history reads back as it was written, and is lines that can be appended")
  func roundTrip() throws {
    let run = try BaselineTests.run()
    let first = HistoryFile.lines(HistoryFile.entries([run], commit: "aaa"))
    let second = HistoryFile.lines(HistoryFile.entries([run], commit: "b,b\"b"))
    let text = HistoryFile.header + first + second
    let read = try HistoryFile.read(text, name: "main.csv")
    #expect(
      read
        == HistoryFile.entries([run], commit: "aaa")
        + HistoryFile.entries([run], commit: "b,b\"b"))
    #expect(read.contains { !$0.series.machine.isEmpty && $0.series.figure == "wall_ns" })
    #expect(
      read.allSatisfy {
        ($0.series.machine.isEmpty)
          == (Metric.of(column: $0.series.figure)?.repeatability == .exact)
      })
    // A merge of two histories is their lines together, and an editor may leave out carriage returns.
    #expect(
      try HistoryFile.read(HistoryFile.header + second + first, name: "main.csv").count
        == read.count)
    #expect(try HistoryFile.read(text.replacing("\r\n", with: "\n"), name: "main.csv") == read)
  }

  private static func message(_ text: String) -> String {
    do {
      _ = try HistoryFile.read(text, name: "main.csv")
      return ""
    } catch { return error.message }
  }

  private static let twoCommits: [String] = {
    let text = ["c0", "c1"].map { commit in
      HistoryFile.lines(
        ["final_bytes", "commits", "operations"].map {
          HistoryEntry(commit: commit, series: key($0), value: 5)
        })
    }
    return (HistoryFile.header + text.joined()).split(separator: "\r\n").map(String.init)
  }()

  @Test("a history that was cut off, at any byte but the end of a commit, is refused with the line")
  func cut() {
    let text = Self.twoCommits.joined(separator: "\n") + "\n"
    #expect(Self.message(text).isEmpty)
    let whole = [0, 1, 4, 7].map { Self.twoCommits[..<$0].joined(separator: "\n").utf8.count + 1 }
    for count in 1..<text.utf8.count where !whole.contains(count) {
      let message = Self.message(String(decoding: text.utf8.prefix(count), as: UTF8.self))
      let line = text.utf8.prefix(count).count { $0 == UInt8(ascii: "\n") }
      #expect(
        message.hasPrefix("main.csv:\(line + 1): the last line has no line end")
          || message.hasPrefix("main.csv:\(line): the last line is part"), "\(count): \(message)")
    }
  }

  @Test("a line that was left out, changed, doubled or moved is refused with its number")
  func changed() {
    func message(_ change: (inout [String]) -> Void) -> String {
      var lines = Self.twoCommits
      change(&lines)
      return Self.message(lines.joined(separator: "\n") + "\n")
    }
    #expect(message { $0.remove(at: 1) }.hasPrefix("main.csv:2: begins with part \"2 of 3\""))
    #expect(message { $0.remove(at: 2) }.hasPrefix("main.csv:3: follows part 1 of 3 of commit c0"))
    #expect(message { $0.remove(at: 3) }.hasPrefix("main.csv:4: follows part 2 of 3 of commit c0"))
    #expect(message { $0.insert($0[2], at: 2) }.hasPrefix("main.csv:4: follows part 2 of 3"))
    #expect(message { $0.swapAt(2, 5) }.hasPrefix("main.csv:3: "))
    for index in 1...6 {
      let changed = message { $0[index] = $0[index].replacing(",5,", with: ",6,") }
      #expect(changed.hasPrefix("main.csv:\(index + 1): the line of commit"), "\(changed)")
    }
    // What was added at once is whole or not there: a commit may be taken out.
    #expect(message { $0.removeSubrange(1...3) }.isEmpty)
  }

  @Test(
    "a history of an earlier version is refused with the upgrade command, which preserves every figure"
  )
  func upgraded() throws {
    let old =
      Self.twoCommits.map { line in
        let fields = line.split(separator: ",", omittingEmptySubsequences: false)
        return fields.dropLast(2).joined(separator: ",")
      }.joined(separator: "\r\n") + "\r\n"
    #expect(Self.message(old).contains("compaction-lab history upgrade adds them"))
    let new = try HistoryFile.upgraded(old, name: "main.csv")
    #expect(new == Self.twoCommits.joined(separator: "\r\n") + "\r\n")
    #expect(throws: RegressionError.self) {
      try HistoryFile.upgraded(String(old.dropLast()), name: "main.csv")
    }
  }

  @Test("no two branches have one file, and a name cannot leave the folder")
  func branches() {
    let names = ["main", "feature/a", "feature-a", "feature%2fa", "../main", "Große"].map {
      HistoryFile.name(branch: $0)
    }
    #expect(Set(names).count == names.count)
    #expect(names.allSatisfy { !$0.contains("/") })
    #expect(names[0] == "main.csv" && names[1] == "feature%2fa.csv")
    #expect(HistoryFile.name(branch: "a\tb") == "a%09b.csv")
  }

  @Test("each commit with another value of an exact figure is reported, even by one byte")
  func exact() {
    let changes = HistoryDetection().changes(
      Self.entries([5000, 5000, 5001, 5001, 4000], "final_bytes"))
    #expect(changes.map(\.commit) == ["c2", "c4"])
    #expect(changes.map(\.previous) == ["c1", "c3"])
    #expect(changes.map(\.isWorse) == [true, false])
    #expect(changes.allSatisfy { $0.pValue == nil })
    #expect(
      HistoryDetection(minShare: 0.01).changes(
        Self.entries([5000, 5001, 4000], "final_bytes")
      ).map(\.commit) == ["c2"])
  }

  @Test("the commit of a step of a noisy figure is reported, and none if there is only noise")
  func noisy() {
    var stream = RandomStream(seed: 7)
    let noise = (0..<40).map { _ in 1e6 + Double(stream.next(in: -20_000...20_000)) }
    let level = Self.entries(noise, "wall_ns", machine: "m")
    #expect(HistoryDetection().changes(level).isEmpty)
    let stepped = noise.enumerated().map { $0 < 25 ? $1 : 1.1 * $1 }
    let changes = HistoryDetection().changes(Self.entries(stepped, "wall_ns", machine: "m"))
    #expect(changes.map(\.commit) == ["c25"])
    #expect(changes.first?.isWorse == true)
    #expect((changes.first?.share).map { abs($0 - 0.1) < 0.02 } == true)
    let text = HistoryText.text(changes, series: 1, commits: 40)
    #expect(text.contains("c25: churn · native · never · default: wall_ns on machine m is worse"))
    #expect(text.hasSuffix(String(repeating: " ", count: 2 + 25) + "^"))
  }

  @Test("a significant step that is too small to matter is left out")
  func veto() {
    var stream = RandomStream(seed: 9)
    let values = (0..<60).map { index in
      (index < 30 ? 1e6 : 1.005e6) + Double(stream.next(in: -500...500))
    }
    let entries = Self.entries(values, "wall_ns", machine: "m")
    #expect(HistoryDetection().changes(entries).isEmpty)
    #expect(HistoryDetection(minShare: 0.001).changes(entries).map(\.commit) == ["c30"])
  }

  @Test("values of another machine are a series of their own: no step between machines")
  func machines() {
    let entries =
      Self.entries(Array(repeating: 1e6, count: 20), "wall_ns", machine: "a")
      + Self.entries(Array(repeating: 2e6, count: 20), "wall_ns", machine: "b")
    #expect(HistoryDetection().changes(entries).isEmpty)
  }

  @Test("a commit that was measured again counts with its last value")
  func again() {
    let entries = Self.entries([1, 1, 1], "final_bytes") + Self.entries([1, 2], "final_bytes")
    let changes = HistoryDetection().changes(entries)
    #expect(changes.map(\.commit) == ["c1", "c2"])
  }
}
