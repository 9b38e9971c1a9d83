// What the adapter reports of a Realm file's books, in the words that all engines share.
import EngineInterface
import FileFormats
import MetricModel

extension RealmBooks {
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
    let overhead = RealmFile.headerBytes + bookkeeping
    return SpaceUsage(
      file: ByteCount(logicalSize), live: ByteCount(logicalSize - free - pinned - overhead),
      free: ByteCount(free), pinned: ByteCount(pinned), pending: .zero,
      overhead: ByteCount(overhead))
  }
}

extension RealmBooks.Evacuation {
  /// The stage of automatic compaction.
  var stage: AutomaticStage {
    switch self {
    case .none: .idle
    case .begun(limit: 0, _): .blocked
    case .begun(_, pause: 0): .evacuating
    case .begun: .waiting
    }
  }
}
