// Compaction at launch: a compacted copy beside the file, synced, renamed over it. Only while no other process has the
// file, and before this process opens it for good.
import CLMDB
import EngineInterface
import MetricModel
import SystemIO

/// The decision about compaction at a launch, and the compaction.
struct LaunchCompaction {
  var setup: EnvironmentSetup
  var wantsCompaction: @Sendable (SpaceUsage) -> Bool

  private var lockFile: FilePath { FilePath(setup.file.string + "-lock") }
  private var copy: CompactedCopy { CompactedCopy(of: setup.file, engine: lmdbID) }

  /// Calls the callback once and acts on its result. `after` is left as `before`: only the reopened file has its value.
  func run() throws(EngineError) -> LaunchOutcome {
    let lock: RecordLock
    do throws(SystemError) {
      lock = try RecordLock(lockFile, companion: setup.file)
    } catch  where error.isLocked {
      return try askBesideOthers()
    } catch {
      throw EngineError(engine: lmdbID, error, while: "opening \(setup.file)")
    }
    // LMDB locks the same file: ours must be gone before it is opened there, since closing one descriptor drops both.
    defer { lock.release() }
    return try compactAlone()
  }

  /// Removes the copy of a compaction that was broken off; not while another process has the file, which may be making its
  /// copy at this moment.
  func removeUnfinishedCopy() throws(EngineError) {
    guard FileSystem.exists(copy.path) else { return }
    let lock: RecordLock
    do throws(SystemError) {
      lock = try RecordLock(lockFile, companion: setup.file)
    } catch  where error.isLocked {
      return
    } catch {
      throw EngineError(engine: lmdbID, error, while: "removing \(copy.path)")
    }
    defer { lock.release() }
    try copy.discard()
  }

  /// Another process has the file: the callback is asked, and a yes is skipped with that reason.
  private func askBesideOthers() throws(EngineError) -> LaunchOutcome {
    let before = try usage(Environment(setup))
    guard wantsCompaction(before) else { return .declined(before) }
    return .skipped(before, reason: "another process has the file open")
  }

  private func compactAlone() throws(EngineError) -> LaunchOutcome {
    var alone = setup
    alone.isUnlocked = true
    let environment = try Environment(alone)
    let before = try usage(environment)
    guard wantsCompaction(before) else { return .declined(before) }
    // Two threads of LMDB write the copy, and how far they come on a full disk is another each time.
    if let live = before.live, let left = try? FileSystem.freeBytes(at: setup.file),
      left < live.bytes
    {
      return .skipped(
        before,
        reason:
          "no disk space for the copy: it takes \(live) and the disk has \(ByteCount(left)) left")
    }
    return try copy.replaceFile(before: before) { draft throws(EngineError) in
      try environment.writeCompactedCopy(into: draft, copy.path)
    }
  }

  private func usage(_ environment: Environment) throws(EngineError) -> SpaceUsage {
    try SpaceAccount(environment).usage()
  }
}
