// The launch matrix, predictions and regret, on figures worked out by hand.
import LaunchSchedules
import MetricModel
import Objective
import RecordModel
import Testing

@Suite("The launch matrix")
struct LaunchMatrixTests {
  /// So many bytes for an hour.
  private static func hours(_ bytes: Int) -> ByteTime {
    ByteTime(ByteCount(bytes), for: VirtualTime(microseconds: hour))
  }

  private static let hour = 3_600_000_000

  private static func figures(_ cell: HandMadeCell, _ schedule: [Int]) throws -> PricedFigures {
    try #require(LaunchMatrix(cell.cell())).priced(LaunchSchedule(schedule))
  }

  @Test("a launch's figures reach from its first row to that of the next launch")
  func division() {
    let launches = HandMadeCell().run("never", [], .policy).launches
    // 100 B for an hour, then 140 B for the two hours until the next launch.
    #expect(launches[0].area == Self.hours(100 + 2 * 140))
    #expect(launches[0].time == VirtualTime(microseconds: 3 * Self.hour))
    #expect(launches[1].area == Self.hours(160 + 2 * 190))
    #expect(launches.map(\.highWater.bytes) == [140, 190, 210, 240])
    // The last row has no time.
    #expect(launches[3].area == Self.hours(220))
    #expect(launches[3].time == VirtualTime(microseconds: Self.hour))
    #expect(launches.map(\.compaction) == [.none, .declined, .declined, .declined])
    #expect(launches[3].before == ByteCount(210))
  }

  @Test("the cost of no compaction is all waste above that of a run compacted at every launch")
  func waste() throws {
    let figures = try Self.figures(HandMadeCell(), [])
    // Waste from before each launch: 40 B in launch 2, 70 in 3, 130 in the hour of 4.
    #expect(figures.excess == Self.hours(3 * 40 + 3 * 70 + 130))
    #expect(figures.rewritten == .zero)
    #expect(figures.highWater == ByteCount(240))
    #expect(figures.peakDisk == ByteCount(240))
    #expect(figures.time == VirtualTime(microseconds: 10 * Self.hour))
  }

  @Test("a compaction costs what it rewrites, and needs old and new files at once")
  func compaction() throws {
    let figures = try Self.figures(HandMadeCell(), [3])
    #expect(figures.excess == Self.hours(3 * 40 + 60))
    #expect(figures.rewritten == ByteCount(120))
    #expect(figures.highWater == ByteCount(190))
    // 120 B live and 70 B of waste, and the copy of 120 B.
    #expect(figures.peakDisk == ByteCount(310))
  }

