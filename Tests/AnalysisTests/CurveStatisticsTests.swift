// What a curve comes to, on curves small enough to count by hand.
import Analysis
import MetricModel
import RecordModel
import Statistics
import Testing

@Suite("Figures of curves")
struct CurveStatisticsTests {
  private static let megabyte = 1_000_000

  private func statistics(_ samples: [Sample], quota: Int? = nil) throws -> CurveStatistics {
    let record = SmallRecord.make([.init(policy: .never, size: 1)])
    let rows = CellRows(key: SmallRecord.key(.never), repetition: 1, rows: samples)
    let analysis = ScenarioAnalysis(
      record: record, samples: [rows], quota: quota.map { ByteCount($0) })
    return try #require(analysis.curves.first)
  }

  /// Sizes in megabytes, one sample a commit, which takes a second; snapshots are held where the mark is set.
  private func curve(
    _ sizes: [Int], pins: [Int] = [], phase: String = "work", launch: Int = 1, from first: Int = 0,
    seconds begin: Int = 0, pinned: [Int] = []
  ) -> [Sample] {
    var samples = SmallRecord.samples(
      sizes.map { $0 * Self.megabyte }, phase: phase, launch: launch, from: first, step: 1)
    for index in samples.indices {
      samples[index].observation.time = VirtualTime(seconds: Double(begin + index))
      samples[index].observation.pins = pins.contains(index) ? 1 : 0
      if !pinned.isEmpty {
        samples[index].observation.space.pinned = ByteCount(pinned[index] * Self.megabyte)
      }
    }
    return samples
  }

  @Test("the area counts each sample until the next, over time and over commits, gaps included")
  func area() throws {
    let first = curve([2, 4, 4])
    let second = curve([1, 1], launch: 2, from: 2, seconds: 12)
    let found = try statistics(first + second, quota: 3 * Self.megabyte)
    // 2 + 4 within the first launch, 4 MB for ten seconds while closed, 1 in the second.
    #expect(found.area.byteMicroseconds == Int128(2 + 4 + 40 + 1) * 1_000_000_000_000)
    #expect(found.area.byteCommits == Int128(2 + 4 + 0 + 1) * 1_000_000)
    #expect(found.area.gigabyteSeconds == 0.047)
    #expect(found.area.timeAboveQuota == VirtualTime(seconds: 11))
    #expect(found.area.commitsAboveQuota == 1)
    #expect(found.phases.map(\.area.commitsAboveQuota) == [1, 0])
  }

  @Test("the time-weighted size is the area over the time that it spans")
  func areaIsTimeWeightedSize() throws {
    let samples = curve([2, 9, 4, 4, 7])
    let found = try statistics(samples)
    let span = Int128(samples[4].observation.time.microseconds)
    let weighted = ExactSummary.timeWeighted(samples, whileOpen: false)
    #expect(Int128(weighted.bytes) == found.area.byteMicroseconds / span)
  }

  @Test("the default quota is twice the maximum of live bytes in any cell")
  func defaultQuota() throws {
    #expect(try statistics(curve([1, 2, 3])).quota == ByteCount(2_000_000))
    var unknown = curve([1, 2, 3])
    for index in unknown.indices { unknown[index].observation.space.live = nil }
    let found = try statistics(unknown)
    #expect(found.quota == nil && found.area.timeAboveQuota == .zero)
  }

  @Test(
    "a straight rise has its slope and an interval of no width, and grows; a step and a plateau do not"
  )
  func growth() throws {
    let rising = try statistics(curve(Array(1...30).map { $0 * 3 }))
    let phase = try #require(rising.growing)
    let trend = try #require(phase.shape?.trend)
    #expect(trend.slope == 3_000_000)
    #expect(trend.interval == Interval(low: 3_000_000, high: 3_000_000, coverage: 0.95))
    #expect(phase.plateauBegin == nil)

    let leveling = try statistics(curve([1, 5, 9] + [Int](repeating: 12, count: 9)))
    #expect(leveling.growing == nil)
    #expect(leveling.phases[0].plateauBegin == 3)

    // Rises by 2.8 % in its last third, but by less than the file's growth step.
    let small = try statistics(
      SmallRecord.samples(
        (0..<9).map { 10_000_000 + $0 * 150_000 }, phase: "work", launch: 1, from: 0, step: 1))
    #expect(small.phases[0].shape?.grows == true)
    #expect(small.growing == nil)
  }

  @Test("of several growing phases the one with the steepest slope is reported")
  func steepest() throws {
    let slow = curve(Array(1...9), phase: "slow")
    let fast = curve(Array(1...9).map { 10 * $0 }, phase: "fast", from: 9, seconds: 9)
    #expect(try statistics(slow + fast).growing?.phase == "fast")
  }

  @Test("pinned bytes are reclaimed when they are back where they were before the snapshot")
  func reclaim() throws {
    let samples = curve(
      [5, 5, 7, 9, 9, 9, 9], pins: [1, 2, 3], pinned: [1, 2, 3, 6, 4, 1, 0])
    let found = try #require(try statistics(samples).slowestReclaim)
    #expect(found.release == 4 && found.before == 1_000_000 && found.atRelease == 4_000_000)
    #expect(found.commitsToRecover == 1)
  }

  @Test("without reported pinned bytes all files must be back; a file that stays large never is")
  func reclaimFiles() throws {
    let found = try statistics(curve([5, 6, 7, 9, 9, 8], pins: [1, 2, 3]))
    #expect(found.reclaimed == "all files")
    let reclaim = try #require(found.slowestReclaim)
    #expect(
      reclaim.commitsToRecover == nil && reclaim.commitsObserved == 1
        && reclaim.lastValue == 8_000_000)
  }

  @Test("the rebound counts from the first compaction of each launch, and the largest is reported")
  func rebound() throws {
    var samples = curve([9, 9, 2, 3, 4, 3])
    for index in 2..<6 { samples[index].compactions = 1 }
    #expect(try statistics(samples).reboundAfterCompaction == 2)
    #expect(try statistics(curve([9, 2, 4])).reboundAfterCompaction == nil)
  }

  @Test(
    "equal curves are the same; of unequal ones the first difference and the widest gap are told")
  func comparison() throws {
    let base = curve([1, 2, 3, 4, 5, 6])
    var head = base
    head[2].observation.space.file = ByteCount(3_000_001)
    head[4].observation.space.file = ByteCount(4_500_000)
    #expect(compare(base, base) == .same(samples: 6))
    guard case .diverges(let divergence) = compare(base, head) else {
      Issue.record("curves that differ were called the same")
      return
    }
    #expect(divergence.commit == 2 && divergence.phase == "work" && divergence.launch == 1)
    #expect(divergence.head - divergence.base == ByteCount(1))
    #expect(divergence.maxGap == ByteCount(-500_000) && divergence.maxGapCommit == 4)
    var longer = base
    longer.append(base[5])
    #expect(compare(base, longer) != .same(samples: 6))
  }

  private func compare(_ base: [Sample], _ head: [Sample]) -> CurveComparison.Finding? {
    let record = SmallRecord.make([.init(policy: .never, size: 1)])
    let rows = [base, head].map {
      [CellRows(key: SmallRecord.key(.never), repetition: 1, rows: $0)]
    }
    let analyses = rows.map { ScenarioAnalysis(record: record, samples: $0) }
    return CurveComparison.all(
      base: analyses[0], baseRows: rows[0], head: analyses[1], headRows: rows[1]
    ).first?.finding
  }
}
