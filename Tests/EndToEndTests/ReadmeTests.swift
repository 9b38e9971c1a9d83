// The commands of README's "Ask your own question" on its scenario, as they stand there, with fewer rows, commits and seeds.
import SystemIO
import TestSupport
import Testing

@Suite("The question of README", .timeLimit(.minutes(HangGuard.minutes)))
struct ReadmeTests {
  private static let section = "Ask your own question"

  private static func block(_ language: String) throws -> String {
    try #require(
      try DocumentedExample.blocks(of: language, under: section, in: "README.md").first)
  }

  /// The commands without their comments.
  private static func commands() throws -> [String] {
    try block("sh").split(separator: "\n").map { line in
      line.prefix { $0 != "#" }.split(separator: " ").joined(separator: " ")
    }
  }

  @Test("three commands lead from the scenario to a rule to ship, and each leaves its report")
  func threeCommands() async throws {
    let commands = try Self.commands()
    #expect(
      commands.map { $0.split(separator: " ").prefix(3).joined(separator: " ") } == [
        "compaction-lab run my-app.yml", "compaction-lab optimum my-app.yml",
        "compaction-lab tune my-app.yml",
      ])
    let small =
      "--set data.Item.rows=2_000 --set phases.import.commits=50 --set phases.purge.commits=50 --quiet"
    let fewer = [
      "run": "--repetitions 1", "optimum": "--checks 0",
      "tune": "--training-seeds 1 --held-out-seeds 1 --robustness 0",
    ]
    let reports = [
      "run": "my-app/report.md", "optimum": "my-app-optimum/optimum.md",
      "tune": "my-app-tune/tune.md",
    ]
    try await BuiltCommand.withFolder { folder in
      try FileSystem.write(text: try Self.block("yaml"), to: folder.appending("my-app.yml"))
      for command in commands {
        let name = String(command.split(separator: " ")[1])
        let outcome = try await BuiltCommand.script(
          """
          mkdir -p bin && ln -sf "$lab" bin/compaction-lab && PATH=$PWD/bin:$PATH
          \(command) \(small) \(fewer[name] ?? "")
          """, in: folder)
        #expect(outcome.ending == .exited(0), "\(command): \(outcome.errorText)")
        let report = try #require(reports[name])
        #expect(outcome.outputText.contains("report: Reports/\(report)"), "\(outcome.outputText)")
        #expect(FileSystem.exists(folder.pushing(FilePath("Reports/\(report)"))), "\(command)")
        if name == "tune" {
          #expect(outcome.outputText.contains("ship this: "), "\(outcome.outputText)")
        }
      }
    }
  }
}
