// What a run prints and writes, as text: within the terminal's columns, with foreign texts as text, and growth on one base.
import SystemIO
import Testing

@Suite("Texts of reports, as a user reads them")
struct ReportTextTests {
  private func run(
    _ options: [String], columns: String = "100", changing change: (String) -> String = { $0 }
  ) async throws -> (outcome: BuiltCommand.Outcome, report: String, page: String) {
    try await BuiltCommand.withFolder { folder in
      let file = folder.appending("small.yml")
      try FileSystem.write(text: change(RunTests.small), to: file)
      let output = folder.appending("out")
      let outcome = try await BuiltCommand.run(
        [
          "run", file.string, "--schedule", "stepped", "--repetitions", "1", "--output",
          output.string,
        ]
          + options,
        environment: ["COLUMNS": columns])
      #expect(outcome.code == 0, "\(outcome.errors)")
      let small = output.appending("small")
      return (
        outcome, try FileSystem.readText(small.appending("report.md")),
        try FileSystem.readText(small.appending("report.html"))
      )
    }
  }

  @Test("markup in a scenario is text in both reports")
  func foreignTexts() async throws {
    let (_, report, page) = try await run(["--engine", "native"]) {
      $0.replacing(
        "description: A reader", with: "description: \"<script>alert(1)</script> `x` A reader"
      ).replacing("rows are deleted.\n", with: "rows are deleted.\"\n")
        .replacing("question: Does", with: "question: \"# a|b c *Does*")
        .replacing("a whole report?\n", with: "a whole report?\"\n")
    }
    #expect(report.contains("\\<script>alert(1)\\</script> \\`x\\` A reader"))
    #expect(report.contains("*# a|b c \\*Does\\* a small run leave a whole report?*"))
    #expect(page.contains("<p>&lt;script&gt;alert(1)&lt;/script&gt; `x` A reader"))
    #expect(page.contains("<em># a|b c *Does* a small run"))
  }

  @Test(
    "the output fits a terminal of 80 columns, and a count of one has no plural")
  func columns() async throws {
    let (outcome, report, _) = try await run(
      ["--engine", "native-oldest-reader", "--policy", "automatic + on-launch: totalBytes > 1 MB"],
      columns: "80")
    let lines = outcome.output.split(separator: "\n").filter { !$0.contains("report: ") }
    #expect(lines.contains { $0.contains("never") && $0.contains(" ms") })
    for line in lines { #expect(line.count <= 80, "\(line)") }
    #expect(outcome.output.contains("1 engine ×") && !outcome.output.contains("1 engines"))
    // A few hundred kilobytes are never above twice the live data of the run.
    #expect(!report.contains(": never |") && !report.contains(" 1 commits"))
  }

  @Test(
    "growth while snapshots are held is consistent: the rate is the growth divided by the commits")
  func oneBase() async throws {
    let (_, report, _) = try await run(["--engine", "lmdb", "--policy", "never"]) {
      $0.replacing("commits: 100", with: "commits: 400").replacing(
        "rows: 2_000", with: "rows: 8_000"
      )
      .replacing("update: 5", with: "update: 50")
    }
    let sentence = try #require(
      report.firstMatch(
        of:
          #/lmdb grows by ([0-9.]+) MB beyond its live data over ([0-9,]+) commits, ([0-9.]+) kB per commit/#
      ), "\(report)")
    let growth = try #require(Double(sentence.1))
    let commits = try #require(Double(sentence.2.replacing(",", with: "")))
    let rate = try #require(Double(sentence.3))
    #expect(abs(rate * commits / 1000 - growth) <= 0.01 * growth)
    let row = try #require(
      report.split(separator: "\n").first {
        $0.hasPrefix("| default") && $0.contains(" \(sentence.1) MB ")
      })
    #expect(row.contains(" \(sentence.1) MB ") && row.contains(" \(sentence.3) kB "))
  }
}
