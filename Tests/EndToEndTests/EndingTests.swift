// Commands that are interrupted or killed: what they keep, what they remove, and what the next command removes.
import Foundation
import SystemIO
import TestSupport
import Testing

@Suite("Interrupted and killed commands", .timeLimit(.minutes(HangGuard.minutes)))
struct EndingTests {
  /// Runs the body with a scenario file and an empty folder for temporary files.
  private func withSmall<R>(_ body: (FilePath) async throws -> R) async throws -> R {
    try await BuiltCommand.withFolder { folder in
      try FileSystem.write(text: RunTests.small, to: folder.appending("small.yml"))
      try FileSystem.makeFolders(folder.appending("tmp"))
      return try await body(folder)
    }
  }

  /// A run that would go on for long, with its progress in the file `errors`; `$run` is its number.
  private static let begin = """
    export TMPDIR=$PWD/tmp
    "$lab" run small.yml --repetitions 500 --output out 2> errors > /dev/null & run=$!
    await $run "grep -q ': done' errors"

    """

  private func leftovers(_ folder: FilePath) throws -> [String] {
    try FileSystem.list(folder.appending("tmp"))
  }

  @Test(
    "any signal that asks a run to end leaves the report of what is done and no temporary folder",
    arguments: ["INT", "TERM", "HUP"])
  func signals(name: String) async throws {
    try await withSmall { folder in
      let outcome = try await BuiltCommand.script(
        Self.begin + "kill -\(name) $run; wait $run", in: folder)
      #expect(outcome.ending == .exited(130), "\(outcome.errorText)")
      let record = try FileSystem.readText(folder.appending("out/small/record.json"))
      #expect(record.contains("\"interrupted\" : true"))
      #expect(FileSystem.exists(folder.appending("out/small/report.md")))
      #expect(try leftovers(folder).isEmpty)
    }
  }

  @Test("a second signal ends a run at once that hangs after the first")
  func secondSignal() async throws {
    try await withSmall { folder in
      // Its output is a full pipe that nothing reads, so that it waits for ever from its first line on.
      let outcome = try await BuiltCommand.script(
        """
        mkfifo full; exec 3<> full; head -c 65536 /dev/zero >&3
        "$lab" run small.yml --output out >&3 2> errors & run=$!
        await $run "grep -q 'SigCgt:.*[4567cdef]...$' /proc/$run/status"
        while kill -TERM $run 2> /dev/null; do sleep 0.05; done
        wait $run
        """, in: folder)
      #expect(outcome.ending == .exited(128 + SIGTERM))
    }
  }

  #if os(Linux)
    @Test("a cell that a scheduler's signal ends before the run has received it has not failed")
    func signalToAll() async throws {
      try await withSmall { folder in
        let outcome = try await BuiltCommand.script(
          Self.begin + """
            await $run 'kill -TERM $(cat /proc/$run/task/*/children)'
            sleep 0.1; kill -TERM $run; wait $run
            """, in: folder)
        #expect(outcome.ending == .exited(130), "\(outcome.errorText)")
        let errors = try FileSystem.readText(folder.appending("errors"))
        #expect(errors.contains("interrupted") && !errors.contains("failed"), "\(errors)")
      }
    }

    @Test("the cells of a killed run end with it, and the next run removes and names its folder")
    func killed() async throws {
      try await withSmall { folder in
        let outcome = try await BuiltCommand.script(
          Self.begin + """
            await $run 'cell=$(cat /proc/$run/task/*/children); [ -n "$cell" ]'
            kill -KILL $run
            # A cell that nothing reaps is over too.
            for one in $cell; do
              while grep -q 'State:.[^Z]' /proc/$one/status 2> /dev/null; do sleep 0.05; done
            done
            ls tmp
            """, in: folder)
        let left = outcome.outputText.split(separator: "\n")
        #expect(left.count == 1 && outcome.outputText.hasPrefix("compaction-lab-"))
        let next = try await BuiltCommand.script(
          "export TMPDIR=$PWD/tmp; exec \"$lab\" run small.yml --repetitions 1 --output next",
          in: folder)
        #expect(next.ending == .exited(0), "\(next.errorText)")
        let name = outcome.outputText.split(separator: "\n").first ?? ""
        #expect(next.errorText.contains("removed \(folder)/tmp/\(name) ("), "\(next.errorText)")
        #expect(try leftovers(folder).isEmpty)
      }
    }
  #endif

  @Test("a run does not remove the folder of another run in progress")
  func twoRuns() async throws {
    try await withSmall { folder in
      let outcome = try await BuiltCommand.script(
        Self.begin + """
          "$lab" run small.yml --repetitions 1 --output other > /dev/null || exit 9
          kill -INT $run; wait $run
          """, in: folder)
      #expect(outcome.ending == .exited(130), "\(outcome.errorText)")
      #expect(!outcome.errorText.contains("removed"))
      #expect(try leftovers(folder).isEmpty)
      #expect(try !FileSystem.readText(folder.appending("errors")).contains("failed"))
    }
  }

  @Test("a closed standard error does not end a run")
  func closedProgress() async throws {
    try await withSmall { folder in
      for redirection in ["2>&1 | head -1", "2>&1 > /dev/null | head -1", "2> /dev/full | cat"] {
        let outcome = try await BuiltCommand.script(
          """
          "$lab" run small.yml --repetitions 2 --output out \(redirection) > /dev/null
          exit ${PIPESTATUS[0]}
          """, in: folder)
        #expect(outcome.ending == .exited(0), "\(redirection)")
        #expect(FileSystem.exists(folder.appending("out/small/report.md")), "\(redirection)")
        try FileSystem.removeTree(folder.appending("out"))
      }
    }
  }
}
