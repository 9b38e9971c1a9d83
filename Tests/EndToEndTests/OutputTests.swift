// The output of commands: losing a result is an error, a reader that closes the pipe is none, and progress is no result.
import Foundation
import SystemIO
import TestSupport
import Testing

@Suite("Results and progress", .timeLimit(.minutes(HangGuard.minutes)))
struct OutputTests {
  private func withSmall<R>(_ body: (FilePath) async throws -> R) async throws -> R {
    try await BuiltCommand.withFolder { folder in
      try FileSystem.write(text: RunTests.small, to: folder.appending("small.yml"))
      return try await body(folder)
    }
  }

  private static let commands = [
    "engines", "scenarios small.yml", "validate small.yml", "explain small.yml", "--help",
    "--version",
    "help run", "run small.yml --engine null --repetitions 1 --output out",
    "run small.yml --engine null --repetitions 1 --output out -q", "new another",
  ]

  @Test("a command whose result is lost reports that and exits with 2", arguments: commands)
  func lost(command: String) async throws {
    try await withSmall { folder in
      for (redirection, words) in [
        ("> /dev/full", "No space left on device"), (">&-", "Bad file descriptor"),
      ] {
        let outcome = try await BuiltCommand.script(
          "rm -f another.yml; exec \"$lab\" \(command) \(redirection)", in: folder)
        #expect(outcome.ending == .exited(2), "\(redirection)")
        let line = outcome.errorText.split(separator: "\n").last ?? ""
        #expect(line.contains("standard output") && line.contains(words), "\(outcome.errorText)")
      }
      // What it leaves in files is there all the same.
      if command.hasPrefix("run") {
        #expect(FileSystem.exists(folder.appending("out/small/report.md")))
      }
    }
  }

  @Test(
    "a reader that closes the pipe early does not end the command or change its exit code",
    arguments: commands)
  func closed(command: String) async throws {
    try await withSmall { folder in
      // The pipe is closed before anything is written into it.
      let outcome = try await BuiltCommand.script(
        """
        mkfifo closed; exec 3<> closed 4> closed 3>&-
        "$lab" \(command) >&4
        """, in: folder)
      #expect(outcome.ending == .exited(0), "\(outcome.errorText)")
      #expect(!outcome.errorText.contains("standard output"))
    }
  }

  @Test("--quiet leaves the verdict, the failures and the paths")
  func quiet() async throws {
    try await withSmall { folder in
      // In a folder of its own: in that of all, what killed commands of other tests left would be removed and reported.
      let run =
        "run small.yml --engine null --policy never --repetitions 2 --output out --quiet --work-folder ."
      let outcome = try await BuiltCommand.script("exec \"$lab\" \(run)", in: folder)
      #expect(outcome.ending == .exited(0))
      #expect(outcome.outputText == "  report: out/small/report.md\n")
      #expect(outcome.errorText.isEmpty)
      let expectation = "expect:\n  - { in: pinned, that: totalBytes < 0 B }\n"
      try FileSystem.write(
        text: RunTests.small + expectation, to: folder.appending("small.yml"))
      let failing = try await BuiltCommand.script(
        "exec \"$lab\" \(run.replacing("null", with: "native"))", in: folder)
      #expect(failing.ending == .exited(1))
      #expect(failing.outputText.contains("failed: totalBytes < 0 B"))
      #expect(!failing.outputText.contains("high water"), "no table: \(failing.outputText)")
      #expect(failing.errorText.isEmpty)
    }
  }

  @Test("in a pipe progress is at most one line a second, and the last one")
  func seldom() async throws {
    try await withSmall { folder in
      let begin = Clock.monotonicNanoseconds()
      let outcome = try await BuiltCommand.script(
        "exec \"$lab\" run small.yml --engine null --policy never --schedule stepped --repetitions 40 --output out",
        in: folder)
      let seconds = Int((Clock.monotonicNanoseconds() - begin) / 1_000_000_000)
      // What killed runs left behind is reported too, by the first run after them.
      let lines = outcome.errorText.split(separator: "\n").filter { $0.hasPrefix("[") }
      #expect(lines.first?.hasPrefix("[1/40] ") == true)
      #expect(lines.last?.hasPrefix("[40/40] ") == true)
      #expect(lines.count <= seconds + 2, "\(lines.count) lines in \(seconds) s")
    }
  }
}
