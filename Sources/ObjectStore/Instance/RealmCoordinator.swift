// One opening of the engine for each file and process: instances on all threads share it, and the last of them closes it.
import Foundation
import StorageEngine
import SystemIO

/// An open file, or a realm in memory, with the instances that are alive.
final class RealmCoordinator: @unchecked Sendable {
  let database: Database
  let url: URL?
  let opened: OpenMode
  let events: EventLog?
  private let living = LockedValue<[Confinement.Key: WeakInstance]>([:])
  /// Held by an asynchronous write from when its turn comes to when it has ended, so that others wait without a thread.
  let turns = AsyncWriteQueue()
  /// Who is in a write transaction.
  let writing = LockedValue<WriteLockOwner?>(nil)
  /// The classes that the file knows by other names than the program.
  let names: [ObjectIdentifier: ObjectSchema]

  init(
    _ database: Database, url: URL?, _ opened: OpenMode, _ events: EventLog?,
    names: [ObjectIdentifier: ObjectSchema] = [:]
  ) {
    self.names = names
    self.database = database
    self.url = url
    self.opened = opened
    self.events = events
  }

  struct WeakInstance {
    weak var instance: OpenRealm?
  }

  func instance(_ key: Confinement.Key) -> OpenRealm? {
    living.withLock { $0[key]?.instance }
  }

  func note(_ instance: OpenRealm, _ key: Confinement.Key) {
    living.withLock { living in
      living = living.filter { $0.value.instance != nil }
      living[key] = WeakInstance(instance: instance)
    }
  }

  /// Lets all instances but `writer` look for the new version, each in its own place.
  func notifyCommit(by writer: OpenRealm) {
    let others = living.withLock { $0.values.compactMap(\.instance) }
    for instance in others where instance !== writer { instance.scheduleRefresh() }
  }
}

/// What another opening of the same file must agree with.
struct OpenMode: Equatable {
  var readOnly: Bool
  var encryptionKey: Data?
}

/// One of those who keep a file open.
final class FileReference: @unchecked Sendable {
  let file: RealmCoordinator
  /// nil where somebody else opened the file, and closes it.
  private let entry: CoordinatorRegistry.Entry?

  fileprivate init(_ file: RealmCoordinator, _ entry: CoordinatorRegistry.Entry) {
    self.file = file
    self.entry = entry
  }

  /// Of a file that is not closed with its last use.
  init(borrowing file: RealmCoordinator) {
    self.file = file
    entry = nil
  }

  deinit { entry?.letGo() }

  /// One more.
  func again() -> FileReference { entry?.again(file) ?? FileReference(borrowing: file) }
}

/// The files that the process has open.
enum CoordinatorRegistry {
  final class Entry: @unchecked Sendable {
    /// Held while the file is opened, which may take as long as a compaction, and while it is closed.
    private let mutex = ThreadMutex()
    private var file: RealmCoordinator?
    private var uses = 0

    func use(
      _ configuration: Realm.Configuration, _ open: () throws -> RealmCoordinator
    ) throws -> FileReference {
      mutex.lock()
      defer { mutex.unlock() }
      if let file {
        try Self.checkAgreement(file, configuration)
        uses += 1
        return FileReference(file, self)
      }
      let opened = try open()
      file = opened
      uses = 1
      return FileReference(opened, self)
    }

    func again(_ file: RealmCoordinator) -> FileReference {
      mutex.withLock { uses += 1 }
      return FileReference(file, self)
    }

    func letGo() {
      mutex.withLock {
        uses -= 1
        guard uses == 0 else { return }
        // What a close cannot write, the next opening repairs.
        try? file?.database.close()
        file = nil
      }
    }

    /// Runs `body` while nobody opens the file; false where it is open.
    func ifClosed(_ body: () throws -> Void) rethrows -> Bool {
      mutex.lock()
      defer { mutex.unlock() }
      guard file == nil else { return false }
      try body()
      return true
    }

    private static func checkAgreement(
      _ file: RealmCoordinator, _ configuration: Realm.Configuration
    ) throws(Realm.Error) {
      let wanted = OpenMode(configuration)
      guard wanted != file.opened else { return }
      let what = wanted.readOnly != file.opened.readOnly ? "readOnly" : "encryptionKey"
      throw Realm.Error(
        .alreadyOpen, "The realm is open in this process with another \(what).",
        file: configuration.fileURL)
    }
  }

  private static let entries = LockedValue<[String: Entry]>([:])

  static func entry(_ configuration: Realm.Configuration) -> Entry {
    let name: String
    if let url = configuration.fileURL {
      name = url.standardizedFileURL.resolvingSymlinksInPath().path
    } else {
      name = "memory:\(configuration.inMemoryIdentifier ?? "")"
    }
    return entries.withLock { entries in
      if let known = entries[name] { return known }
      let entry = Entry()
      entries[name] = entry
      return entry
    }
  }
}

extension OpenMode {
  init(_ configuration: Realm.Configuration) {
    readOnly = configuration.readOnly
    encryptionKey = configuration.encryptionKey
  }
}
