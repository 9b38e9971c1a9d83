// Misuse of the object store as an error of the engine.
import ObjectStore
import StorageEngine
import SystemIO

/// Runs `body`; throws its error, or the first misuse in it, as the engine's error: `failed` if the engine did not cause it.
func throwingMisuse<Result>(_ body: () throws -> Result) throws(StorageError) -> Result {
  let misuse = FirstMisuse()
  let result: Result
  do { result = try Misuse.withHandler({ misuse.record($0) }, operation: body) } catch {
    throw StorageError(causeOf: error)
  }
  if let error = misuse.first { throw StorageError(causeOf: error) }
  return result
}

private final class FirstMisuse: @unchecked Sendable {
  private let mutex = ThreadMutex()
  private var error: Realm.Error?

  func record(_ error: Realm.Error) {
    mutex.withLock { if self.error == nil { self.error = error } }
  }
  var first: Realm.Error? { mutex.withLock { error } }
}

extension StorageError {
  /// The engine's error behind an error of the object store.
  init(causeOf error: any Error) {
    self =
      (error as? StorageError) ?? (error as? Realm.Error)?.storage
      ?? StorageError(.failed, "\(error)")
  }
}
