// What the tests of the object store share: a temporary folder with realms, classes, and a log of misuse.
import Foundation
import ObjectStore
import SystemIO

/// A folder for one test, removed with the object.
final class RealmFolder: Sendable {
  let root: URL

  init() throws {
    root = URL(fileURLWithPath: try FileSystem.makeTemporaryFolder(prefix: "object-store").string)
  }
  deinit { try? FileManager.default.removeItem(at: root) }

  func url(_ name: String = "test.realm") -> URL { root.appendingPathComponent(name) }

  func configuration(
    _ types: [ObjectBase.Type]? = [Todo.self, Person.self, Note.self],
    _ name: String = "test.realm",
    _ change: (inout Realm.Configuration) -> Void = { _ in }
  ) -> Realm.Configuration {
    var configuration = Realm.Configuration(fileURL: url(name))
    configuration.objectTypes = types
    change(&configuration)
    return configuration
  }

  func open(
    _ types: [ObjectBase.Type]? = [Todo.self, Person.self, Note.self],
    _ name: String = "test.realm",
    _ change: (inout Realm.Configuration) -> Void = { _ in }
  ) throws -> Realm {
    try Realm(configuration: configuration(types, name, change))
  }
}

/// As in the documents.
class Todo: Object {
  @Persisted(primaryKey: true) var _id: ObjectId
  @Persisted var name: String
  @Persisted var owner: String
  @Persisted var status: String
}

/// Every kind of property, one with an index.
class Person: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(indexed: true) var name: String = "noname"
  @Persisted var isActive: Bool
  @Persisted var weight: Double
  @Persisted var photo: Data
  @Persisted var born: Date?
  @Persisted var token: UUID?
  @Persisted var nick: String?
  @Persisted var age: Int?
}

/// No primary key.
class Note: Object {
  @Persisted var text: String
  @Persisted var order: Int
}

/// Runs `body` and returns the misuse in it, by failure.
func misuse(_ body: () throws -> Void) rethrows -> [Realm.Error.Failure] {
  let log = MisuseLog()
  let note: @Sendable (Realm.Error) -> Void = { log.add($0.failure) }
  try Misuse.withHandler(note) { try body() }
  return log.all
}

final class MisuseLog: @unchecked Sendable {
  private let mutex = ThreadMutex()
  private var failures: [Realm.Error.Failure] = []

  func add(_ failure: Realm.Error.Failure) { mutex.withLock { failures.append(failure) } }
  var all: [Realm.Error.Failure] { mutex.withLock { failures } }
}

/// Runs `body` on a new thread and waits for its end.
func onAnotherThread<Result>(_ body: @escaping () throws -> Result) throws -> Result {
  let box = ThreadBox(body)
  let done = DispatchSemaphore(value: 0)
  let thread = Thread {
    box.run()
    done.signal()
  }
  thread.start()
  done.wait()
  return try box.outcome()
}

private final class ThreadBox<Result>: @unchecked Sendable {
  /// Released when it has run: the thread may live longer than the caller.
  private var body: (() throws -> Result)?
  private var result: Swift.Result<Result, any Error>?

  init(_ body: @escaping () throws -> Result) { self.body = body }
  func run() {
    guard let body else { return }
    result = Swift.Result { try body() }
    self.body = nil
  }
  func outcome() throws -> Result { try result!.get() }
}
