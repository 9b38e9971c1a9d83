// What a machine lets tests do. A test that needs it is enabled by it, so that the run's summary counts it as skipped.
import SystemIO

package enum Capabilities {
  /// Whether programs in Python can be run.
  package static let hasPython: @Sendable () -> Bool = {
    ChildProcess.findExecutable("python3") != nil
  }

  /// Whether system calls of a child process can be traced with strace.
  package static let canTrace: @Sendable () async throws -> Bool = {
    guard let strace = ChildProcess.findExecutable("strace"),
      let program = ChildProcess.findExecutable("true")
    else { return false }
    return try await ChildProcess(strace, arguments: ["-o", "/dev/null", program.string]).run()
      .ending.isSuccess
  }
}
