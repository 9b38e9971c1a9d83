// The one writer of a file: the allocator, the changes of the open transaction, and the log that the next commit extends.
//
// The value exists once in a store and is reached only through a `WriteAccess`, that is, by the holder of the write lock.
// So a function with an `inout Writer`, like every method here, can only be called under that lock.
import SystemIO

struct Writer: ~Copyable {
  let context: FileContext
  /// What the writer publishes, and what keeps it from reusing space.
  let readers: Readers
  var changes: PendingChanges
  var allocator: FileAllocator
  var log: CommitLog
  /// The writes of the commit that is under way.
  var writes = BlockWrites()
  /// The changed nodes above the leaves, children before parents.
  var changedInnerNodes = UniqueList<UnplacedNode>(capacity: 64)
  /// The live bytes of the newest version.
  var liveBytes = 0
  /// Whether the file on disk is longer than its newest version and is still to be truncated.
  var isTruncationDue = false
  /// The first write or sync that failed; nothing may be written after it.
  private(set) var failure: StorageError?
  /// Whether the state became another session's, so that state derived from it must be reset.
  var wasReloaded = false
  let epoch: WriterEpoch

  init(_ readers: Readers, newest: VersionState) {
    self.readers = readers
    context = readers.context
    epoch = WriterEpoch(readers.context.base)
    changes = PendingChanges(newest, inlineValueLimit: readers.context.options.usedInlineValueLimit)
    allocator = FileAllocator(readers.context, end: newest.fileSize)
    log = CommitLog(version: newest.number)
  }

  // MARK: Transactions

  /// Begins a transaction on the newest version. Errors: `poisoned`, `displaced`.
  mutating func beginTransaction() throws(StorageError) {
    if let failure { throw StorageError.poisoned(by: failure) }
    guard context.session.table[.failed] == 0 else { throw StorageError.poisonedElsewhere }
    try context.session.checkNames(isRateLimited: context.options.durability == .none)
    beginChanges()
  }

  mutating func beginChanges() {
    let newest = readers.newest
    precondition(
      newest.number == log.newest.version, "A transaction begins on the newest version's state.")
    changes.begin(on: newest)
  }

  /// Adds the extents that snapshots have released to the free space.
  mutating func collectNewlyFree() {
    readers.withLock { state in state.collectNewlyFree { allocator.space.free($0) } }
  }

  /// Whether a write or sync has failed, in this session or another.
  var isPoisoned: Bool { failure != nil || context.session.table[.failed] != 0 }

  /// Prevents all further commits, also of other sessions, because of `failure`.
  mutating func poison(_ failure: StorageError) {
    context.session.table[.failed] = context.session.number
    if self.failure == nil { self.failure = failure }
  }
}
