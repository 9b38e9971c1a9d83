// Ctrl-C during a command: running cells are stopped, and what is done is written.
import ArgumentParser
import SystemIO

extension Cancellation {
  /// Returns a cancellation that SIGINT, SIGTERM and SIGHUP request, from now until the command ends.
  static func onSignals() throws -> Cancellation {
    do { return try bySignals() } catch { throw couldNotRun("\(error)") }
  }
}
