// The writes of a commit: which bytes go where, and how they are passed to the file in few calls.
import SystemIO

/// A placed block: its offset in the file and its bytes in memory.
struct PendingWrite {
  var offset: Int
  var size: Int
  var bytes: UnsafeMutableRawPointer
  /// Whether the file has the bytes.
  var isWritten = false
}

struct BlockWrites: ~Copyable {
  private static let stagingSize = 1 << 18
  private static let maxCoalescedBytes = 1 << 22

  private(set) var writes = UniqueList<PendingWrite>(capacity: 256)
  private let slotBytes = RawBuffer(count: CommitSlot.size)
  /// Where blocks are copied together; nil before the first are, so that a session that only reads maps none.
  private var staging: RawBuffer?

  var count: Int { writes.count }
  var bytes: Int { writes.buffer.reduce(0) { $0 + $1.size } }

  mutating func removeAll() { writes.removeAll() }

  mutating func append(_ write: PendingWrite) { writes.append(write) }

  /// Returns the index of the write to this offset; nil if there is none.
  func index(at offset: Int) -> Int? { writes.buffer.firstIndex { $0.offset == offset } }

  /// Moves a write to another offset. Only a seeded fault does that.
  mutating func move(at index: Int, to offset: Int) { writes[index].offset = offset }

  mutating func sortByOffset() {
    var buffer = writes.buffer
    buffer.sortRuns { $0.offset }
  }

  func forEachExtent(_ body: (Extent) -> Void) {
    for write in writes.buffer { body(Extent(offset: write.offset, size: write.size)) }
  }

  /// The extents of the writes, which are sorted, with adjacent ones joined.
  var extents: [Extent] {
    var extents: [Extent] = []
    extents.reserveCapacity(32)
    for write in writes.buffer {
      if let last = extents.indices.last, extents[last].end == write.offset {
        extents[last].size += write.size
      } else {
        extents.append(Extent(offset: write.offset, size: write.size))
      }
    }
    return extents
  }

  /// From the first byte of the writes, which are sorted, to the end of the last.
  var range: Range<Int> {
    guard let first = writes.buffer.first, let last = writes.buffer.last else { return 0..<0 }
    return first.offset..<last.offset + last.size
  }

  /// The number of groups of adjacent pages that the writes, which are sorted, lie in.
  var pageGroups: Int {
    var groups = 0
    var lastPage = -2
    for write in writes.buffer {
      if write.offset / Layout.pageSize > lastPage + 1 { groups += 1 }
      lastPage = (write.offset + write.size - 1) / Layout.pageSize
    }
    return groups
  }

  // MARK: Writing

  func write(_ slot: CommitSlot, to file: any StorageFile) throws(SystemError) {
    slot.encode(into: slotBytes.start)
    try file.write(slotBytes.prefix(CommitSlot.size), at: Layout.slotOffset(of: slot.version))
  }

  /// Writes all blocks through large buffers that bypass the page cache.
  func writeGathered(to file: any StorageFile) throws(SystemError) {
    var gatherer = WriteGatherer(file)
    for write in writes.buffer { try gatherer.add(write.bytes, write.size, at: write.offset) }
    try gatherer.finish()
  }

  /// Writes the blocks that the file does not have yet, adjacent ones in one call: small ones are copied together, large ones
  /// are gathered (`pwritev`). Gaps that the file bridges become zeros.
  mutating func writeCoalesced(
    to file: any StorageFile, startsWriteback: Bool
  ) throws(SystemError) {
    let writes = writes.buffer
    let maxGap = file.maxBridgedGap
    var from = 0
    while from < writes.count {
      guard !writes[from].isWritten else {
        from += 1
        continue
      }
      var to = from + 1
      let start = writes[from].offset
      var end = start + writes[from].size
      while to < writes.count, !writes[to].isWritten, writes[to].offset - end <= maxGap,
        end - start < Self.maxCoalescedBytes
      {
        end = writes[to].offset + writes[to].size
        to += 1
      }
      try write(writes[from..<to], start..<end, to: file)
      for index in from..<to { writes[index].isWritten = true }
      // Start writeback of long writes now, so that the disk is busy before the sync begins.
      if end - start >= Self.maxCoalescedBytes, startsWriteback {
        file.advise(.writeSoon, start..<end)
      }
      from = to
    }
  }

  /// Writes blocks that are back to back in `range`, but for gaps that the file bridges.
  private mutating func write(
    _ writes: Slice<UnsafeMutableBufferPointer<PendingWrite>>, _ range: Range<Int>,
    to file: any StorageFile
  ) throws(SystemError) {
    let start = range.lowerBound
    if let address = file.storeAddress(start, range.count) {
      Self.copy(writes, from: start, to: address)
    } else if writes.count == 1 {
      try file.write(
        UnsafeRawBufferPointer(start: writes[writes.startIndex].bytes, count: range.count),
        at: start)
    } else if range.count <= Self.stagingSize {
      let staging = stagingMemory()
      Self.copy(writes, from: start, to: staging)
      try file.write(UnsafeRawBufferPointer(start: staging, count: range.count), at: start)
    } else {
      let zeros = stagingMemory()
      Self.clear(zeros, 0..<file.maxBridgedGap)
      var pieces: [UnsafeRawBufferPointer] = []
      pieces.reserveCapacity(2 * writes.count)
      var end = start
      for write in writes {
        if write.offset > end {
          pieces.append(UnsafeRawBufferPointer(start: zeros, count: write.offset - end))
        }
        pieces.append(UnsafeRawBufferPointer(start: write.bytes, count: write.size))
        end = write.offset + write.size
      }
      try file.write(pieces, at: start)
    }
  }

  /// Returns the memory where blocks are copied together; maps it first where that was not done.
  private mutating func stagingMemory() -> UnsafeMutableRawPointer {
    if let start = staging?.start { return start }
    let buffer = RawBuffer(count: Self.stagingSize)
    let start = buffer.start
    staging = consume buffer
    return start
  }

  /// Copies the blocks, and zeros for the gaps between them, to memory for the bytes from `start` on.
  private static func copy(
    _ writes: Slice<UnsafeMutableBufferPointer<PendingWrite>>, from start: Int,
    to memory: UnsafeMutableRawPointer
  ) {
    var end = start
    for write in writes {
      clear(memory, end - start..<write.offset - start)
      (memory + (write.offset - start)).copyMemory(from: write.bytes, byteCount: write.size)
      end = write.offset + write.size
    }
  }

  private static func clear(_ memory: UnsafeMutableRawPointer, _ range: Range<Int>) {
    guard !range.isEmpty else { return }
    (memory + range.lowerBound).initializeMemory(as: UInt8.self, repeating: 0, count: range.count)
  }
}
