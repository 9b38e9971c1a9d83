// An instance: an open realm as one thread, queue or actor sees it, in one version of the file. Its read transaction lasts
// as long as the object, and with it everything that the version pins.
import Foundation
import StorageEngine
import SystemIO

/// A live or frozen instance; `Realm` is a handle to one.
final class OpenRealm {
  let configuration: any InstanceConfiguration
  let confinement: Confinement
  let coordinator: RealmCoordinator
  private var fileReference: FileReference?
  /// The label of its pin in `oldestPins()`.
  let label: String
  let isFrozen: Bool

  /// The thread on which an access needs no further check; 0 for none.
  private let onlyThreadID: UInt64

  /// nil before the first read, after `invalidate`, and within a write transaction, which reads its own version.
  @exclusivity(unchecked) private(set) var reading: Snapshot?
  @exclusivity(unchecked) private(set) var writing: WriteTransaction?
  /// Whether the bytes of rows do not move while the stamp stays the same.
  @exclusivity(unchecked) private(set) var hasStableBytes = false
  /// The version before the transaction, if there are observers of the difference.
  private var beforeWriting: Snapshot?
  /// The last transaction, while a background thread commits it.
  private(set) var backgroundCommit: BackgroundCommit?
  var asyncTransactions = AsyncTransactions()
  /// Counts invalidations: rows of an earlier generation are no longer usable.
  @exclusivity(unchecked) private(set) var generation = 0
  /// Counts changes of what the instance sees: results and cached rows of another stamp are out of date.
  @exclusivity(unchecked) var stamp = 0
  private(set) var classInfos: [ObjectIdentifier: ClassInfo] = [:]
  /// Retains every class that was ever used here: objects refer to them without retaining them.
  private var allClassInfos: [ClassInfo] = []
  /// The newest version of the file whose schema version is known, and that schema version.
  private var checkedSchema: (version: UInt64, schemaVersion: UInt64)?
  /// The class that was used last; nil in frozen instances, which many threads use.
  @exclusivity(unchecked) var lastClassInfo: ClassInfo?
  /// Locked while a frozen instance looks up a class.
  let classMutex = ThreadMutex()
  /// Objects that the open transaction deleted of classes without a `ClassInfo`.
  var otherDeletions: [String: Int] = [:]
  /// The classes of the file, if one has links; read again when `isLinkCatalogCurrent` is false and the file's counter differs.
  var linkCatalog: LinkCatalog?
  var isLinkCatalogCurrent = false
  var observers = ObserverList()
  var autorefresh = true
  var openingTimes: OpeningTimes?
  let refreshIsScheduled = LockedValue(false)
  let recordBuffer = RecordBuffer()

  /// A live instance. `label` replaces the label made of the realm's name and confinement.
  init(
    _ configuration: any InstanceConfiguration, _ confinement: Confinement,
    _ reference: FileReference, label: String? = nil
  ) {
    self.configuration = configuration
    self.confinement = confinement
    onlyThreadID = confinement.onlyThreadID
    fileReference = reference
    coordinator = reference.coordinator
    isFrozen = false
    self.label = label ?? "live realm \(configuration.realmName), \(confinement.name)"
  }

  /// A frozen instance of the version that `live` sees.
  init(freezing live: OpenRealm, _ snapshot: Snapshot, _ reference: FileReference) {
    configuration = live.configuration
    confinement = .unconfined
    onlyThreadID = 0
    fileReference = reference
    coordinator = reference.coordinator
    isFrozen = true
    label = snapshot.label
    reading = snapshot
    hasStableBytes = snapshot.hasStableValues
    classInfos = live.classInfos
    allClassInfos = live.allClassInfos
  }

  deinit {
    observers.removeAll()
    backgroundCommit?.ending.before?.end()
    writing?.rollBack()
    if writing != nil { coordinator.clearWriteLockOwner(self) }
    beforeWriting?.end()
    reading?.end()
    // Last: it may close the file.
    fileReference = nil
  }

  /// The file, if there is one.
  var url: URL? { coordinator.url }

  /// Returns another reference that keeps the file open.
  func copyFileReference() -> FileReference {
    guard let fileReference else {
      preconditionFailure("A live instance has its file open.")
    }
    return fileReference.copy()
  }

  // MARK: Classes

  /// Adds a class, which lookups find from now on.
  func add(_ info: ClassInfo) {
    allClassInfos.append(info)
    classInfos[info.type] = info
    isLinkCatalogCurrent = false
    if !isFrozen { lastClassInfo = info }
  }

