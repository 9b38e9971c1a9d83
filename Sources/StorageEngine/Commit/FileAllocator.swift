// The allocation of a commit's blocks: in the free space, and where that does not do by growing the file. Nothing here
// writes to the file; it becomes longer on disk when all blocks are placed, except for growth that is optional.
import SystemIO

struct FileAllocator: ~Copyable {
  private let context: FileContext
  var space: FreeSpace
  /// Whether an allocation failed below the limit, so that the limit was dropped and the compaction that set it must
  /// give up.
  private(set) var didExhaustLimit = false
  /// Whether a block of the commit may lie behind the end of the file on disk.
  private(set) var hasGrownLogically = false
  /// The pinned bytes at the beginning of the commit.
  private var pinnedBytes = 0
  /// The bytes of blocks and records placed since the file last grew only to keep blocks together; nil before that.
  private var bytesSinceGrowth: Int?
  /// Whether an optional growth failed; it is not tried again in this commit.
  private var wasGrowthRefused = false

  private let growthStep: Int

  init(_ context: FileContext, end: Int) {
    self.context = context
    growthStep = max(roundedUp(context.options.growthStep, to: Layout.pageSize), Layout.pageSize)
    space = FreeSpace(end: end)
  }

  /// Takes over the free space of another store of the same file, in exchange for this one's.
  mutating func takeOver(from other: inout FileAllocator) {
    swap(&space, &other.space)
    swap(&bytesSinceGrowth, &other.bytesSinceGrowth)
  }

  private var options: DatabaseOptions {
    @inline(__always) _read { yield context.options }
  }

  mutating func beginCommit(pinnedBytes: Int) {
    didExhaustLimit = false
    hasGrownLogically = false
    wasGrowthRefused = false
    self.pinnedBytes = pinnedBytes
    let limits = FileLimits(context.file, options)
    // Before a commit would be refused for pages, blocks go into the holes between others.
    space.savesPages = pagesShort(of: 2 * limits.deletionReserve, limits) > 0
    space.usesNextFit = isLong(steps: 4) && space.bytes >= space.end / 5
    // In holes, so much is free only where values were deleted between others. A growth step is little then, too.
    let holeBytes = space.bytes - space.freePages * space.pageSize
    space.isBloated = isLong(steps: 64) && holeBytes >= space.end / 3
  }

  /// Whether the file has so many growth steps that holes may be filled by blocks that are smaller. What such blocks leave is
  /// seldom of use to others. With little free space the file would grow a step earlier for it, a short file by much of its
  /// length, and a compaction would have to raise its limit.
  private func isLong(steps: Int) -> Bool {
    space.limit == Int.max && space.end >= steps * growthStep
  }

  /// Counts the bytes that a durable commit has placed.
  mutating func endCommit(placed bytes: Int) {
    if let placed = bytesSinceGrowth { bytesSinceGrowth = placed + bytes }
  }

  /// Allocates for the commit's record, when its blocks are placed.
  mutating func allocateRecord(_ size: Int) throws(StorageError) -> Int {
    if let offset = space.allocateRecord(size) { return offset }
    return try allocate(size, .short)
  }

  /// Allocates `size` bytes. While there is a limit, below it; if that fails the limit is raised, and dropped before
  /// the file grows.
  mutating func allocate(_ size: Int, _ life: BlockLifetime) throws(StorageError) -> Int {
    let mayGrow = mayGrowForLocality
    if let offset = space.allocate(size, life, mayGrow: mayGrow) { return offset }
    // What exceeds the free space needs growth in any case.
    if mayGrow, space.expectedBytes > space.bytes {
      try growLogically(size)
      if let offset = space.allocate(size, life) { return offset }
    } else if mayGrow {
      growForLocality()
      if let offset = space.allocate(size, life) { return offset }
    }
    while space.limit != Int.max {
      space.setLimit(raisedLimit(for: size) ?? Int.max)
      didExhaustLimit = space.limit == Int.max
      if let offset = space.allocate(size, life) { return offset }
    }
    let end = space.end
    try growLogically(size)
    guard let offset = space.allocateGrown(size, life, from: end) else {
      preconditionFailure("A file that grew for a block must have space for it.")
    }
    return offset
  }

