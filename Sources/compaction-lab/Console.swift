// The two streams of a command. Written whole lines at a time and at once, so that a pipe sees them in order. Standard
// output carries results, and a result that is lost is an error; standard error carries progress and reasons, and its loss
// stops nothing.
import ArgumentParser
import SystemIO

enum Console {
  private static let lock = ThreadMutex()
  /// Guarded by `lock`.
  private nonisolated(unsafe) static var failure: SystemError?

  /// Prints a line of the result.
  static func print(_ text: String) { write(text + "\n") }

  /// Prints a part of the result as it is. After the first part that is lost no more is tried.
  static func write(_ text: String) {
    lock.withLock {
      if failure == nil { failure = Terminal.write(text, to: .output) }
    }
  }

  static func error(_ text: String) { Terminal.write(text + "\n", to: .error) }
  /// Without a line end: progress that is drawn over.
  static func draw(_ text: String) { Terminal.write(text, to: .error) }

  /// Returns the exit code of a command that would end with `code`: that of a failure where its result was lost.
  static func finish(_ code: ExitCode) -> ExitCode {
    // A reader that has closed the pipe has read what it wanted: `compaction-lab engines | head -1`.
    // Some file systems tell only at the end that they have no more room.
    guard let failure = lock.withLock({ failure ?? Terminal.close(.output) }),
      !failure.isClosedPipe, code != .interrupted
    else { return code }
    return couldNotRun("\(failure): what the command prints is lost, in part or all of it")
  }
}
