// Other ways to open: to read only, from a seed, and in memory.
import SystemIO

extension Database {
  /// Opens a database in memory. It is nobody's but this process's, and is gone when the last opening is closed or let
  /// go. Opening the same identifier meanwhile answers the same object, whose options stay those of the first opening;
  /// each opening is closed by itself. `compact()` skips.
  ///
  /// Error `unsupported` where the options ask for what only a file can have.
  public static func open(
    inMemory identifier: String, options: DatabaseOptions = .init()
  ) throws(StorageError) -> Database {
    guard !options.readOnly, options.seedFile == nil, options.encryptionKey == nil else {
      throw StorageError(
        .unsupported,
        "A database in memory has no file: it cannot be read only, have a seed or be encrypted.")
    }
    return try MemoryDatabases.shared.open(identifier) { () throws(StorageError) in
      let file: MemoryStorageFile
      do throws(SystemError) { file = try MemoryStorageFile() } catch {
        throw StorageError(system: error, "The database in memory cannot be made")
      }
      try limitMapping(file, options)
      var options = options
      options.durability = .none
      let database = Database(
        try Store(alone: file, options), SystemVolume(), path: nil, options,
        memoryIdentifier: identifier)
      database.startIdleThread()
      return database
    }
  }

  /// Nothing is written: no lock file, no repair, no mark, and what compactions left over stays.
  static func openReadOnly(
    _ path: FilePath, _ volume: any StorageVolume, _ options: DatabaseOptions, _ asks: Bool
  ) throws(StorageError) -> Database {
    let file: any StorageFile
    do { file = try volume.open(path, .readOnly) } catch { throw openingError(error, path) }
    do {
      var inner = options
      let store = try Store(alone: try unlocked(file, &inner), inner)
      let database = Database(store, volume, path: try volume.resolved(path), options)
      if asks {
        database.launchOutcome = .notCalled(.readOnly)
      }
      return database
    } catch { throw located(error, path) }
  }

  /// Copies the seed to the path where there is no database. Whole or not at all: a temporary file, synced, renamed,
  /// its folder synced.
  static func plantSeed(
    _ path: FilePath, _ volume: any StorageVolume, _ options: DatabaseOptions
  ) throws(StorageError) {
    guard let seedPath = options.seedFile, !volume.exists(path) else { return }
    let seed = try openSeed(seedPath, volume, options)
    let temporary = seedingPath(path)
    do {
      // Locked as long as it is written: who plants at the same time is told that it is busy.
      let file = try openDraft(temporary, volume)
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
        // Someone without a seed may have made a database meanwhile: that one stays.
        guard !volume.exists(path) else { return try volume.removeFile(temporary) }
        try volume.rename(temporary, to: path)
      } catch {
        try? volume.removeFile(temporary)
        throw error
      }
      if options.durability == .full { try volume.syncFolder(path.removingLastComponent()) }
    } catch {
      guard let error = error as? SystemError else { throw located(error, path) }
      throw StorageError(system: error, "The seed \(seedPath) cannot be copied to \(path)")
    }
  }

  /// A new file. What a planting that was broken off left is removed, under its lock.
  private static func openDraft(
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

  /// The seed, locked against writers and known to be a database.
  private static func openSeed(
    _ path: FilePath, _ volume: any StorageVolume, _ options: DatabaseOptions
  ) throws(StorageError) -> any StorageFile {
    let file: any StorageFile
    do { file = try volume.open(path, .readOnly) } catch {
      throw StorageError(system: error, "The seed cannot be opened; no database was made")
    }
    var options = options
    options.readOnly = true
    do {
      let unlocked = try unlocked(file, &options)
      let opened = try OpenedFile(unlocked, options)
      opened.free.deallocate()
      opened.deferredFree.deallocate()
    } catch {
      throw StorageError(
        error.code, "The seed \(path) is of no use, so no database was made. \(error.message)",
        cause: error.cause)
    }
    return file
  }

  /// Keeps the file within the address space that the options allow it.
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

  /// The file as the engine is to see it: decrypted, where there is a key.
  static func unlocked(
    _ file: any StorageFile, _ options: inout DatabaseOptions
  ) throws(StorageError) -> any StorageFile {
    try limitMapping(file, options)
    guard let key = options.encryptionKey else { return file }
    options.allocation = .wholePages
    if let thresholds = options.automaticCompaction {
      // Whole pages leave parts of pages unused, which a limit close to what is used would not have room for.
      options.automaticCompaction?.minimumLimit = max(
        thresholds.minimumLimit, 24 * Layout.pageSize)
      // Each commit leaves a part of its last pages unused: it had better fill some.
      options.automaticCompaction?.baseBudget = max(
        thresholds.baseBudget, 4 * Layout.pageSize)
    }
    return try EncryptedFile(file, key, maxDecryptedBytes: options.maximumDecryptedBytes)
  }

  static func openingError(_ error: SystemError, _ path: FilePath) -> StorageError {
    if error.isLocked {
      return StorageError(
        .busy,
        "\(path) is open in this or another process, and the two exclude each other: any number may "
          + "share a file, or one have it for itself (sharing: .exclusive), or any number only read it.",
        cause: error)
    }
    if error.isOutOfAddresses {
      return StorageError(
        .limitExceeded,
        "\(path) does not fit into the address space that is left to the process.", cause: error)
    }
    return StorageError(system: error, "The database cannot be opened")
  }

  static func seedingPath(_ path: FilePath) -> FilePath { FilePath(path.string + ".seeding") }
}

/// The databases in memory by identifier. They are not kept alive by this.
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