  func removeClasses(where isRemoved: (ClassInfo) -> Bool) {
    classInfos = classInfos.filter { !isRemoved($0.value) }
    lastClassInfo = nil
  }

  // MARK: Confinement

  /// Returns whether the caller may use the instance; reports misuse if not.
  @inline(__always)
  func check() -> Bool {
    if isCurrent { return true }
    Misuse.report(incorrectThread)
    return false
  }

  @inline(__always)
  var isCurrent: Bool {
    ThreadLocalState.current.threadID == onlyThreadID || confinement.isCurrent
  }

  /// Error `incorrectThread` if the caller may not use the instance.
  func checkOrThrow() throws(RealmError) {
    if !isCurrent { throw incorrectThread }
  }

  private var incorrectThread: RealmError {
    RealmError(
      .incorrectThread,
      "The realm belongs to \(confinement.name) and is used elsewhere. Open one here, or pass a frozen "
        + "object or a ThreadSafeReference.", file: url)
  }

  // MARK: Versions

  /// Returns the snapshot that is read; pins the newest version if none is pinned.
  @inline(__always)
  func snapshot() throws(StorageError) -> Snapshot {
    if let reading { return reading }
    return try pinNewest()
  }

  @inline(never)
  private func pinNewest() throws(StorageError) -> Snapshot {
    let snapshot = try coordinator.database.beginSnapshot(label: label)
    try checkSchema(of: snapshot)
    reading = snapshot
    hasStableBytes = snapshot.hasStableValues
    stamp += 1
    return snapshot
  }

  /// Moves to the newest version; returns whether that is another one.
  func refresh() throws(StorageError) -> Bool {
    guard writing == nil, backgroundCommit == nil, !isFrozen else { return false }
    guard let reading else {
      _ = try snapshot()
      return false
    }
    guard coordinator.database.version != reading.version else { return false }
    let next = try coordinator.database.beginSnapshot(label: label)
    try checkSchema(of: next)
    advance(from: reading, to: next)
    return true
  }

  /// Forgets the classes, and invalidates all objects, if another opening of the file has migrated it since: the columns
  /// of its rows are others now.
  private func checkSchema(of snapshot: Snapshot) throws(StorageError) {
    if let checkedSchema, checkedSchema.version == snapshot.version { return }
    let found = try SchemaTable.schemaVersion(snapshot)
    let isOther = checkedSchema.map { $0.schemaVersion != found } ?? false
    checkedSchema = (snapshot.version, found)
    guard isOther else { return }
    removeClasses { _ in true }
    generation += 1
    stamp += 1
  }

  /// Moves to `next`, and holds both versions while the difference is delivered.
  private func advance(from old: Snapshot?, to next: Snapshot?) {
    reading = next
    stamp += 1
    notify(from: old)
    old?.end()
  }

  /// Releases the version. Objects and results of the instance can no longer be used.
  func invalidate() {
    if writing != nil { cancelWrite() }
    reading?.end()
    reading = nil
    generation += 1
    stamp += 1
  }

  // MARK: Writing

  /// Waits for the write lock and moves to the newest version.
  func beginWrite() throws {
    try checkOrThrow()
    try checkWritable()
    try coordinator.checkNoNestedWrite()
    try begin(
      try mappingErrors { () throws(StorageError) in
        try coordinator.acquireTransaction(for: confinement)
      })
  }

  func checkWritable() throws(RealmError) {
    guard !isFrozen else {
      throw RealmError(.frozen, "A frozen realm does not change: thaw it first.", file: url)
    }
    guard !configuration.readOnly else {
      throw RealmError(
        .readOnly, "The realm was opened for reading only: nothing can be written.", file: url)
    }
    guard writing == nil else {
      throw RealmError(
        .wrongTransactionState, "The realm is in a write transaction already.", file: url)
    }
  }

  /// Continues in a transaction that was begun, possibly on another thread.
  func begin(_ transaction: WriteTransaction) throws {
    if let backgroundCommit { _ = end(backgroundCommit) }
    // Without a version there is none to move from, but classes may be known from an earlier one.
    if reading != nil || !classInfos.isEmpty {
      _ = try mappingErrors { () throws(StorageError) in try refresh() }
    }
    writing = transaction
    isLinkCatalogCurrent = false
    coordinator.setWriteLockOwner(self)
    hasStableBytes = (try? transaction.hasStableValues) ?? false
    // The transaction reads the same version. Observers are told the difference after the commit, so the version before is
    // held until then.
    if observers.isEmpty { reading?.end() } else { beforeWriting = reading }
    reading = nil
    resetChangeCounts()
    stamp += 1
    try checkVersionLimit(transaction)
  }

