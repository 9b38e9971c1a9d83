// Ctrl-C while cells run: the cell at work is ended, what is done is kept and written.
import SystemIO

/// Cancels the work that is going on when the user interrupts, and all that would begin afterwards.
final class Interrupter: Sendable {
  private final class State: Sendable {
    private let lock = ThreadMutex()
    private nonisolated(unsafe) var isInterrupted = false
    private nonisolated(unsafe) var cancel: (@Sendable () -> Void)?

    func interrupt() {
      let cancel = lock.withLock {
        isInterrupted = true
        return self.cancel
      }
      cancel?()
    }

    func begin(_ cancel: (@Sendable () -> Void)?) {
      let isLate = lock.withLock {
        self.cancel = cancel
        return isInterrupted
      }
      if isLate { cancel?() }
    }
  }

  private let state = State()
  private let signal: InterruptSignal

  init() throws {
    signal = try InterruptSignal { [state] _ in state.interrupt() }
  }

  /// Runs the work in a task that an interrupt cancels.
  func run<R: Sendable>(_ work: @escaping @Sendable () async -> R) async -> R {
    let task = Task { await work() }
    state.begin { task.cancel() }
    defer { state.begin(nil) }
    return await task.value
  }
}
