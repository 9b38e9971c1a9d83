// The figures of a cell's curve of all files, phase by phase: area, trend, reclamation and rebound. Expectations use the
// same rules; see CurveShape and CurveEvents.
package import MetricModel
package import RecordModel

/// A size integrated over virtual time and over commits, in whole numbers: each sample counts until the next.
package struct CurveArea: Sendable, Equatable {
  package private(set) var byteMicroseconds = Int128(0)
  package private(set) var byteCommits = Int128(0)
  /// The time, and the number of commits, during which the size was above the quota.
  package private(set) var timeAboveQuota = VirtualTime.zero
  package private(set) var commitsAboveQuota = 0

  package var gigabyteSeconds: Double { Double(byteMicroseconds) / 1e15 }
  package var gigabyteCommits: Double { Double(byteCommits) / 1e9 }

  mutating func add(_ sample: Observation, until next: Observation, quota: ByteCount?) {
    let (span, commits) = (next.time - sample.time, next.commits - sample.commits)
    let size = sample.space.total
    byteMicroseconds += Int128(size.bytes) * Int128(span.microseconds)
    byteCommits += Int128(size.bytes) * Int128(commits)
    guard let quota, size > quota else { return }
    timeAboveQuota = timeAboveQuota + span
    commitsAboveQuota += commits
  }

  mutating func add(_ other: Self) {
    byteMicroseconds += other.byteMicroseconds
    byteCommits += other.byteCommits
    timeAboveQuota = timeAboveQuota + other.timeAboveQuota
    commitsAboveQuota += other.commitsAboveQuota
  }
}

/// One phase of one launch.
package struct PhaseCurve: Sendable, Equatable {
  package let launch: Int
  package let phase: String
  /// From the last sample before the phase, or at a launch the first of it, to the last within.
  package let firstCommit: Int
  package let lastCommit: Int
  package let begin: ByteCount
  package let end: ByteCount
  package let peak: ByteCount
  /// The interval between two samples counts to the phase of the later one, the time between launches to the phase before.
  package fileprivate(set) var area: CurveArea
  /// Nil with fewer than three samples.
  package let shape: CurveShape?
  /// The first commit of the plateau; nil if the curve does not level off.
  package let plateauBegin: Int?
  /// The release of the last snapshot in this phase; nil if none was released.
  package let reclaim: Reclaim?
  package let rebound: Rebound
}