  /// Error `tooManyVersions`: cancels the transaction before any work is done in it.
  private func checkVersionLimit(_ transaction: WriteTransaction) throws(RealmError) {
    guard let limit = configuration.maximumNumberOfActiveVersions, limit > 0 else { return }
    do throws(StorageError) { try transaction.checkVersionLimit(Int(clamping: limit)) } catch {
      cancelWrite()
      throw RealmError(error, file: url)
    }
  }

  /// Commits, and notifies all observers but `silent`.
  func commitWrite(withoutNotifying silent: [any ChangeObserver] = []) throws {
    try checkOrThrow()
    guard let transaction = writing else {
      throw RealmError(
        .wrongTransactionState, "There is no write transaction that could be committed.",
        file: url)
    }
    do throws(StorageError) {
      try writeRowCounters(transaction)
      try transaction.commit()
    } catch {
      removeUncommittedClasses()
      endWrite()
      throw RealmError(error, file: url)
    }
    let committed = transaction.version
    if let checkedSchema { self.checkedSchema = (committed, checkedSchema.schemaVersion) }
    let before = beforeWriting
    beforeWriting = nil
    confirmCreatedClasses()
    endWrite()
    coordinator.eventLog?.append(committed, changes)
    resetChangeCounts()
    coordinator.notifyCommit(by: self)
    notify(from: before, except: silent)
    before?.end()
  }

  // MARK: Commits on a background thread

  /// Gives the transaction to a background thread, which commits it and then calls `whenDone`. Until `end` is called with
  /// the result, the instance reads the version before or the new one, and objects that the transaction has created do
  /// not exist yet.
  func commitInBackground(
    withoutNotifying silent: [any ChangeObserver] = [], whenDone: @escaping @Sendable () -> Void
  ) throws -> BackgroundCommit {
    try checkOrThrow()
    guard let transaction = writing else {
      throw RealmError(
        .wrongTransactionState, "There is no write transaction that could be committed.",
        file: url)
    }
    do throws(StorageError) { try writeRowCounters(transaction) } catch {
      cancelWrite()
      throw RealmError(error, file: url)
    }
    let commit = BackgroundCommit(
      transaction,
      .init(
        createdClasses: classInfos.values.filter(\.isUncommitted), changes: changes,
        before: beforeWriting, silent: silent, generation: generation))
    writing = nil
    beforeWriting = nil
    removeUncommittedClasses()
    resetChangeCounts()
    coordinator.clearWriteLockOwner(self)
    stamp += 1
    backgroundCommit = commit
    commit.begin(whenDone: whenDone)
    return commit
  }

  /// Waits for the end of a commit, and moves to its version. Returns its error; has no effect if it was ended before.
  func end(_ commit: BackgroundCommit) -> RealmError? {
    let error = commit.wait()
    if backgroundCommit === commit {
      backgroundCommit = nil
      if error == nil { adopt(commit) } else { commit.ending.before?.end() }
    }
    return error.map { RealmError($0, file: url) }
  }

  private func adopt(_ commit: BackgroundCommit) {
    for info in commit.ending.createdClasses where classInfos[info.type] == nil {
      info.isUncommitted = false
      add(info)
    }
    // Nothing is delivered for what was read meanwhile: all moves from the version before the transaction.
    let meanwhile = reading
    reading = nil
    // An instance that was invalidated since holds no version until it is read again, except to deliver changes.
    if generation == commit.ending.generation || meanwhile != nil || !observers.isEmpty {
      _ = try? snapshot()
    }
    stamp += 1
    coordinator.eventLog?.append(commit.version, commit.ending.changes)
    coordinator.notifyCommit(by: self)
    notify(from: commit.ending.before ?? meanwhile, except: commit.ending.silent)
    commit.ending.before?.end()
    meanwhile?.end()
  }

  func cancelWrite() {
    guard let transaction = writing else { return }
    removeUncommittedClasses()
    transaction.rollBack()
    endWrite()
    // Results and rows that were found in the transaction are out of date.
    stamp += 1
  }

  private func endWrite() {
    writing = nil
    coordinator.clearWriteLockOwner(self)
    beforeWriting?.end()
    beforeWriting = nil
    stamp += 1
    // Pins a version at once, as before the transaction, so that all objects show the same one.
    _ = try? snapshot()
  }

  /// Throws the engine's errors as errors about the realm's file.
  func mappingErrors<Result>(
    _ body: () throws(StorageError) -> Result
  ) throws(RealmError) -> Result {
    do throws(StorageError) { return try body() } catch {
      throw RealmError(error, file: url)
    }
  }
}
