// A request to stop, as a descriptor: a call that waits for something else can wait for this beside it, and no thread is
// needed to pass the request on.
import CPlatform

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A request to stop the work that is going on. Once made it stays.
package final class Cancellation: Sendable {
  /// Readable from the request on; nothing is ever read from it.
  let descriptor: Int32
  /// Nil where the signals of the process make the request.
  private let writeEnd: Int32?

  /// A request that the program makes.
  package init() throws(SystemError) {
    var ends: [Int32] = [0, 0]
    let code = cplatform_pipe(&ends)
    guard code == 0 else { throw SystemError(code: code, call: "pipe") }
    (descriptor, writeEnd) = (ends[0], ends[1])
  }

  private init(signals descriptor: Int32) {
    self.descriptor = descriptor
    writeEnd = nil
  }

  deinit {
    guard let writeEnd else {
      cplatform_interrupts_end()
      Self.living.withLock { Self.hasSignals = false }
      return
    }
    close(writeEnd)
    close(descriptor)
  }

  /// A request that the user makes: SIGINT, SIGTERM or SIGHUP, for as long as the object lives, of which there is at most
  /// one at a time. A second signal ends the process at once. A SIGHUP that the process was started to ignore (nohup)
  /// stays ignored.
  package static func bySignals() throws(SystemError) -> Cancellation {
    living.withLock {
      precondition(!hasSignals, "Two owners of the interrupting signals at a time.")
      hasSignals = true
    }
    let pipe = cplatform_interrupts_begin()
    guard pipe >= 0 else {
      let error = SystemError.last("pipe")
      living.withLock { hasSignals = false }
      throw error
    }
    return Cancellation(signals: pipe)
  }

  private static let living = ThreadMutex()
  /// Guarded by `living`.
  nonisolated(unsafe) private static var hasSignals = false

  /// Makes the request. Again is nothing.
  package func request() {
    guard let writeEnd, !isRequested else { return }
    _ = withUnsafeBytes(of: UInt8(0)) { systemWrite(writeEnd, $0) }
  }

  package var isRequested: Bool { isRequested(withinMilliseconds: 0) }

  /// Waits so long for the request, at most.
  package func isRequested(withinMilliseconds milliseconds: Int32) -> Bool {
    var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&entry, 1, milliseconds) == 1
  }
}
