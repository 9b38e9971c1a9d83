// A value behind a lock.
import SystemIO

/// A value that threads read and change under a mutex. On a pthread mutex, which the thread sanitizer sees.
final class LockedValue<Value>: @unchecked Sendable {
  private var value: Value
  private let mutex = ThreadMutex()

  init(_ value: Value) { self.value = value }

  func withLock<Result, Failure: Error>(
    _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    mutex.lock()
    defer { mutex.unlock() }
    return try body(&value)
  }
}
