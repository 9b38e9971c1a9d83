// Other programs: run, fed, listened to, ended. Children are spawned, never forked (LMDB forbids a fork with an open
// environment), with every signal at its default and in the process group of their parent: Ctrl-C in a terminal
// reaches the whole group, so that a child dies of it by itself, quietly, while the parent may catch the signal
// (`InterruptSignal`) and end in good order. A cancelled task kills its child, for the interrupts that reach the
// parent alone.
import Subprocess

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A program that this process runs.
package struct ChildProcess: Sendable {
  /// The file to run: a path; `findExecutable` turns a name into one.
  package var executable: FilePath
  /// What follows the program's name.
  package var arguments: [String]
  /// Changes to the inherited environment; nil removes a variable.
  package var environment: [String: String?]
  /// Where it runs; nil is the folder of this process.
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
    /// It returned this status.
    case exited(Int32)
    /// It was ended by this signal.
    case signalled(Int32)

    package var isSuccess: Bool { self == .exited(0) }

    package var description: String {
      switch self {
      case .exited(let status): "exit status \(status)"
      case .signalled(let number): "signal \(number)"
      }
    }
  }

  /// What a process left.
  package struct Outcome: Sendable {
    package let ending: Ending
    /// All of its standard output; empty where `onOutput` took it.
    package let output: [UInt8]
    /// All of its standard error.
    package let errorText: String

    package var outputText: String { String(decoding: output, as: UTF8.self) }
  }

  /// Runs the program to its end.
  ///
  /// `input` becomes its standard input, `onStart` hears its process id, `onOutput` each piece of standard output as it
  /// comes, which then is not collected. Returns however the process ended; throws where it could not run at all,
  /// and `ECANCELED` where the task was cancelled, after the child was killed and reaped.
  package func run(
    input: [UInt8] = [],
    onStart: (@Sendable (Int32) -> Void)? = nil,
    onOutput: (@Sendable ([UInt8]) -> Void)? = nil
  ) async throws(SystemError) -> Outcome {
    var failure: SystemError
    do {
      let outcome = try await collect(input, onStart, onOutput)
      if !Task.isCancelled { return outcome }
      failure = SystemError(code: ECANCELED, call: "run", path: executable.string)
    } catch let error as SubprocessError {
      failure = systemError(error)
    } catch {
      failure = SystemError(code: EIO, call: "run", path: executable.string)
    }
    if Task.isCancelled {
      failure = SystemError(code: ECANCELED, call: "run", path: executable.string)
    }
    throw failure
  }

  private func collect(
    _ input: [UInt8], _ onStart: (@Sendable (Int32) -> Void)?,
    _ onOutput: (@Sendable ([UInt8]) -> Void)?
  ) async throws -> Outcome {
    let result = try await Subprocess.run(
      .path(executable), arguments: Arguments(arguments), environment: inheritedEnvironment,
      workingDirectory: folder, input: .array(input), output: .sequence, error: .string(limit: .max)
    ) { execution in
      onStart?(execution.processIdentifier.value)
      var collected: [UInt8] = []
      for try await piece in execution.standardOutput {
        let bytes = piece.withUnsafeBytes { Array($0) }
        if let onOutput { onOutput(bytes) } else { collected += bytes }
      }
      return collected
    }
    return Outcome(
      ending: Ending(result.terminationStatus), output: result.closureResult,
      errorText: result.standardError)
  }

  private var inheritedEnvironment: Environment {
    var changes: [Environment.Key: String?] = [:]
    for (name, value) in environment { changes[Environment.Key(stringLiteral: name)] = value }
    return .inherit.updating(changes)
  }

  private func systemError(_ error: SubprocessError) -> SystemError {
    let code = error.code == .executableNotFound ? ENOENT : error.underlyingError?.rawValue ?? EIO
    return SystemError(code: code, call: "posix_spawn", path: executable.string)
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

extension ChildProcess.Ending {
  fileprivate init(_ status: TerminationStatus) {
    switch status {
    case .exited(let code): self = .exited(code)
    case .signaled(let number): self = .signalled(number)
    }
  }
}
