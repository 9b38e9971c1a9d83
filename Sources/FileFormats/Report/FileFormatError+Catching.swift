// How the readers turn an error of the system into one of theirs.
import SystemIO

extension FileFormatError {
  /// Runs a step that reads, and rethrows the system's error as a case of this one.
  static func reading<Result>(
    _ body: () throws(SystemError) -> Result
  ) throws(FileFormatError) -> Result {
    do throws(SystemError) { return try body() } catch { throw .system(error) }
  }
}
