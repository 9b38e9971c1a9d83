// Asynchronous opening by a callback, for code without async/await.
public import Dispatch

extension Realm {
  /// An asynchronous opening that may be cancelled.
  public final class AsyncOpenTask: Sendable {
    private let cancelled = LockedValue(false)

    fileprivate var isCancelled: Bool { cancelled.withLock { $0 } }

    /// Has the callback receive a `CancellationError`, if it was not called yet. The file is opened all the same, and
    /// closed.
    public func cancel() { cancelled.withLock { $0 = true } }
  }

  /// Opens the file, and compacts and migrates it if the configuration asks for it, on a background thread. Then calls
  /// `callback` in a block of the queue, with a realm that is confined to the queue.
  @discardableResult
  public static func asyncOpen(
    configuration: Configuration = .defaultConfiguration, callbackQueue: DispatchQueue = .main,
    callback: @escaping (Result<Realm, any Swift.Error>) -> Void
  ) -> AsyncOpenTask {
    let task = AsyncOpenTask()
    let confinement = Confinement.on(callbackQueue)
    let callback = UnsafeTransfer(callback)
    DispatchQueue.global(qos: .userInitiated).async {
      let opened = UnsafeTransfer(Result { Realm(try configuration.open(confinement)) })
      callbackQueue.async {
        callback.take()(task.isCancelled ? .failure(CancellationError()) : opened.take())
      }
    }
    return task
  }
}
