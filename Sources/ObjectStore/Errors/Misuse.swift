// Misuse of the API where it cannot throw: reading a property on another thread, changing an object outside of a
// transaction. Realm raises an Objective-C exception there, which Swift cannot catch; here it is a function that a test
// may replace.
import Foundation

/// Handles misuse that cannot be thrown. Where an API can throw, it throws the same `Realm.Error`.
public enum Misuse {
  /// Wraps the function: with a bare function `withValue` crashes in programs that Swift 6.3 optimizes for Linux, because
  /// the type metadata that it is passed does not exist.
  private struct Handler: Sendable {
    let call: @Sendable (RealmError) -> Void
  }

  @TaskLocal private static var handler = Handler { error in fatalError(error.description) }

  /// Calls `handler` with each misuse in `operation`, in this task or thread. Without a handler the program stops. When the
  /// handler returns, a property that was to be read has its type's default value, and a change is not made.
  public static func withHandler<Result>(
    _ handler: @escaping @Sendable (RealmError) -> Void, operation: () throws -> Result
  ) rethrows -> Result {
    try $handler.withValue(Handler(call: handler), operation: operation)
  }

  static func report(_ failure: RealmError.Failure, _ message: String, file: URL? = nil) {
    report(RealmError(failure, message, file: file))
  }

  static func report(_ error: RealmError) { handler.call(error) }
}
