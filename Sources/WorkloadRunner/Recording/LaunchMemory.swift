// The launches so far as policies remember them, for each file of the database. Sums are whole numbers, so that a run
// repeats them exactly.
import MetricModel

/// A file as a policy saw it at a launch, and whether it was compacted then.
struct LaunchedFile {
  var space: SpaceUsage
  var isCompacted: Bool
}

struct LaunchMemory {
  /// The totals of a run at one moment.
  struct Moment {
    var launch: Int
    var commits: Int
    var time: VirtualTime
    var rewritten: ByteCount?

    static let begin = Moment(launch: 0, commits: 0, time: .zero, rewritten: .zero)
  }

  private struct File {
    var compaction = Moment.begin
    /// The launch before this one.
    var previous = VirtualTime.zero
    /// In bytes × microseconds; nil as soon as a launch did not report `usedBytes`.
    var waste: Int128? = 0

    func waste(with space: SpaceUsage, at now: VirtualTime) -> Int128? {
      guard let waste, let used = space.usedAtLaunch else { return nil }
      let span = Int128((now - previous).microseconds)
      return waste + Int128((space.file - used).bytes) * span
    }
  }

  private var files: [File] = []
  /// The most pinned bytes of the launch that runs, and of the one before.
  private var pinned: ByteCount?
  private var previousPinned: ByteCount?

  /// Whether a launch goes on, and no moment in the background.
  private var isLaunched = false

  /// Takes a sample's pinned bytes into account.
  mutating func note(pinned bytes: ByteCount?) {
    guard let bytes, isLaunched else { return }
    pinned = max(pinned ?? .zero, bytes)
  }

  mutating func beginLaunch() {
    endLaunch()
    isLaunched = true
  }

  mutating func beginMoment() { endLaunch() }

  private mutating func endLaunch() {
    if isLaunched { (previousPinned, pinned) = (pinned, nil) }
    isLaunched = false
  }

  /// Returns what a policy remembers of the file with this index, which has this space now.
  func history(of file: Int, _ space: SpaceUsage, at now: Moment) -> LaunchHistory {
    let file = files.indices.contains(file) ? files[file] : File()
    let rewritten = now.rewritten.flatMap { total in file.compaction.rewritten.map { total - $0 } }
    return LaunchHistory(
      launches: now.launch - file.compaction.launch,
      commits: now.commits - file.compaction.commits, time: now.time - file.compaction.time,
      rewritten: rewritten,
      waste: file.waste(with: space, at: now.time).map { Double($0) / 1_000_000 },
      peakPinned: previousPinned)
  }

  /// Records a launch at `now`, whose totals include its compactions.
  mutating func record(_ launched: [LaunchedFile], at now: Moment) {
    for (index, launch) in launched.enumerated() {
      if index == files.count { files.append(File()) }
      if launch.isCompacted {
        files[index].compaction = now
        files[index].waste = 0
      } else {
        files[index].waste = files[index].waste(with: launch.space, at: now.time)
      }
      files[index].previous = now.time
    }
  }
}