package struct CurveStatistics: Sendable, Equatable {
  package let key: CellKey
  /// The size above which all files together are above quota; nil if no engine of the record reports live bytes.
  package let quota: ByteCount?
  package let phases: [PhaseCurve]
  package let area: CurveArea
  /// The largest rebound of the launches with a compaction, each from the first compaction on.
  package let reboundAfterCompaction: Double?
  /// The quantity of `reclaim`: pinned bytes, or all files if the engine does not report pinned bytes.
  package let reclaimed: String

  /// The phase in which the files grow fastest without leveling off; nil if they level off in every phase.
  package var growing: PhaseCurve? {
    phases.filter { $0.shape.map { $0.grows && !$0.levelsOff(isBytes: true) } ?? false }
      .max { ($0.shape?.slope ?? 0) < ($1.shape?.slope ?? 0) }
  }

  /// The release with the slowest reclamation; one that was never reclaimed counts as slowest.
  package var slowestReclaim: Reclaim? {
    phases.compactMap(\.reclaim).max {
      ($0.commitsToRecover == nil ? 1 : 0, $0.commitsToRecover ?? $0.commitsObserved)
        < ($1.commitsToRecover == nil ? 1 : 0, $1.commitsToRecover ?? $1.commitsObserved)
    }
  }

  /// - Returns: nil without samples.
  init?(_ cell: CellAnalysis, quota: ByteCount?) {
    guard cell.isMeasured, !cell.samples.isEmpty else { return nil }
    key = cell.key
    self.quota = quota
    let reportsPinned = cell.samples.allSatisfy { $0.observation.space.pinned != nil }
    reclaimed = reportsPinned ? "pinned bytes" : "all files"
    var phases: [PhaseCurve] = []
    var rebounds: [Double] = []
    for launch in cell.samples.split(whereAdjacent: {
      $0.observation.launch != $1.observation.launch
    }) {
      phases += Self.phases(launch, reportsPinned: reportsPinned, quota: quota)
      let next = cell.samples[launch.endIndex...].first
      if let last = launch.last, let next {
        phases[phases.count - 1].area.add(last.observation, until: next.observation, quota: quota)
      }
      let compacted = launch.firstIndex { $0.compactions > launch[launch.startIndex].compactions }
      if let compacted, let ratio = Rebound(Self.points(launch[compacted...])).ratio {
        rebounds.append(ratio)
      }
    }
    self.phases = phases
    area = phases.reduce(into: CurveArea()) { $0.add($1.area) }
    reboundAfterCompaction = rebounds.max()
  }

  private static func points(_ samples: ArraySlice<Sample>) -> [(commits: Int, value: Double)] {
    samples.map { ($0.observation.commits, Double($0.observation.space.total.bytes)) }
  }

  private static func phases(
    _ launch: ArraySlice<Sample>, reportsPinned: Bool, quota: ByteCount?
  ) -> [PhaseCurve] {
    let reclaimable = launch.map { sample in
      let space = sample.observation.space
      return (
        sample.observation.commits,
        Double(((reportsPinned ? space.pinned : nil) ?? space.total).bytes)
      )
    }
    return launch.split(whereAdjacent: { $0.phase != $1.phase }).map { samples in
      let first = samples.startIndex
      let before = first > launch.startIndex ? launch[first - 1] : samples[first]
      let last = samples[samples.endIndex - 1]
      var area = CurveArea()
      for index in samples.indices where index > launch.startIndex {
        area.add(launch[index - 1].observation, until: launch[index].observation, quota: quota)
      }
      let release = samples.indices.last { index in
        index > launch.startIndex && launch[index].observation.pins == 0
          && launch[index - 1].observation.pins > 0
      }
      let reclaim = release.map { release in
        let lastUnpinned = launch[..<release].lastIndex { $0.observation.pins == 0 }
        return Reclaim(
          reclaimable, release: release - launch.startIndex,
          lastUnpinned: lastUnpinned.map { $0 - launch.startIndex },
          within: nil)
      }
      let curve = points(samples)
      let shape = CurveShape(curve)
      let levelsOff = shape?.levelsOff(isBytes: true) ?? false
      return PhaseCurve(
        launch: last.observation.launch, phase: last.phase, firstCommit: before.observation.commits,
        lastCommit: last.observation.commits, begin: before.observation.space.total,
        end: last.observation.space.total,
        peak: samples.map(\.observation.space.total).max() ?? .zero, area: area,
        shape: shape,
        plateauBegin: levelsOff ? CurveShape.plateauBegin(curve) : nil, reclaim: reclaim,
        rebound: Rebound(curve))
    }
  }

  /// Returns the quota of a scenario that names none: twice the maximum of live bytes in any cell of the record.
  static func defaultQuota(_ cells: [CellAnalysis]) -> ByteCount? {
    cells.flatMap(\.samples).compactMap(\.observation.space.live).max().map { 2 * $0 }
  }
}

extension Array {
  /// Splits between adjacent elements that differ; pieces have the indices of the whole.
  func split(whereAdjacent differ: (Element, Element) -> Bool) -> [ArraySlice<Element>] {
    self[...].split(whereAdjacent: differ)
  }
}

extension ArraySlice {
  func split(whereAdjacent differ: (Element, Element) -> Bool) -> [ArraySlice<Element>] {
    var pieces: [ArraySlice<Element>] = []
    var begin = startIndex
    for index in indices.dropFirst() where differ(self[index - 1], self[index]) {
      pieces.append(self[begin..<index])
      begin = index
    }
    if begin < endIndex { pieces.append(self[begin...]) }
    return pieces
  }
}
