// A command whose cost is the result: how long it took, the processor time and the most memory that it used. Spawned and
// awaited by hand, because only the kernel's account at the end of a process (`wait4`) is the process's own, with all the
// children that it waited for.

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A shell command, run once in a folder, its output kept in files beside that.
package struct MeasuredProcess: Sendable {
  /// What the run cost.
  package struct Cost: Sendable, Equatable {
    package let ending: ChildProcess.Ending
    package let wallNanoseconds: UInt64
    /// User and system time of the command and of the children that it waited for.
    package let processorNanoseconds: UInt64
    /// The most that one process of them had resident. Linux counts what this process had when it spawned the command,
    /// so less than that is not seen.
    package let peakResidentBytes: Int
  }

  package var command: String
  package var folder: FilePath

  package init(command: String, folder: FilePath) {
    self.command = command
    self.folder = folder
  }

  /// Runs the command by `/bin/sh -c`; blocks until it has ended. Standard output and error go to the files named.
  /// Errors: the shell cannot be spawned, or the folder or the files cannot be used.
  package func run(output: FilePath, errors: FilePath) throws(SystemError) -> Cost {
    let flags = O_WRONLY | O_CREAT | O_TRUNC
    let began = Clock.monotonicNanoseconds()
    // The shell changes the folder, so that the paths of the files are still those that were given.
    let child = try Spawning.start(
      "/bin/sh", ["-c", "cd \"$0\" && eval \"$1\"", folder.string, command]
    ) { actions in
      posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
      posix_spawn_file_actions_addopen(&actions, 1, output.string, flags, 0o644)
      posix_spawn_file_actions_addopen(&actions, 2, errors.string, flags, 0o644)
    }
    return try Self.wait(for: child, began)
  }

  private static func wait(for child: pid_t, _ began: UInt64) throws(SystemError) -> Cost {
    var status: Int32 = 0
    var usage = rusage()
    while wait4(child, &status, 0, &usage) < 0 {
      guard errno == EINTR else { throw .last("wait4") }
    }
    let wall = Clock.monotonicNanoseconds() - began
    #if os(Linux)
      let unit = 1024
    #else
      let unit = 1
    #endif
    return Cost(
      ending: ChildProcess.Ending(status: status),
      wallNanoseconds: wall,
      processorNanoseconds: nanoseconds(usage.ru_utime) + nanoseconds(usage.ru_stime),
      peakResidentBytes: Int(usage.ru_maxrss) * unit)
  }

  private static func nanoseconds(_ time: timeval) -> UInt64 {
    UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_usec) * 1000
  }
}
