// Moments in the background among launches: their numbers, their names, and the division of a run by them.
import LaunchSchedules
import MetricModel
import Objective
import RecordModel
import Testing

@Suite("Openings")
struct OpeningTests {
  private static let openings = Openings(launches: 4, moments: [.idle, .charging])

  @Test("launches and moments are numbered in their order")
  func numbers() {
    let openings = Self.openings
    #expect(openings.count == 10)
    #expect(
      openings.kinds == [
        nil, .idle, .charging, nil, .idle, .charging, nil, .idle, .charging, nil,
      ])
    #expect(openings.number(launch: 1, phase: "open") == 1)
    #expect(openings.number(launch: 1, phase: "charging") == 3)
    #expect(openings.number(launch: 2, phase: "work") == 4)
    #expect(openings.number(launch: 4, phase: "work") == 10)
    #expect(Openings(launches: 3).count == 3)
    #expect(Openings(launches: 3).number(launch: 3, phase: "idle") == 3)
  }

  @Test(
    "schedules in words and in tables",
    arguments: [
      ([], "at no launch", "none"), ([4], "at launch 2", "2"),
      ([4, 7, 10], "at launches 2 to 4", "2 to 4"),
      ([3], "while charging before launch 2", "charging before 2"),
      (
        [2, 3, 4, 6, 9],
        "at launch 2, while idle before launch 2, while charging before launches 2 to 4",
        "2; idle before 2; charging before 2 to 4"
      ),
    ])
  func words(_ schedule: [Int], places: String, numbers: String) {
    let names = OpeningNames(Self.openings)
    #expect(names.phrase(LaunchSchedule(schedule)) == places)
    #expect(names.numbers(LaunchSchedule(schedule)) == numbers)
  }

  @Test("an opening alone")
  func alone() {
    let names = OpeningNames(Self.openings)
    #expect((1...4).map(names.number) == ["1", "idle before 2", "charging before 2", "2"])
    #expect(names.phrase(4) == "at launch 2" && names.phrase(6) == "while charging before launch 3")
    #expect(names.label(6) == "charging before launch 3")
    #expect(names.moments == [.idle, .charging])
  }

  @Test("the bytes before a moment are those of the launch, the bytes from it on its own")
  func figures() {
    func row(_ launch: Int, _ phase: String, _ hour: Int, _ bytes: Int, rewritten: Int = 0)
      -> Sample
    {
      Sample(
        phase: phase,
        observation: Observation(
          time: VirtualTime(seconds: Double(hour) * 3600), launch: launch, commits: hour,
          space: SpaceUsage(file: ByteCount(bytes), live: nil, free: nil)),
        written: nil, compactions: rewritten > 0 ? 1 : 0, rewritten: ByteCount(rewritten))
    }
    let event = RunEvent(
      launch: 1, phase: "charging", commit: 1, time: .zero,
      event: CompactionEvent(
        kind: .onLaunch, outcome: .finished, reason: "isCharging", before: ByteCount(200),
        after: ByteCount(100), rewritten: ByteCount(90)))
    let rows = [
      row(1, "work", 0, 100), row(1, "work", 1, 200), row(1, "charging", 3, 100, rewritten: 90),
      row(2, "open", 8, 100, rewritten: 90), row(2, "work", 9, 150, rewritten: 90),
    ]
    let openings = Openings(launches: 2, moments: [.charging])
    let figures = RunLaunches.figures(rows, [event], openings)
    func hours(_ count: Int) -> VirtualTime { VirtualTime(seconds: Double(count) * 3600) }
    #expect(figures.map(\.moment) == [nil, .charging, nil])
    #expect(figures.map(\.time) == [hours(3), hours(5), hours(1)])
    #expect(figures[0].area == ByteTime(ByteCount(500), for: hours(1)))
    #expect(figures[1].area == ByteTime(ByteCount(500), for: hours(1)))
    #expect(figures.map(\.rewritten) == [.zero, ByteCount(90), .zero])
    #expect(figures.map(\.compaction) == [.none, .finished, .none])
    #expect(RunLaunches.reasons([event], openings) == [2: "isCharging"])
  }
}
