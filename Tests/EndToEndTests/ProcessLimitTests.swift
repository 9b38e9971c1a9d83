// Commands under low limits of descriptors and address space, which a shell sets.
import Foundation
import SystemIO
import TestSupport
import Testing

@Suite("Limits of the process", .timeLimit(.minutes(HangGuard.minutes)))
struct ProcessLimitTests {
  /// Runs the command in a shell that has set this first.
  private func limited(_ limit: String, _ arguments: [String]) async throws -> ChildProcess.Outcome
  {
    try await BuiltCommand.script(
      "\(limit); exec \"$lab\" " + arguments.map { "'\($0)'" }.joined(separator: " "))
  }

  private func withSmall<R>(
    _ scenario: String = RunTests.small, _ body: ([String]) async throws -> R
  ) async throws -> R {
    try await BuiltCommand.withFolder { folder in
      let file = folder.appending("small.yml")
      try FileSystem.write(text: scenario, to: file)
      return try await body([
        "run", file.string, "--repetitions", "1", "--output", folder.appending("out").string,
      ])
    }
  }

  @Test(
    "too few descriptors are rejected before anything runs, with the number that is needed",
    arguments: [10, 12, 16, 19, 20, 24])
  func hardDescriptors(count: Int) async throws {
    try await withSmall { run in
      let outcome = try await limited("ulimit -n \(count)", run + ["--jobs", "2"])
      if outcome.ending == .exited(0) {
        #expect(count >= 20)
      } else {
        #expect(outcome.ending == .exited(2), "\(outcome.errorText)")
        #expect(outcome.errorText.contains("the process may have \(count)"))
        let needed = outcome.errorText.split(separator: "ulimit -n ").last?.prefix { $0.isNumber }
        let enough = try #require(needed.flatMap { Int($0) })
        #expect(outcome.errorText.contains("needs \(enough) open files"))
        // The number that the message names is one that does.
        let again = try await limited("ulimit -n \(enough)", run + ["--jobs", "2"])
        #expect(again.ending == .exited(0), "\(again.errorText)")
      }
    }
  }

  @Test("a soft limit of descriptors that is too low is raised, for the processes of cells too")
  func softDescriptors() async throws {
    try await withSmall { run in
      let outcome = try await limited("ulimit -S -n 8", run)
      #expect(outcome.ending == .exited(0), "\(outcome.errorText)")
    }
  }

  @Test("commands that start no process need few descriptors, and print how many")
  func otherCommands() async throws {
    for arguments in [["engines"], ["validate", "Scenarios"], ["scenarios"]] {
      let refused = try await limited("ulimit -n 7", arguments)
      #expect(refused.ending == .exited(2) && refused.errorText.contains("needs 10 open files"))
      #expect(try await limited("ulimit -n 10", arguments).ending == .exited(0), "\(arguments)")
    }
  }

  #if os(Linux)
    @Test(
      "too little address space is rejected with the number that is needed, and every run ends"
    )
    func addresses() async throws {
      try await withSmall { run in
        let native = run + ["--engine", "native"]
        for kilobytes in [120_000, 200_000, 400_000] {
          let outcome = try await limited("ulimit -v \(kilobytes)", native)
          #expect(outcome.ending == .exited(2), "\(outcome.errorText)")
          #expect(outcome.errorText.contains("of address space"), "\(outcome.errorText)")
          if kilobytes > 200_000 {
            #expect(outcome.errorText.contains("ulimit -v 585938"), "\(outcome.errorText)")
          }
        }
        // What the message names is enough.
        for kilobytes in [585_938, 600_000, 700_000] {
          let outcome = try await limited("ulimit -v \(kilobytes)", native)
          #expect(outcome.ending == .exited(0), "\(outcome.errorText)")
        }
      }
    }

    @Test("that address space is enough for the threads of thirteen clients")
    func addressesOfThreads() async throws {
      let readers = (1...12).map { "reader\($0)" }
      let clients = readers.map { "  \($0): { kind: reader, reads: 1 }" }
      let scenario = RunTests.small
        .replacing("  reader: { kind: reader, reads: 1 }", with: clients.joined(separator: "\n"))
        .replacing("[writer, reader]", with: "[writer, \(readers.joined(separator: ", "))]")
      try await withSmall(scenario) { run in
        let outcome = try await limited(
          "ulimit -v 585938", run + ["--engine", "native", "--schedule", "threads"])
        #expect(outcome.ending == .exited(0), "\(outcome.errorText)")
      }
    }
  #endif
}
