// Where the bytes of a WiredTiger database are: the lengths of its files, and for each what the block manager counts.
import EngineInterface
import MetricModel
import SystemIO

extension WiredTigerDatabase {
  /// The account as of the last checkpoint. What was committed since is in the cache and the log, and in no file.
  ///
  /// What an old snapshot sees and the newest checkpoint does not is in the history store: `isHistoryRead` states whether
  /// there is such a snapshot. The lists of extents are in no part, as no statistic has their bytes; with checkpoints that are
  /// stored by name, these and the blocks that only such checkpoints have are pinned.
  func usage(isHistoryRead: Bool) throws(EngineError) -> SpaceUsage {
    let lengths = try files { () throws(SystemError) in try setup.files.lengths() }
    var usage = SpaceUsage(
      file: .zero, live: .zero, free: .zero, pinned: .zero, overhead: .zero,
      sidecar: try logLength)
    for (name, length) in lengths {
      usage.file += length
      try add(name, length, isHistoryRead: isHistoryRead, to: &usage)
    }
    return usage
  }

  /// The bytes of all files but the log.
  var length: ByteCount {
    get throws(EngineError) {
      try files { () throws(SystemError) in try setup.files.lengths() }.values.reduce(.zero, +)
    }
  }

  var logLength: ByteCount {
    get throws(EngineError) { try files { () throws(SystemError) in try setup.files.logLength } }
  }

  private func add(
    _ name: String, _ length: ByteCount, isHistoryRead: Bool, to usage: inout SpaceUsage
  ) throws(EngineError) {
    let isHistory = name == WiredTigerFolder.historyFile
    guard isHistory || WiredTigerFolder.isTable(name) else {
      usage.overhead? += length
      return
    }
    let counted = try blocks(ofFile: name)
    // A thread of WiredTiger may write to the file while it is measured.
    let header = min(length, Self.headerBytes)
    let used = min(counted.used, length - header)
    let free = min(counted.free, length - header - used)
    usage.overhead? += header
    usage.free? += free
    if !isHistory {
      usage.live? += used
      if try !savepoints(ofFile: name).isEmpty { usage.pinned? += length - header - used - free }
    } else if isHistoryRead {
      usage.pinned? += used
    } else {
      // Not needed any longer, and not reused before WiredTiger has found that out.
      usage.overhead? += used
    }
  }

  /// The first block of each file describes it.
  private static let headerBytes = ByteCount(4096)
}
