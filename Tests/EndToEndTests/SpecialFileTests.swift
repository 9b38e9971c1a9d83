// Special files: pipes that nothing writes into, endless devices, sparse files of a terabyte. No command may wait for one or
// read it.
import SystemIO
import TestSupport
import Testing

@Suite("Files that are not regular", .timeLimit(.minutes(HangGuard.minutes)))
struct SpecialFileTests {
  /// Each command with a pipe where it reads a file, and what else it must have.
  private static let commands = [
    "inspect pipe", "verify pipe", "compact pipe", "compact --dry-run pipe",
    "compact pipe --copy new", "inspect file --key-file pipe", "trace pipe", "trace pipe --to new",
    "replay pipe", "validate pipe", "validate pipe.yml", "explain pipe", "scenarios pipe",
    "run pipe --output out", "run small.yml --interleaving pipe --output out",
    "record pipe new --output out",
    "agreement pipe --engine sqlite --reference native --output out", "report records",
    "gallery records --output out", "compare-curves records records", "baseline save records",
    "baseline compare records", "history add records --commit x", "gate records",
  ]

  @Test(
    "a pipe that nothing writes into is refused by every command, and never waited for",
    arguments: commands)
  func pipes(command: String) async throws {
    try await BuiltCommand.withFolder { folder in
      try FileSystem.write(text: RunTests.small, to: folder.appending("small.yml"))
      let outcome = try await BuiltCommand.script(
        """
        mkfifo pipe pipe.yml && mkdir records && mkfifo records/record.json && touch file
        exec "$lab" \(command)
        """, in: folder)
      #expect(outcome.ending == .exited(2), "\(outcome.errorText)")
      #expect(
        outcome.errorText.contains("this is a pipe, not a regular file"), "\(outcome.errorText)")
      #expect(!FileSystem.exists(folder.appending("new")))
    }
  }

  @Test("a pipe with the name of an engine's library makes that engine missing, with the reason")
  func library() async throws {
    let outcome = try await BuiltCommand.withFolder { folder in
      try await BuiltCommand.script(
        "mkfifo pipe && exec \"$lab\" engines --realm-library ./pipe", in: folder)
    }
    #expect(outcome.ending == .exited(0))
    #expect(outcome.outputText.contains("this is a pipe, not a regular file"))
  }

  @Test(
    "a device without end, a link to one, a folder and a file of a terabyte are refused, within little memory",
    arguments: [
      ("/dev/zero", "this is a device"), ("zero.yml", "this is a device"),
      ("large.yml", "larger than 1 MiB"), ("measured/small.yml", "this is a device"),
    ])
  func endless(file: String, words: String) async throws {
    let measured = RunTests.small.replacing("size: 256 B", with: "size: histogram sizes.csv")
    try await BuiltCommand.withFolder { folder in
      try FileSystem.makeFolders(folder.appending("measured"))
      try FileSystem.write(text: measured, to: folder.appending("measured/small.yml"))
      // 600 MB of addresses: reading without end would come to them soon.
      let outcome = try await BuiltCommand.script(
        """
        ln -s /dev/zero zero.yml; ln -s /dev/zero measured/sizes.csv; truncate -s 1T large.yml
        ulimit -v 600000; exec "$lab" validate \(file)
        """, in: folder)
      #expect(outcome.ending == .exited(2), "\(outcome.ending) \(outcome.errorText)")
      #expect(outcome.errorText.contains(words), "\(outcome.errorText)")
    }
  }
}
