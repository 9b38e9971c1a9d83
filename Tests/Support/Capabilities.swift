// What a machine lets tests do. A test that needs it is enabled by it, so that the run's summary counts it as skipped.
import SystemIO

package enum Capabilities {
  /// Whether a small file system in memory can be mounted: on Linux, by root, where no sandbox forbids it.
  package static let canMount: @Sendable () async throws -> Bool = {
    try await withTemporaryFolder { folder in
      guard let mount = ChildProcess.findExecutable("mount"),
        let unmount = ChildProcess.findExecutable("umount"),
        try await ChildProcess(
          mount, arguments: ["-t", "tmpfs", "-o", "size=64k", "tmpfs", folder.string]
        ).run().ending.isSuccess
      else { return false }
      return try await ChildProcess(unmount, arguments: [folder.string]).run().ending.isSuccess
    }
  }

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
