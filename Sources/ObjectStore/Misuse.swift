// What a program does wrong where the API has no way to throw: reading a property on another thread, changing an object
// outside of a transaction. Realm raises an exception there, which Swift cannot catch; here it is a function that a test
// may put another in place of.
import Foundation

/// The one place where misuse ends that cannot be thrown. What can be thrown is thrown, as the same `Realm.Error`.
public enum Misuse {
  /// Called with what was done wrong. Unless another is set for a task or a thread (`$handler.withValue`), the program
  /// stops. Where the handler returns, what was to be read has its type's unset value and what was to be changed stays.
  @TaskLocal public static var handler: @Sendable (Realm.Error) -> Void = { error in
    fatalError(error.description)
  }

  static func report(_ failure: Realm.Error.Failure, _ message: String, file: URL? = nil) {
    handler(Realm.Error(failure, message, file: file))
  }

  static func report(_ error: Realm.Error) { handler(error) }
}
