// Ctrl-C while a command works: what is at work is ended, what is done is written.
import ArgumentParser
import SystemIO

extension Cancellation {
  /// The request to stop that SIGINT, SIGTERM and SIGHUP make; for the rest of the command.
  static func byUser() throws -> Cancellation {
    do { return try bySignals() } catch { throw couldNotRun("\(error)") }
  }
}
