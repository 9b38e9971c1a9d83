// One opening of the engine for each file and process: instances on all threads share it, and the last of them closes it.
import Foundation
import StorageEngine
import SystemIO

/// An open file, or a realm in memory, with the instances that are alive.
final class SharedFile: @unchecked Sendable {
  let database: Database
  let url: URL?
  let opened: OpeningFacts
  let events: EventLog?
  private let living = Guarded<[Confinement.Key: WeakInstance]>([:])
  /// Held by an asynchronous write from when its turn comes to when it has ended, so that others wait without a thread.
  let turns = WriterTurns()
  /// Who is in a write transaction.
  let writing = Guarded<WriterPlace?>(nil)
  /// The classes that the file knows by other names than the program.
  let names: [ObjectIdentifier: ClassSchema]

  init(
    _ database: Database, url: URL?, _ opened: OpeningFacts, _ events: EventLog?,
    names: [ObjectIdentifier: ClassSchema] = [:]
  ) {
    self.names = names
    self.database = database
    self.url = url
    self.opened = opened
    self.events = events
  }

  struct WeakInstance {
    weak var instance: RealmInstance?
  }

  func instance(_ key: Confinement.Key) -> RealmInstance? {
    living.withLock { $0[key]?.instance }
  }

  func note(_ instance: RealmInstance, _ key: Confinement.Key) {
    living.withLock { living in
      living = living.filter { $0.value.instance != nil }
      living[key] = WeakInstance(instance: instance)
    }
  }

  /// Lets all instances but `writer` look for the new version, each in its own place.
  func announceCommit(by writer: RealmInstance) {
    let others = living.withLock { $0.values.compactMap(\.instance) }
    for instance in others where instance !== writer { instance.scheduleRefresh() }
  }
}

/// What another opening of the same file must agree with.
struct OpeningFacts: Equatable {
  var readOnly: Bool
  var encryptionKey: Data?
}

/// One of those who keep a file open.
final class FileUse: @unchecked Sendable {
  let file: SharedFile
  /// nil where somebody else opened the file, and closes it.
  private let entry: FileRegistry.Entry?

  fileprivate init(_ file: SharedFile, _ entry: FileRegistry.Entry) {
    self.file = file
    self.entry = entry
  }

  /// Of a file that is not closed with its last use.
  init(borrowing file: SharedFile) {
    self.file = file
    entry = nil
  }

  deinit { entry?.letGo() }

  /// One more.
  func again() -> FileUse { entry?.again(file) ?? FileUse(borrowing: file) }
}

/// The files that the process has open.
enum FileRegistry {
  final class Entry: @unchecked Sendable {
    /// Held while the file is opened, which may take as long as a compaction, and while it is closed.
    private let mutex = ThreadMutex()
    private var file: SharedFile?
    private var uses = 0

    func use(
      _ configuration: Realm.Configuration, _ open: () throws -> SharedFile
    ) throws -> FileUse {
      mutex.lock()
      defer { mutex.unlock() }
      if let file {
        try Self.checkAgreement(file, configuration)
        uses += 1
        return FileUse(file, self)
      }
      let opened = try open()
      file = opened
      uses = 1
      return FileUse(opened, self)
    }

    func again(_ file: SharedFile) -> FileUse {
      mutex.withLock { uses += 1 }
      return FileUse(file, self)
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
      _ file: SharedFile, _ configuration: Realm.Configuration
    ) throws(Realm.Error) {
      let wanted = OpeningFacts(configuration)
      guard wanted != file.opened else { return }
      let what = wanted.readOnly != file.opened.readOnly ? "readOnly" : "encryptionKey"
      throw Realm.Error(
        .alreadyOpen, "The realm is open in this process with another \(what).",
        file: configuration.fileURL)
    }
  }

  private static let entries = Guarded<[String: Entry]>([:])

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

extension OpeningFacts {
  init(_ configuration: Realm.Configuration) {
    readOnly = configuration.readOnly
    encryptionKey = configuration.encryptionKey
  }
}
