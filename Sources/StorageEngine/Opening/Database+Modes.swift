// Other modes of opening: read-only, from a seed file, and in memory.
import SystemIO

extension Database {
  /// Opens a database in memory. It is private to this process, and freed when the last opening is closed or released.
  /// Opening the same identifier again returns the same object, with the options of the first opening; each opening
  /// must be closed. `compact()` skips.
  ///
  /// Error `unsupported` if the options require a file.
  public static func open(
    inMemory identifier: String, options: DatabaseOptions = .init()
  ) throws(StorageError) -> Database {
    guard !options.readOnly, options.seedFile == nil, options.encryptionKey == nil else {
      throw StorageError(
        .unsupported,
        "A database in memory has no file: it cannot be read-only, have a seed file or be encrypted."
      )
    }
    return try MemoryDatabases.shared.open(identifier) { () throws(StorageError) in
      let file: MemoryStorageFile
      do throws(SystemError) { file = try MemoryStorageFile() } catch {
        throw StorageError(system: error, "The database in memory cannot be created")
      }
      try limitMapping(file, options)
      var options = options
      options.durability = .none
      let database = Database(
        try Store(exclusive: file, options), SystemVolume(), path: nil, options,
        memoryIdentifier: identifier)
      database.startIdleThread()
      return database
    }
  }

  /// Opens read-only: no lock file, repair or clean mark is written, and leftovers of compactions are not removed.
  static func openReadOnly(
    _ path: FilePath, _ volume: any StorageVolume, _ options: DatabaseOptions, _ hasPredicate: Bool
  ) throws(StorageError) -> Database {
    let file: any StorageFile
    do { file = try volume.open(path, .readOnly) } catch { throw openingError(error, path) }
    do {
      var inner = options
      let store = try Store(exclusive: try unlocked(file, &inner), inner)
      let database = Database(store, volume, path: try volume.resolved(path), options)
      if hasPredicate {
        database.launchOutcome = .notCalled(.readOnly)
      }
      return database
    } catch { throw addingPath(error, path) }
  }

  /// Copies the seed file to the path if there is no database. Atomic: a temporary file, synced, renamed, its folder
  /// synced.
  static func copySeedFile(
    _ path: FilePath, _ volume: any StorageVolume, _ options: DatabaseOptions
  ) throws(StorageError) {
    guard let seedPath = options.seedFile, !volume.exists(path) else { return }
    let seed = try openSeed(seedPath, volume, options)
    let temporary = seedTemporaryPath(path)
    do {
      // Locked while it is written: a concurrent copy of a seed fails with `busy`.
      let file = try openTemporaryFile(temporary, volume)
      defer { withExtendedLifetime(file) {} }
      do {
        let size = try seed.size
        try file.resize(to: size)
        let base = try seed.base
        for offset in stride(from: 0, to: size, by: 1 << 20) {
          try file.write(
            UnsafeRawBufferPointer(start: base + offset, count: min(1 << 20, size - offset)),
            at: offset)
        }
        try file.inheritAccess(of: seedPath, as: .seeded)
        if options.durability == .full { try file.sync() }
        // Another opening without a seed may have created a database meanwhile, which must stay.
        guard !volume.exists(path) else { return try volume.removeFile(temporary) }
        try volume.rename(temporary, to: path)
      } catch {
        try? volume.removeFile(temporary)
        throw error
      }
      if options.durability == .full { try volume.syncFolder(path.removingLastComponent()) }
    } catch {
      guard let error = error as? SystemError else { throw addingPath(error, path) }
      throw StorageError(system: error, "The seed file \(seedPath) cannot be copied to \(path)")
    }
  }

  /// Creates a new file. One left by an interrupted copy is removed, under its lock.
  private static func openTemporaryFile(
    _ path: FilePath, _ volume: any StorageVolume
  ) throws(SystemError) -> any StorageFile {
    while true {
      do throws(SystemError) { return try volume.open(path, .new) } catch {
        guard error.isAlreadyThere else { throw error }
      }
      do throws(SystemError) {
        let leftover = try volume.open(path, .existing)
        defer { withExtendedLifetime(leftover) {} }
        try volume.removeFile(path)
      } catch {
        guard error.isNotFound else { throw error }
      }
    }
  }

