// Ctrl-C as an event instead of a death. The C handler writes a byte into a pipe and a dispatch source reads it: Swift
// code never runs inside a handler, and a child process begins with the default again (an ignored signal would be
// inherited, and a child that ignores Ctrl-C outlives its parent).
import CPlatform
import Dispatch

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Delivers SIGINT and SIGTERM to a closure for as long as it lives. At most one may live at a time.
package final class InterruptSignal: @unchecked Sendable {
  private let source: any DispatchSourceRead

  /// `handler` runs on a queue of its own, once for each signal, with the signal's number.
  package init(_ handler: @escaping @Sendable (Int32) -> Void) throws(SystemError) {
    Self.living.withLock {
      precondition(
        !Self.isOneAlive, "Two interrupt handlers at a time: the signals have one owner.")
      Self.isOneAlive = true
    }
    let pipe = cplatform_interrupts_begin()
    guard pipe >= 0 else {
      let error = SystemError.last("pipe")
      Self.living.withLock { Self.isOneAlive = false }
      throw error
    }
    source = DispatchSource.makeReadSource(
      fileDescriptor: pipe, queue: DispatchQueue(label: "interrupt-signal"))
    source.setEventHandler {
      var number: UInt8 = 0
      while read(pipe, &number, 1) == 1 { handler(Int32(number)) }
    }
    source.setCancelHandler {
      cplatform_interrupts_end()
      Self.living.withLock { Self.isOneAlive = false }
    }
    source.resume()
  }

  deinit { source.cancel() }

  private static let living = ThreadMutex()
  /// Guarded by `living`.
  nonisolated(unsafe) private static var isOneAlive = false
}
