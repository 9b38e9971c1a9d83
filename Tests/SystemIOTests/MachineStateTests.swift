// What the kernel's files say of the machine, read from text as they have it.
import SystemIO
import Testing

@Suite("The state of the machine")
struct MachineStateTests {
  @Test("ticks are taken from the line of all processors, and steal is neither work nor idle time")
  func ticks() {
    var state = MachineState(ownMicroseconds: 0)
    state.takeTicks(ofStat: "cpu  100 20 30 400 50 6 7 80 9 10\ncpu0 1 2 3 4 5 6 7 8 9 10\n")
    #expect(state.totalTicks == 693 && state.busyTicks == 163 && state.stolenTicks == 80)
    var empty = MachineState(ownMicroseconds: 0)
    for text in ["", "cpu0 1 2 3 4 5 6 7 8", "cpu  1 2 x"] { empty.takeTicks(ofStat: text) }
    #expect(empty == MachineState(ownMicroseconds: 0))
  }

  @Test("the page cache is in kilobytes, and a number that is missing is none")
  func memory() {
    var state = MachineState(ownMicroseconds: 0)
    state.takeMemory(ofMeminfo: "MemTotal: 9 kB\nCached:   4901200 kB\nSwapCached: 1 kB\n")
    #expect(state.cachedBytes == 4_901_200 * 1024 && state.dirtyBytes == nil)
  }

  @Test("a quota counts wherever it is: in the process's group or above it, in either hierarchy")
  func groups() {
    #expect(
      MachineState.groupFiles(ofGroups: "0::/a/b\n") == [
        "/sys/fs/cgroup/cpu.stat", "/sys/fs/cgroup/a/cpu.stat", "/sys/fs/cgroup/a/b/cpu.stat",
      ])
    #expect(
      MachineState.groupFiles(ofGroups: "4:memory:/x\n1:cpu,cpuacct:/\nnonsense\n") == [
        "/sys/fs/cgroup/cpu/cpu.stat"
      ])
    #expect(
      MachineState.throttledMicroseconds(ofGroup: "nr_periods 4\nthrottled_usec 1234\n") == 1234)
    #expect(MachineState.throttledMicroseconds(ofGroup: "throttled_time 5000000\n") == 5000)
    #expect(MachineState.throttledMicroseconds(ofGroup: "usage_usec 7\n") == nil)
  }

  @Test("the machine that runs this test has a state, and its counters never fall")
  func current() {
    let first = MachineState.current()
    let second = MachineState.current()
    #expect(second.ownMicroseconds >= first.ownMicroseconds && first.ownMicroseconds > 0)
    #if os(Linux)
      #expect((second.totalTicks ?? 0) >= (first.totalTicks ?? 1))
    #endif
  }
}