  /// Opens the seed, locked against writers, and checks that it is a database.
  private static func openSeed(
    _ path: FilePath, _ volume: any StorageVolume, _ options: DatabaseOptions
  ) throws(StorageError) -> any StorageFile {
    let file: any StorageFile
    do { file = try volume.open(path, .readOnly) } catch {
      throw StorageError(system: error, "The seed file cannot be opened; no database was created")
    }
    var options = options
    options.readOnly = true
    do {
      let unlocked = try unlocked(file, &options)
      _ = try OpenedFile(unlocked, options)
    } catch {
      throw StorageError(
        error.code,
        "The seed file \(path) cannot be used, so no database was created. \(error.message)",
        cause: error.cause)
    }
    return file
  }

  /// Limits the file's address space to what the options allow. Error `limitExceeded`.
  static func limitMapping(
    _ file: any StorageFile, _ options: DatabaseOptions
  ) throws(StorageError) {
    guard let limit = options.maximumMappedBytes else { return }
    let size: Int
    do { size = try file.size } catch {
      throw StorageError(system: error, "The file cannot be read")
    }
    guard size <= limit else {
      throw StorageError(
        .limitExceeded,
        "The file has \(size) bytes and maximumMappedBytes allows \(limit). Compact it where more "
          + "may be mapped, or allow more.")
    }
    file.limitCapacity(to: limit)
  }

  /// Returns the file as the engine uses it: with a key, an `EncryptedFile` around it.
  static func unlocked(
    _ file: any StorageFile, _ options: inout DatabaseOptions
  ) throws(StorageError) -> any StorageFile {
    try limitMapping(file, options)
    guard let key = options.encryptionKey else { return file }
    if let thresholds = options.automaticCompaction {
      // Allocating whole pages leaves parts of pages unused, which do not fit below a limit close to the used bytes.
      options.automaticCompaction?.minimumLimit = max(
        thresholds.minimumLimit, 24 * Layout.pageSize)
      // Each commit leaves a part of its last pages unused: moved blocks can fill them.
      options.automaticCompaction?.baseBudget = max(
        thresholds.baseBudget, 4 * Layout.pageSize)
    }
    let encrypted = try EncryptedFile(
      file, key, maxDecryptedBytes: options.maximumDecryptedBytes, options.newFileLayout)
    options.allocation = encrypted.layout.allocation
    return encrypted
  }

  static func openingError(_ error: SystemError, _ path: FilePath) -> StorageError {
    if error.isLocked {
      return StorageError(
        .busy,
        "\(path) is open in this or another process, and the two openings exclude each other: any number may "
          + "share a file, or one may open it exclusively (sharing: .exclusive), or any number read-only.",
        cause: error)
    }
    if error.isOutOfAddresses {
      return StorageError(
        .limitExceeded,
        "\(path) does not fit into the address space available to the process.", cause: error)
    }
    return StorageError(system: error, "The database cannot be opened")
  }

  static func seedTemporaryPath(_ path: FilePath) -> FilePath { FilePath(path.string + ".seeding") }
}

/// The databases in memory by identifier, not retained.
private final class MemoryDatabases: @unchecked Sendable {
  static let shared = MemoryDatabases()

  private struct Entry {
    weak var database: Database?
  }

  private let mutex = ThreadMutex()
  private var entries: [String: Entry] = [:]

  func open(
    _ identifier: String, _ make: () throws(StorageError) -> Database
  ) throws(StorageError) -> Database {
    try mutex.withLock { () throws(StorageError) in
      if let database = entries[identifier]?.database, database.join() { return database }
      entries = entries.filter { $0.value.database?.isOpen == true }
      let database = try make()
      entries[identifier] = Entry(database: database)
      return database
    }
  }
}
