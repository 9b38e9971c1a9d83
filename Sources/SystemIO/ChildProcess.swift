// Other programs: run, fed, listened to, ended. Ctrl-C in a terminal reaches the whole group of processes, so that a child
// dies of it by itself, quietly, while the parent may catch the signal (`Cancellation`) and end in good order. A cancelled
// run kills its child, for the interrupts that reach the parent alone. All of it happens on the thread that asks for it,
// which waits: where the system gives no more threads or descriptors there is an error, and nothing hangs.
import CPlatform

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A program that this process runs.
package struct ChildProcess: Sendable {
  /// The file to run: a path; `findExecutable` turns a name into one.
  package var executable: FilePath
  /// The arguments after the program's name.
  package var arguments: [String]
  /// Changes to the inherited environment; nil removes a variable.
  package var environment: [String: String?]
  /// The working folder; nil for that of this process.
  package var folder: FilePath?

  package init(
    _ executable: FilePath, arguments: [String] = [], environment: [String: String?] = [:],
    folder: FilePath? = nil
  ) {
    self.executable = executable
    self.arguments = arguments
    self.environment = environment
    self.folder = folder
  }

  /// How a process ended.
  package enum Ending: Sendable, Hashable, CustomStringConvertible {
    /// The process exited with this status.
    case exited(Int32)
    /// The process was ended by this signal.
    case signalled(Int32)

    package var isSuccess: Bool { self == .exited(0) }

    package var description: String {
      switch self {
      case .exited(let status): "exit status \(status)"
      case .signalled(let number): "signal \(number)"
      }
    }
  }

  /// The output and the ending of a process.
  package struct Outcome: Sendable {
    package let ending: Ending
    /// All of its standard output; empty where `onOutput` took it.
    package let output: [UInt8]
    /// All of its standard error.
    package let errorText: String

    package var outputText: String { String(decoding: output, as: UTF8.self) }
  }

  /// What a process may take before it is killed.
  package struct Limit: Sendable {
    package var milliseconds: Int
    /// Of standard output and standard error together.
    package var outputBytes: Int

    package init(milliseconds: Int, outputBytes: Int) {
      self.milliseconds = milliseconds
      self.outputBytes = outputBytes
    }
  }

  /// Runs the program to its end.
  ///
  /// `input` becomes its standard input, `onStart` receives its process id, `onOutput` each piece of standard output as it
  /// comes, which then is not collected. Returns however the process ended; throws where it could not run at all,
  /// and after the child was killed and reaped: `ECANCELED` where `cancellation` was requested, `ETIMEDOUT` and `EFBIG` where
  /// it exceeds the limit.
  package func run(
    input: [UInt8] = [], cancellation: Cancellation? = nil, limit: Limit? = nil,
    onStart: ((Int32) -> Void)? = nil, onOutput: (([UInt8]) -> Void)? = nil
  ) throws(SystemError) -> Outcome {
    if cancellation?.isRequested == true { throw cancelled }
    var streams = try ChildStreams()
    let child = try start(streams)
    streams.closeChildEnds()
    onStart?(child)
    var output: [UInt8] = []
    var errors: [UInt8] = []
    var isServed = false
    let bound = limit.map(ChildBound.init)
    do throws(SystemError) {
      isServed = try streams.serve(input, cancellation, bound) { bytes in
        if let onOutput { onOutput(bytes) } else { output += bytes }
      } onErrors: {
        errors += $0
      }
    } catch {
      _ = end(child)
      throw error
    }
    guard isServed, let ending = wait(child, cancellation, bound) else {
      _ = end(child)
      throw bound?.hasPassed == true ? ChildBound.timeout : cancelled
    }
    return Outcome(
      ending: ending, output: output, errorText: String(decoding: errors, as: UTF8.self))
  }

  private var cancelled: SystemError {
    SystemError(code: ECANCELED, call: "run", path: executable.string)
  }

  private func start(_ streams: borrowing ChildStreams) throws(SystemError) -> pid_t {
    let folder = folder
    return try Spawning.start(
      executable.string, arguments,
      environment: environment.isEmpty ? nil : Spawning.environment(changedBy: environment)
    ) { actions in
      streams.addActions(&actions)
      if let folder { cplatform_spawn_in_folder(&actions, folder.string) }
    }
  }

  /// Waits until the child has ended; nil where the request to stop, or the end of its time, comes first. Its streams are
  /// closed by now, so that it has nearly always ended.
  private func wait(
    _ child: pid_t, _ cancellation: Cancellation?, _ bound: ChildBound?
  ) -> Ending? {
    var status: Int32 = 0
    var pause: Int32 = 1
    while cancellation != nil || bound != nil {
      let found = waitpid(child, &status, WNOHANG)
      if found == child { return Ending(status: status) }
      if bound?.hasPassed == true { return nil }
      if let cancellation {
        if cancellation.isRequested(withinMilliseconds: pause) { return nil }
      } else {
        _ = poll(nil, 0, pause)
      }
      pause = min(2 * pause, 100)
    }
    return reap(child)
  }

  private func end(_ child: pid_t) -> Ending {
    kill(child, SIGKILL)
    return reap(child)
  }

  private func reap(_ child: pid_t) -> Ending {
    var status: Int32 = 0
    while waitpid(child, &status, 0) < 0 {
      precondition(errno == EINTR, "a child was waited for that is not ours")
    }
    return Ending(status: status)
  }

  /// The file that a program's name stands for: the first executable of that name in the folders of `$PATH`.
  package static func findExecutable(_ name: String) -> FilePath? {
    let path = getenv("PATH").map { String(cString: $0) } ?? ""
    for folder in path.split(separator: ":") {
      let candidate = FilePath(String(folder)).appending(name)
      if access(candidate.string, X_OK) == 0, !FileSystem.isFolder(candidate) { return candidate }
    }
    return nil
  }
}
