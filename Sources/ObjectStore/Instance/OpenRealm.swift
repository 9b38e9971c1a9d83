// What a `Realm` is a handle of: one place of use, one version of the file. The read transaction lives as long as this
// object, and with it everything that the version keeps from being used again.
import Foundation
import StorageEngine
import SystemIO

/// A live or frozen instance.
final class OpenRealm {
  let configuration: Realm.Configuration
  let confinement: Confinement
  let file: RealmCoordinator
  private var use: FileReference?
  /// The label of its pin in `oldestPins()`.
  let label: String
  let isFrozen: Bool

  private let home: UInt64

  /// nil before something is read, after `invalidate`, and within a write transaction, which sees its own.
  @exclusivity(unchecked) private(set) var reading: Snapshot?
  @exclusivity(unchecked) private(set) var writing: WriteTransaction?
  /// Whether bytes that were found stay where they are as long as the stamp does.
  @exclusivity(unchecked) private(set) var hasStableBytes = false
  /// What was seen before the transaction, where somebody is to be told of the difference.
  private var beforeWriting: Snapshot?
  /// Counts invalidations: rows of an earlier generation are no longer usable.
  @exclusivity(unchecked) private(set) var generation = 0
  /// Counts changes of what is seen: results that were found under another stamp look again.
  @exclusivity(unchecked) var stamp = 0
  private(set) var classInfos: [ObjectIdentifier: ClassInfo] = [:]
  /// All that were ever bound here: objects refer to them without keeping them.
  private var allClassInfos: [ClassInfo] = []
  /// The class that was used last; nil in frozen instances, which many threads use.
  @exclusivity(unchecked) var lastClassInfo: ClassInfo?
  let names: [ObjectIdentifier: ObjectSchema]
  let binding = ThreadMutex()
  /// Objects that the open transaction deleted of classes that are not bound.
  var unboundDeletions: [String: Int] = [:]
  var observers = ObserverList()
  var autorefresh = true
  var openingTimes: OpeningTimes?
  private let refreshIsDue = LockedValue(false)
  /// Memory that is used again for each row that is written.
  let recordBuffer = RecordBuffer()

  /// `label` is what its pin is called, where that is not said by its place.
  init(
    _ configuration: Realm.Configuration, _ confinement: Confinement, _ use: FileReference,
    label: String? = nil
  ) {
    names = use.file.names
    self.configuration = configuration
    self.confinement = confinement
    home = confinement.home
    self.use = use
    file = use.file
    isFrozen = false
    let name = configuration.fileURL?.lastPathComponent ?? configuration.inMemoryIdentifier ?? ""
    self.label = label ?? "live realm \(name), \(confinement.name)"
  }

  /// A frozen instance of the version that `live` sees.
  init(freezing live: OpenRealm, _ snapshot: Snapshot, _ use: FileReference) {
    configuration = live.configuration
    confinement = .anywhere
    home = 0
    self.use = use
    file = use.file
    isFrozen = true
    label = snapshot.label
    reading = snapshot
    hasStableBytes = snapshot.hasStableValues
    classInfos = live.classInfos
    allClassInfos = live.allClassInfos
    names = live.names
  }

  deinit {
    observers.end()
    writing?.rollBack()
    if writing != nil { file.releasedWriteLock(self) }
    beforeWriting?.end()
    reading?.end()
    // Last: the file may close with it.
    use = nil
  }

  func retainFile() -> FileReference {
    guard let use else { preconditionFailure("An instance that is alive has its file open.") }
    return use.again()
  }

  // MARK: Classes

  /// Knows the class from here on.
  func know(_ found: ClassInfo, as type: Object.Type) {
    allClassInfos.append(found)
    classInfos[ObjectIdentifier(type)] = found
    if !isFrozen { lastClassInfo = found }
  }

  /// Knows those no more of which this holds.
  func forgetClasses(where isForgotten: (ClassInfo) -> Bool) {
    classInfos = classInfos.filter { !isForgotten($0.value) }
    lastClassInfo = nil
  }

  // MARK: Confinement

  /// Whether the caller may use the instance; where not, that is misuse.
  @inline(__always)
  func check() -> Bool {
    if isHere { return true }
    Misuse.report(incorrectThread)
    return false
  }

  @inline(__always)
  var isHere: Bool { ThreadLocalState.current.number == home || confinement.isHere }

  /// The same where it can be thrown.
  func checkOrThrow() throws(Realm.Error) {
    if !isHere { throw incorrectThread }
  }

  private var incorrectThread: Realm.Error {
    Realm.Error(
      .incorrectThread,
      "The realm belongs to \(confinement.name) and is used elsewhere. Open one here, or pass a frozen "
        + "object or a ThreadSafeReference.", file: file.url)
  }

  // MARK: Versions

  /// The version that is read, pinned now where it was not.
  @inline(__always)
  func snapshot() throws(StorageError) -> Snapshot {
    if let reading { return reading }
    return try pinNewest()
  }

