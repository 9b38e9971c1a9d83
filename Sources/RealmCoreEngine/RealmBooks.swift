// What a version's top array has of the whole file: its length, what is free, and how far automatic compaction is.
import EngineInterface
import MetricModel
import SystemIO

struct RealmBooks: Equatable {
  /// The end of what the free list covers. The file on disk may be longer: what a compaction cut off is given back when
  /// a session of the file begins.
  let logicalSize: Int
  let version: Int
  /// The top array and the free list's three arrays.
  let bookkeeping: Int
  let freeBlocks: [FreeBlock]
  let evacuation: Evacuation

  struct FreeBlock: Equatable {
    let offset: Int
    let bytes: Int
    /// The version whose commit freed it; 0 where no version sees it any more.
    let freed: Int
  }

  /// The stage of automatic compaction. It is stored in the file, so that every process continues it (group_writer.hpp).
  enum Evacuation: Equatable {
    case none
    /// The limit below which data moves, and how many commits pass before it is looked after again.
    case begun(limit: Int, pause: Int)

    var stage: AutomaticStage {
      switch self {
      case .none: .idle
      case .begun(limit: 0, _): .blocked
      case .begun(_, pause: 0): .evacuating
      case .begun: .waiting
      }
    }
  }

  /// The top array's elements.
  private enum Slot {
    static let logicalSize = 2
    static let offsets = 3
    static let lengths = 4
    static let versions = 5
    static let version = 6
    static let evacuation = 11
  }

  /// Nil where the file has not the arrays that the top array names.
  init?(_ file: RealmFile, top reference: Int) throws(SystemError) {
    guard reference >= RealmFile.header, let top = try file.array(at: reference) else { return nil }
    guard top.count > Slot.logicalSize else { return nil }
    logicalSize = Self.untagged(top[Slot.logicalSize])
    version = top.count > Slot.version ? Self.untagged(top[Slot.version]) : 0
    var bookkeeping = top.bytes
    var blocks: [FreeBlock] = []
    if top.count > Slot.lengths, top[Slot.offsets] != 0 {
      guard let offsets = try file.array(at: top[Slot.offsets]),
        let lengths = try file.array(at: top[Slot.lengths]), lengths.count == offsets.count
      else { return nil }
      bookkeeping += offsets.bytes + lengths.bytes
      var versions: RealmArray?
      if top.count > Slot.versions, top[Slot.versions] != 0 {
        guard let array = try file.array(at: top[Slot.versions]), array.count == offsets.count
        else { return nil }
        bookkeeping += array.bytes
        versions = array
      }
      blocks.reserveCapacity(offsets.count)
      for index in 0..<offsets.count {
        blocks.append(
          FreeBlock(
            offset: offsets[index], bytes: lengths[index], freed: versions.map { $0[index] } ?? 0))
      }
    }
    freeBlocks = blocks
    let state = top.count > Slot.evacuation ? top[Slot.evacuation] : 0
    if state == 0 {
      evacuation = .none
    } else if state & 1 == 1 {
      // The commit that chose the limit; the next makes an array of it.
      evacuation = .begun(limit: Self.untagged(state), pause: 0)
    } else {
      guard let array = try file.array(at: state), array.count >= 2 else { return nil }
      bookkeeping += array.bytes
      evacuation = .begun(limit: array[0], pause: array[1])
    }
    self.bookkeeping = bookkeeping
  }

  /// Returns a number from an array that may hold references, in which numbers are doubled and odd.
  private static func untagged(_ element: Int) -> Int {
    Int(truncatingIfNeeded: UInt(bitPattern: element) >> 1)
  }

  /// The account of the newest version, where `oldest` is the oldest one that is readable.
  ///
  /// The next commit uses what was freed in a version that is not newer than that. Once a version is released that is
  /// younger than another that stays, the next commit also lowers the numbers of what only it could see: until then that
  /// is pinned here too, as it is for Realm Core.
  func usage(oldest: Int) -> SpaceUsage {
    var free = 0
    var pinned = 0
    for block in freeBlocks {
      if block.freed <= oldest { free += block.bytes } else { pinned += block.bytes }
    }
    let overhead = RealmFile.header + bookkeeping
    return SpaceUsage(
      file: ByteCount(logicalSize), live: ByteCount(logicalSize - free - pinned - overhead),
      free: ByteCount(free), pinned: ByteCount(pinned), pending: .zero,
      overhead: ByteCount(overhead))
  }
}