  /// A growth step is long-lived once this many times its bytes have been allocated since.
  private static let maxStepUses = 16

  /// Returns the next limit of a compaction if `size` bytes do not fit below the present one; nil if the file would not
  /// become shorter.
  private func raisedLimit(for size: Int) -> Int? {
    guard let share = options.automaticCompaction?.limitStep else { return nil }
    let limit = space.limit
    let step = max(Int(Double(limit) * share), size)
    let raised = roundedUp(limit + step, to: Layout.pageSize)
    return raised < space.end ? raised : nil
  }

  /// Whether the file may grow by a step only to keep a commit's blocks together: up to about 1.3 times the used bytes.
  /// Pinned space does not count as used, because it comes and goes, and a growth step taken for it would stay. A
  /// long-lived step is the last one: pages then become free about as fast as they are used, the holes suffice for the
  /// rest, and a file that grows by a step now and then would seem never to stop growing.
  private var mayGrowForLocality: Bool {
    guard space.allocation == .clustered, space.limit == Int.max, !wasGrowthRefused,
      bytesSinceGrowth ?? 0 <= Self.maxStepUses * growthStep
    else { return false }
    let end = space.end
    let used = end - space.bytes - pinnedBytes
    return end >= growthStep && end + growthStep <= used + used * 9 / 32 + growthStep / 2
      && end + growthStep <= FileLimits(context.file, options).maxSize
  }

  /// Grows by a step, on disk too. This growth is optional: if the system refuses it the commit continues without.
  private mutating func growForLocality() {
    let newEnd = space.end + growthStep
    do throws(SystemError) {
      try context.extendFile(to: newEnd, forCommitOf: space.expectedBytes)
      space.grow(to: newEnd)
      bytesSinceGrowth = 0
    } catch {
      wasGrowthRefused = true
    }
  }

  /// Extends the file logically by what `size` bytes need; it is extended on disk when all blocks are placed.
  private mutating func growLogically(_ size: Int) throws(StorageError) {
    let end = space.end
    space.unreserveRegions()
    let tail = space.growthStart
    let needed = space.tailNeeded(for: size)
    var newEnd = end < growthStep ? end * 2 : end + growthStep
    if newEnd - tail < needed { newEnd = roundedUp(tail + needed, to: Layout.pageSize) }
    newEnd = try within(FileLimits(context.file, options), newEnd, minimum: tail + needed)
    space.grow(to: newEnd)
    hasGrownLogically = true
  }

  /// Checks that a commit which makes live data larger leaves the reserve for deletions. Error `limitExceeded`.
  func checkReserve() throws(StorageError) {
    let limits = FileLimits(context.file, options)
    let missing = pagesShort(of: limits.deletionReserve, limits)
    if missing > 0 { throw limits.reserveExceeded(leaving: limits.deletionReserve - missing) }
  }

  /// Returns how many bytes the free pages, and those that the file may still grow by, are short of `bytes`.
  private func pagesShort(of bytes: Int, _ limits: FileLimits) -> Int {
    let missing = bytes - max(0, limits.maxSize - space.end)
    return missing > 0 ? missing - space.pageBytes(atMost: missing) : 0
  }

  /// Shortens a growth step to the limit, as long as what is needed fits.
  private func within(
    _ limits: FileLimits, _ end: Int, minimum: Int
  ) throws(StorageError) -> Int {
    guard end > limits.maxSize else { return end }
    guard minimum <= limits.maxSize else { throw limits.exceeded(by: minimum) }
    return limits.maxSize
  }

  /// Frees what a commit that failed has allocated, and gives back what the file grew by.
  mutating func undo(_ writes: borrowing BlockWrites, sizeBefore: Int) {
    space.unreserveRegions()
    writes.forEachExtent { space.free($0) }
    if space.end > sizeBefore { space.truncate(to: sizeBefore) }
  }
}
