// What a run records of the machine, from planted texts of the kernel's files; and the disks in memory that it can spare.
import MetricModel
import RecordFixtures
import RecordModel
import SystemIO
import Testing
import WorkloadRunner

@testable import Experiments

@Suite("The machine while times are measured")
struct MachineWatchTests {
  /// A state by ticks of two processors' work, and by the other figures.
  private func state(
    user: Int, idle: Int, stolen: Int = 0, load: Double = 0, throttled: Int = 0, heat: Int = 0,
    dirty: Int = 0, writeback: Int = 0, own: Int = 0
  ) -> MachineState {
    var state = MachineState(ownMicroseconds: own)
    state.takeTicks(ofStat: "cpu  \(user) 0 0 \(idle) 0 0 0 \(stolen) 0 0\n")
    state.takeMemory(
      ofMeminfo: "Cached: 1000 kB\nDirty: \(dirty) kB\nWriteback: \(writeback) kB\n")
    state.load = load
    state.throttledMicroseconds = MachineState.throttledMicroseconds(
      ofGroup: "throttled_usec \(throttled)\n")
    state.heatThrottles = heat
    return state
  }

  @Test("steal, throttling and work of others are what came since the beginning")
  func differences() {
    var watch = MachineWatch(
      state(user: 1000, idle: 1000, stolen: 500, throttled: 7_000_000, heat: 3))
    // 1,000 ticks: 600 of work, 500 of it the run's own, 100 stolen.
    watch.observe(
      state(
        user: 1600, idle: 1300, stolen: 600, throttled: 7_250_000, heat: 5, own: 5_000_000))
    let seen = watch.conditions
    #expect(seen.steal == 0.1 && seen.others == 0.1)
    #expect(seen.throttledMilliseconds == 250 && seen.heatThrottles == 2)
    #expect(
      seen.disturbances { "\($0 * 100) %" } == [
        "the host took 10.0 % of processor time (steal)",
        "a quota stopped the run for 250 ms (throttling)",
        "processors were slowed down by heat 2 times (throttling)",
      ])
  }

  @Test("load, and pages to be written or being written, are the largest of all observations")
  func maxima() {
    var watch = MachineWatch(state(user: 0, idle: 0, load: 1, dirty: 10))
    watch.observe(state(user: 1, idle: 1, load: 9, dirty: 40, writeback: 5))
    watch.observe(state(user: 2, idle: 2, load: 3, dirty: 20, writeback: 2))
    let seen = watch.conditions
    #expect(seen.loadAtBegin == 1 && seen.maxLoad == 9)
    #expect(seen.maxDirty == ByteCount(40 * 1024) && seen.maxWriteback == ByteCount(5 * 1024))
  }

  @Test("a quiet machine has no disturbance, and a system that reports nothing has no figures")
  func quiet() {
    var watch = MachineWatch(state(user: 0, idle: 0))
    watch.observe(state(user: 500, idle: 500, own: 5_000_000))
    #expect(watch.conditions.others == 0)
    #expect(watch.conditions.disturbances { "\($0)" }.isEmpty)
    var blind = MachineWatch(MachineState(ownMicroseconds: 0))
    blind.observe(MachineState(ownMicroseconds: 9))
    #expect(blind.conditions == MachineConditions())
  }

  @Test(
    "a disk in memory has its share of a quarter, and a run that fills half of it is no measure")
  func memory() throws {
    let disk = MeasuredDisk.sharedMemory(among: 2, available: 800 << 20)
    #expect(disk.bytes == 100 << 20)
    #expect(MeasuredDisk.sharedMemory(among: 2, available: nil).bytes == nil)
    let record = try SyntheticRecord.make().record.cells.flatMap(\.repetitions)[0]
    var result = RepetitionResult(record: record, samples: [], timings: [])
    #expect(disk.isAmple(for: result))
    result.record.exact.peakDisk = ByteCount(50 << 20)
    #expect(disk.isAmple(for: result))
    result.record.exact.peakDisk = ByteCount(50 << 20 + 1)
    #expect(!disk.isAmple(for: result))
  }
}
