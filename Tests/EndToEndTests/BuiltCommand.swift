// The built command, run as a user runs it: arguments in, text, files and exit code out.
import Foundation
import SystemIO
import TestSupport
import Testing

enum BuiltCommand {
  static let executable = try! Repository.program("compaction-lab")

  static let root = Repository.root

  struct Outcome {
    var code: Int32
    var output: String
    var errors: String
  }

  /// Runs the command with the arguments, split at spaces; `{…}` of a caller stands for paths.
  static func run(
    _ arguments: [String], environment: [String: String?] = [:], in folder: FilePath = root,
    input: String = ""
  ) async throws -> Outcome {
    let outcome = try await ChildProcess(
      executable, arguments: arguments,
      environment: environment.merging(["COLUMNS": "100"]) { given, _ in given }, folder: folder
    ).run(input: Array(input.utf8), limit: hangGuard)
    guard case .exited(let code) = outcome.ending else {
      throw CocoaError(.executableNotLoadable, userInfo: ["ending": "\(outcome.ending)"])
    }
    return Outcome(code: code, output: outcome.outputText, errors: outcome.errorText)
  }

  /// A command that hangs is killed, so that the test that gave it fails.
  private static let hangGuard = ChildProcess.Limit(
    milliseconds: HangGuard.processMinutes * 60_000, outputBytes: 1 << 30)

  /// Defines a function for scripts: `await PROCESS CONDITION` waits until the condition holds, and fails where the process
  /// ends before.
  private static let awaitFunction = """
    await() { until eval "$2"; do kill -0 "$1" || return; sleep 0.005; done 2> /dev/null; }

    """

  /// Runs a script of bash in the folder, in which `"$lab"` is the command, and `await` is defined.
  static func script(
    _ text: String, in folder: FilePath = root, environment: [String: String?] = [:]
  ) async throws -> ChildProcess.Outcome {
    try await ChildProcess(
      "/bin/bash", arguments: ["-c", awaitFunction + text],
      environment: environment.merging(["lab": executable.string, "COLUMNS": "100"]) { given, _ in
        given
      },
      folder: folder
    ).run(limit: hangGuard)
  }

  /// Gives a command, interrupts it as Ctrl-C does once the condition holds, and gives it again. It must end with exit code
  /// 130, and then with 0. Returns what both printed.
  static func interruptedAndRepeated(
    _ command: String, when condition: String, in folder: FilePath
  ) async throws -> ChildProcess.Outcome {
    let outcome = try await script(
      """
      "$lab" \(command) & run=$!
      await $run '\(condition)'
      kill -INT $run
      wait $run
      echo "first $?"
      "$lab" \(command)
      echo "second $?"
      """, in: folder)
    #expect(outcome.outputText.contains("first 130"), "\(outcome.outputText)")
    #expect(outcome.outputText.contains("second 0"), "\(outcome.outputText)")
    return outcome
  }

  /// A folder of its own for the body, removed afterwards.
  static func withFolder<R>(_ body: (FilePath) async throws -> R) async throws -> R {
    let folder = try FileSystem.makeTemporaryFolder(prefix: "end-to-end")
    defer { try? FileSystem.removeTree(folder) }
    return try await body(folder)
  }

  /// A folder with a scenario in it, `tiny.yml`.
  static func withTiny<R>(
    _ scenario: String, _ body: (FilePath) async throws -> R
  ) async throws -> R {
    try await withFolder { folder in
      try FileSystem.write(text: scenario, to: folder.appending("tiny.yml"))
      return try await body(folder)
    }
  }
}

/// Texts kept in the repository, to be compared byte for byte; `UPDATE_GOLDEN=1` writes them anew.
enum Golden {
  static func compare(_ text: String, with name: String) throws -> (same: Bool, path: String) {
    let path = FilePath(#filePath).removingLastComponent().appending("Golden").appending(name)
    if Repository.isUpdating {
      try FileSystem.makeFolders(path.removingLastComponent())
      try FileSystem.write(text: text, to: path)
    }
    return (try FileSystem.readText(path) == text, path.string)
  }
}
