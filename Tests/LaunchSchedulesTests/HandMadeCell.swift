// An engine whose compactions forget what was before them, as rows made by hand: sizes rise within each launch and fall back to
// the live bytes where it is compacted.
import LaunchSchedules
import MetricModel
import RecordModel

struct HandMadeCell {
  /// The live bytes, and the bytes by which waste grows, in each launch.
  var live = [100, 120, 80, 90]
  var waste = [40, 30, 60, 20]
  /// Bytes of waste that a compaction leaves behind if there was one before it: an engine that does not forget.
  var remembered = 0
  /// Free bytes that are live instead after a second compaction: a difference that no cost has.
  var shifted = 0
  /// Whether a launch takes a nanosecond a byte to open, and ten to compact.
  var isTimed = false

  var launchCount: Int { live.count }
  var openings: Openings { Openings(launches: launchCount) }

  /// A launch has two rows, an hour apart, and is followed by two hours without the app.
  func rows(_ schedule: [Int], asked: Bool = true) -> (rows: [Sample], events: [RunEvent]) {
    var (rows, events): ([Sample], [RunEvent]) = ([], [])
    var (free, compactions, rewritten) = (0, 0, 0)
    for launch in 1...launchCount {
      let own = live[launch - 1]
      let before = (launch == 1 ? own : live[launch - 2]) + free
      if launch > 1, asked {
        let compacts = schedule.contains(launch)
        if compacts {
          free = compactions > 0 ? remembered : 0
          compactions += 1
          rewritten += live[launch - 2]
        }
        events.append(event(launch, compacts, before, live[launch - 2] + free, live[launch - 2]))
      }
      for hour in 0...1 {
        if hour == 1 { free += waste[launch - 1] }
        rows.append(
          row(launch, hour, own, free, compactions, rewritten, compactions > 1 ? shifted : 0))
      }
    }
    return (rows, events)
  }

  private func event(
    _ launch: Int, _ compacts: Bool, _ before: Int, _ after: Int, _ used: Int
  ) -> RunEvent {
    RunEvent(
      launch: launch, phase: "open", commit: 0, time: .zero,
      event: CompactionEvent(
        kind: .onLaunch, outcome: compacts ? .finished : .declined,
        reason: "totalBytes \(before) B", before: ByteCount(before),
        after: ByteCount(compacts ? after : before), rewritten: .zero,
        callback: CallbackValues(totalBytes: ByteCount(before), usedBytes: ByteCount(used))))
  }

  private func row(
    _ launch: Int, _ hour: Int, _ live: Int, _ free: Int, _ compactions: Int, _ rewritten: Int,
    _ shifted: Int
  ) -> Sample {
    let space = SpaceUsage(
      file: ByteCount(live + free), live: ByteCount(live + shifted),
      free: ByteCount(free - shifted))
    let time = VirtualTime(seconds: Double(((launch - 1) * 3 + hour) * 3600))
    return Sample(
      phase: "work",
      observation: Observation(
        time: time, launch: launch, commits: launch * 10 + hour, space: space),
      written: ByteCount(rewritten + launch), compactions: compactions,
      rewritten: ByteCount(rewritten))
  }

  func run(
    _ name: String, _ schedule: [Int], _ purpose: ScheduleRun.Purpose, asked: Bool = true
  ) -> ScheduleRun {
    let (rows, events) = rows(schedule, asked: asked)
    var launches = RunLaunches.figures(rows, events, openings)
    for index in launches.indices where isTimed {
      launches[index].times = launches[index].before.map {
        LaunchTimes(compacting: 10 * $0.bytes, opening: $0.bytes)
      }
    }
    return ScheduleRun(
      policy: name, purpose: purpose, isAutomatic: false, launches: launches,
      reasons: RunLaunches.reasons(events, openings))
  }

  /// The launch matrix, and policies with their schedules.
  func cell(_ policies: [(String, [Int])] = [], checks: [[Int]] = []) -> OptimumCell {
    let launches = Array(2...launchCount)
    var runs = [run(LaunchMatrix.noLaunch, [], .matrix)]
    runs += launches.map { run("at launch \($0)", [$0], .matrix) }
    runs.append(run(LaunchMatrix.everyLaunch, launches, .matrix))
    runs += checks.map { run("at launches \($0)", $0, .check) }
    runs += policies.map { run($0.0, $0.1, .policy) }
    return OptimumCell(
      engine: "hand", arm: "default", runs: runs, renewal: renewal([launches] + checks))
  }

  private func renewal(_ schedules: [[Int]]) -> RenewalFinding {
    let singles = [[]] + (2...launchCount).map { [$0] }
    let prediction = RowPrediction(
      Dictionary(uniqueKeysWithValues: singles.map { ($0.first ?? 0, rows($0).rows) }),
      openings)
    var finding = RenewalFinding()
    for schedule in schedules {
      let compared = prediction.compare(
        rows(schedule).rows, of: LaunchSchedule(schedule), policy: "at \(schedule)")
      finding.schedules += 1
      if let compared { finding.add(compared) }
    }
    return finding
  }
}