  @Test("every schedule's figures are those of its run, the times of its launches among them")
  func everySchedule() throws {
    var hand = HandMadeCell()
    hand.isTimed = true
    let none = try #require(LaunchMatrix(hand.cell())).priced(LaunchSchedule([2, 4]))
    // The files had 140 B at launch 2, 150 at launch 3, and 170 at launch 4.
    #expect(none.blocked == 9 * 140 + 9 * 170)
    #expect(none.longestLaunch == 1700)
    let matrix = try #require(LaunchMatrix(hand.cell()))
    for bits in 0..<8 {
      let schedule = [2, 3, 4].filter { bits >> ($0 - 2) & 1 == 1 }
      #expect(
        matrix.priced(LaunchSchedule(schedule))
          == matrix.priced(hand.run("run", schedule, .check).launches))
    }
  }

  @Test("rows put together from other runs are those of a run with several compactions")
  func prediction() throws {
    let finding = try #require(HandMadeCell().cell(checks: [[2, 4], [2, 3]]).renewal)
    #expect(finding == RenewalFinding(runs: 3, schedules: 3, rows: 24))
  }

  @Test("where a compaction remembers one before it, the first row that differs is named")
  func difference() throws {
    var hand = HandMadeCell()
    hand.remembered = 5
    let difference = try #require(hand.cell().renewal?.difference)
    let expected = RowDifference(
      policy: "at [2, 3, 4]", schedule: [2, 3, 4], launch: 3, phase: "work", commit: 30,
      column: "file_bytes", predicted: "80", measured: "85")
    #expect(difference == expected)
    #expect(hand.cell().renewal?.pricedDifference == expected)
  }

  @Test("a difference that no cost is made of is named, and the comparison goes on")
  func unpricedDifference() throws {
    var hand = HandMadeCell()
    hand.shifted = 8
    let finding = try #require(hand.cell().renewal)
    #expect(finding.difference?.column == "live_bytes")
    #expect(finding.pricedDifference == nil)
    #expect(finding.rows == 4)
    hand.remembered = 5
    #expect(hand.cell().renewal?.pricedDifference?.column == "file_bytes")
  }

  @Test("a freshly compacted file takes the least of any schedule, not that of every launch")
  func freshFiles() throws {
    var hand = HandMadeCell()
    hand.remembered = 25
    // Compacted at launches 2, 3 and 4 there are 25 B of waste at launch 3 that the run compacted at 3 alone does not have.
    let matrix = try #require(LaunchMatrix(hand.cell()))
    #expect(matrix.freshArea(of: 3) == Self.hours(80 + 2 * 140))
    let every = try #require(
      matrix.priced(hand.run("all", [2, 3, 4], .check).launches))
    #expect(every.excess == Self.hours(3 * 25 + 25))
  }

  @Test("a missing row differs, and says so")
  func missingRow() {
    let hand = HandMadeCell()
    let rows = hand.rows([]).rows
    let prediction = RowPrediction([0: rows], hand.openings)
    let compared = prediction.compare(
      Array(rows.dropLast()), of: LaunchSchedule([]), policy: "never")
    #expect(compared?.difference?.column == "row")
    #expect(compared?.difference?.measured == "none")
    #expect(compared?.rows == 7)
  }

  @Test("a schedule needs the run of each of its compactions")
  func missingRun() {
    let hand = HandMadeCell()
    let prediction = RowPrediction([0: hand.rows([]).rows], hand.openings)
    #expect(
      prediction.compare(hand.rows([3]).rows, of: LaunchSchedule([3]), policy: "at 3") == nil)
  }

  @Test("a launch without rows has no time, and the launch before it lasts until the next row")
  func launchWithoutRows() {
    let (rows, events) = HandMadeCell().rows([])
    let launches = RunLaunches.figures(
      rows.filter { $0.observation.launch != 2 }, events, Openings(launches: 4))
    #expect(launches[1].time == .zero)
    #expect(launches[1].area == .zero)
    #expect(launches[0].time == VirtualTime(microseconds: 6 * Self.hour))
  }

  @Test("of several files, some compacted and some not are a partial compaction")
  func severalFiles() {
    let (rows, events) = HandMadeCell().rows([3])
    var other = events[1]
    #expect(other.launch == 3)
    other.event.outcome = .declined
    let launches = RunLaunches.figures(rows, events + [other], Openings(launches: 4))
    #expect(launches[2].compaction == .partial)
    let run = ScheduleRun(
      policy: "files", purpose: .policy, isAutomatic: false, launches: launches)
    #expect(run.schedule == nil)
  }

  @Test(
    "schedules in words and as conditions",
    arguments: [
      ([], "no launch", "launch == 0"), ([5], "launch 5", "launch == 5"),
      ([3, 2], "launches 2, 3", "launch >= 2 && launch <= 3"),
      (
        [2, 4, 5, 6, 9], "launches 2, 4 to 6, 9",
        "launch == 2 || launch >= 4 && launch <= 6 || launch == 9"
      ),
    ])
  func words(launches: [Int], words: String, condition: String) {
    #expect(LaunchSchedule(launches).words == words)
    #expect(LaunchSchedule(launches).condition == condition)
  }
}