  @inline(never)
  private func pinNewest() throws(StorageError) -> Snapshot {
    let snapshot = try file.database.beginSnapshot(label: label)
    reading = snapshot
    hasStableBytes = snapshot.hasStableValues
    stamp += 1
    return snapshot
  }

  /// The version that is seen; nil where none is pinned.
  var version: UInt64? { writing?.version ?? reading?.version }

  /// Moves to the newest version; answers whether that is another one.
  func refresh() throws(StorageError) -> Bool {
    guard writing == nil, !isFrozen else { return false }
    guard let reading else {
      _ = try snapshot()
      return false
    }
    guard file.database.version != reading.version else { return false }
    let next = try file.database.beginSnapshot(label: label)
    advance(from: reading, to: next)
    return true
  }

  /// Sees `next` from here on. Observers hear what is different, for which both versions are held that long.
  private func advance(from old: Snapshot?, to next: Snapshot?) {
    reading = next
    stamp += 1
    notify(from: old)
    old?.end()
  }

  /// Lets the version go. Objects and results are of no use afterwards.
  func invalidate() {
    if writing != nil { cancelWrite() }
    reading?.end()
    reading = nil
    generation += 1
    stamp += 1
  }

  /// Called from any thread.
  func scheduleRefresh() {
    let isFirst = refreshIsDue.withLock { isDue in
      defer { isDue = true }
      return !isDue
    }
    guard isFirst else { return }
    let weakly = WeakInstance(self)
    confinement.schedule {
      guard let instance = weakly.instance else { return }
      instance.refreshIsDue.withLock { $0 = false }
      instance.performScheduledRefresh()
    }
  }

  /// A turn of the run loop, a block of the queue, or the like, made for this.
  private func performScheduledRefresh() {
    if autorefresh { _ = try? refresh() }
    deliverInitial()
  }

  // MARK: Writing

  /// Waits for the writer's place and sees the newest version from here on.
  func beginWrite() throws {
    try checkOrThrow()
    try checkWritable()
    try file.checkNoNestedWrite()
    try begin(try mappingErrors { () throws(StorageError) in try file.database.beginWrite() })
  }

  func checkWritable() throws(Realm.Error) {
    guard !isFrozen else {
      throw Realm.Error(.frozen, "A frozen realm does not change: thaw it first.", file: file.url)
    }
    guard !configuration.readOnly else {
      throw Realm.Error(
        .readOnly, "The realm was opened for reading only: nothing can be written.", file: file.url)
    }
    guard writing == nil else {
      throw Realm.Error(
        .wrongTransactionState, "The realm is in a write transaction already.", file: file.url)
    }
  }

  /// Goes on in a transaction that was begun, perhaps on another thread.
  func begin(_ transaction: WriteTransaction) throws {
    if reading != nil { _ = try mappingErrors { () throws(StorageError) in try refresh() } }
    writing = transaction
    file.acquiredWriteLock(self)
    hasStableBytes = (try? transaction.hasStableValues) ?? false
    // The transaction sees the same version. Observers are told of the difference afterwards, for which it is kept.
    if observers.isEmpty { reading?.end() } else { beforeWriting = reading }
    reading = nil
    resetChangeCounts()
    stamp += 1
  }

  /// `silent` are the tokens whose observers are not told.
  func commitWrite(withoutNotifying silent: [NotificationToken] = []) throws {
    try checkOrThrow()
    guard let transaction = writing else {
      throw Realm.Error(
        .wrongTransactionState, "There is no write transaction that could be committed.",
        file: file.url)
    }
    do throws(StorageError) {
      try writeRowCounters(transaction)
      try transaction.commit()
    } catch {
      forgetUncommittedClasses()
      ended()
      throw Realm.Error(error, file: file.url)
    }
    let made = transaction.version
    let before = beforeWriting
    beforeWriting = nil
    confirmCreatedClasses()
    ended()
    file.events?.note(made, changes)
    resetChangeCounts()
    file.notifyCommit(by: self)
    notify(from: before, except: silent)
    before?.end()
  }

  func cancelWrite() {
    guard let transaction = writing else { return }
    forgetUncommittedClasses()
    transaction.rollBack()
    ended()
    // Results that were found in the transaction, and rows that were made there, are looked for anew.
    stamp += 1
  }

  private func ended() {
    writing = nil
    file.releasedWriteLock(self)
    beforeWriting?.end()
    beforeWriting = nil
    stamp += 1
    // A reader again at once, as before the transaction: what objects show is of one version.
    _ = try? snapshot()
  }

  func mappingErrors<Result>(
    _ body: () throws(StorageError) -> Result
  ) throws(Realm.Error) -> Result {
    do throws(StorageError) { return try body() } catch {
      throw Realm.Error(error, file: file.url)
    }
  }
}

/// For closures that outlive the instance, and that may be dropped on any thread.
final class WeakInstance: @unchecked Sendable {
  private(set) weak var instance: OpenRealm?

  init(_ instance: OpenRealm) { self.instance = instance }
}
