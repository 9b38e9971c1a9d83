// The two output streams of a command, written unbuffered and in whole lines, so that a pipe receives them in order.
// Standard output carries results, and losing a result is an error; standard error carries progress and reasons, and losing
// it stops nothing.
import ArgumentParser
import SystemIO

enum Console {
  private static let lock = ThreadMutex()
  /// The first failure to write a result. Guarded by `lock`.
  private nonisolated(unsafe) static var failure: SystemError?

  /// Prints a line of the result.
  static func print(_ text: String) { write(text + "\n") }

  /// Prints a part of the result without a line end. After the first failure nothing more is written.
  static func write(_ text: String) {
    lock.withLock {
      if failure == nil { failure = Terminal.write(text, to: .output) }
    }
  }

  static func error(_ text: String) { Terminal.write(text + "\n", to: .error) }
  /// Prints progress without a line end, to be overwritten.
  static func draw(_ text: String) { Terminal.write(text, to: .error) }

  /// Returns the exit code of a command that would end with `code`; 2 where its result was lost.
  static func finish(_ code: ExitCode) -> ExitCode {
    // A closed pipe is no loss: `compaction-lab engines | head -1`.
    // Some file systems report only on close that the disk is full.
    guard let failure = lock.withLock({ failure ?? Terminal.close(.output) }),
      !failure.isClosedPipe, code != .interrupted
    else { return code }
    return couldNotRun("\(failure): the command's output is lost, in part or in whole")
  }
}
