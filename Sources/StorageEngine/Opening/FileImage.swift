// A database as it was at one moment, in memory: what inspection reads. Taking it disturbs no program that has the file
// open: no lock is taken on the file or beside it, no session or reader is registered, no space is pinned, and so
// commits, compactions, closing and opening go on as if it were not there.
package import SystemIO

/// A captured version of a file. Everything that reads nodes and records can be asked of its database; values in
/// blocks of their own are not in it.
package struct FileImage {
  package let database: Database
  /// Whether the nodes of all tables are in it. If not, the file changed too fast: the records of one version are, so
  /// its sums are exact.
  package let hasNodes: Bool

  /// How often the file is opened again because a compaction has replaced it meanwhile.
  private static let maxReplacements = 16

  /// Captures the newest version of the file at `path`, or its records only. Errors: `busy` if it changed too fast,
  /// `corrupt` if it is damaged or its newest commit was torn, `limitExceeded` if it is too large for memory,
  /// `keyMissing`, `notADatabase`, `newerFormat`.
  package init(
    of path: FilePath, recordsOnly: Bool = false,
    automatic: AutomaticCompaction? = AutomaticCompaction()
  ) throws(StorageError) {
    try self.init(
      of: path, recordsOnly ? .records : .nodes, automatic, maxPasses: VersionCapture.maxPasses
    ) { file in { buffer, offset throws(SystemError) in try file.read(into: buffer, at: offset) } }
  }

  /// - Parameter reading: returns the function with which an open file is read.
  init(
    of path: FilePath, _ contents: CapturedContents, _ automatic: AutomaticCompaction?,
    maxPasses: Int, reading: (FileReader) -> ReadBytes
  ) throws(StorageError) {
    var options = DatabaseOptions(automaticCompaction: automatic)
    options.readOnly = true
    do {
      for attempt in 1... {
        let resolved = try FileSystem.resolved(path)
        let file = try FileReader(resolved)
        let identity = try file.identity
        var capture = try VersionCapture(reading(file))
        let found = try capture.run(contents, maxPasses: maxPasses)
        let table = ReaderTableCopy(beside: resolved, of: identity)
        // A replaced file is a whole database still, but its readers are gone.
        if table == nil, attempt < Self.maxReplacements,
          (try? FileIdentity(of: resolved)) != identity
        {
          continue
        }
        let session = try table.map { (table) throws(StorageError) in
          try FileSession(copying: table, newest: found.slot.version)
        }
        database = try Self.database(
          capture.image, found.slot, try session ?? FileSession(), resolved, options)
        hasNodes = found.isWhole && contents == .nodes
        return
      }
      preconditionFailure("The last attempt returns.")
    } catch { throw Database.addingPath(error, path) }
  }

  /// Returns what is in it. Error `corrupt`.
  package func inspect() throws(StorageError) -> FileInspection {
    try hasNodes ? database.inspect() : database.inspectRecords()
  }

  /// Returns a database of the captured bytes, with the readers of `session`.
  static func database(
    _ image: MemoryStorageFile, _ slot: CommitSlot, _ session: FileSession, _ path: FilePath,
    _ options: DatabaseOptions
  ) throws(StorageError) -> Database {
    session.table[.newest] = slot.version
    let store = try Store(joining: image, options, session)
    // Computes the free space as it is with the readers of the table.
    _ = try store.acquireWriteLock()
    return Database(store, SystemVolume(), path: path, options)
  }
}
