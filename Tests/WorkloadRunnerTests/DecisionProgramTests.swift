// Programs that never end: each is killed at its limit of time, whatever it has written.
import MetricModel
import Policies
import SystemIO
import TestSupport
import Testing

@testable import WorkloadRunner

@Suite("Programs that decide, and their limit of time")
struct DecisionProgramTests {
  @Test(
    "a program that hangs fails with the limit that it exceeded, though it replied or closed its output",
    .timeLimit(.minutes(HangGuard.minutes)),
    arguments: ["exec sleep 7200", "echo yes; exec sleep 7200", "exec >&- 2>&-; exec sleep 7200"])
  func hangs(body: String) throws {
    let program = DecisionProgram(
      rule: ProgramRule(words: ["sh", "-c", body]),
      limit: ChildProcess.Limit(milliseconds: 1000, outputBytes: 1 << 10))
    let error = #expect(throws: RunnerError.self) {
      try program.decide(Observation(space: SpaceUsage(file: ByteCount(1))))
    }
    let text = try #require(error).description
    #expect(text.contains("exec: sh -c"), "\(text)")
    #expect(text.contains("took longer than 1 s"), "\(text)")
  }
}
