// What a program does wrong where the API has no way to throw: reading a property on another thread, changing an object
// outside of a transaction. Realm raises an exception there, which Swift cannot catch; here it is a function that a test
// may put another in place of.
import Foundation

/// The one place where misuse ends that cannot be thrown. What can be thrown is thrown, as the same `Realm.Error`.
public enum Misuse {
  /// A value around the function: with a function as it is, `withValue` crashes in programs that Swift 6.3 optimises for
  /// Linux, since the type that it is handed is not there.
  private struct Handler: Sendable {
    let call: @Sendable (Realm.Error) -> Void
  }

  @TaskLocal private static var handler = Handler { error in fatalError(error.description) }

  /// Has `handler` called with what is done wrong in `operation`, in this task or thread. Unless there is one the program
  /// stops. Where the handler returns, what was to be read has its type's unset value and what was to be changed stays.
  public static func withHandler<Result>(
    _ handler: @escaping @Sendable (Realm.Error) -> Void, operation: () throws -> Result
  ) rethrows -> Result {
    try $handler.withValue(Handler(call: handler), operation: operation)
  }

  static func report(_ failure: Realm.Error.Failure, _ message: String, file: URL? = nil) {
    report(Realm.Error(failure, message, file: file))
  }

  static func report(_ error: Realm.Error) { handler.call(error) }
}
