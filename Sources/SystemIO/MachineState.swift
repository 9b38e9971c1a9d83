// What the machine does besides: its load, processor time that a host or a quota takes away, and the page cache. Where the
// system keeps no such number it is nil.

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The state of the machine at one moment. Counters run since the machine started.
package struct MachineState: Sendable, Equatable {
  /// Runnable and waiting threads, averaged over a minute.
  package var load: Double?
  /// Clock ticks of all processors: in total, at work, and taken by the host of a virtual machine.
  package var totalTicks: Int?
  package var busyTicks: Int?
  package var stolenTicks: Int?
  /// Microseconds in which a quota of the control group stopped the process; the largest of its group and those above.
  package var throttledMicroseconds: Int?
  /// How often processors were slowed down because of heat.
  package var heatThrottles: Int?
  /// Bytes of files in memory, and those of them that are to be written.
  package var cachedBytes: Int?
  package var dirtyBytes: Int?
  /// Bytes of files that are being written.
  package var writebackBytes: Int?
  /// Processor time of this process and of its children that have ended, in microseconds.
  package var ownMicroseconds: Int

  package init(ownMicroseconds: Int) { self.ownMicroseconds = ownMicroseconds }

  package static func current() -> MachineState {
    var state = MachineState(ownMicroseconds: own())
    #if os(Linux)
      func text(_ path: String) -> String { (try? FileSystem.readText(FilePath(path))) ?? "" }
      state.load = text("/proc/loadavg").split(separator: " ").first.flatMap { Double($0) }
      state.takeTicks(ofStat: text("/proc/stat"))
      state.takeMemory(ofMeminfo: text("/proc/meminfo"))
      state.throttledMicroseconds = groupFiles(ofGroups: text("/proc/self/cgroup"))
        .compactMap { throttledMicroseconds(ofGroup: text($0)) }.max()
      state.heatThrottles = heatThrottleCount { text($0) }
    #endif
    return state
  }

  private static func own() -> Int {
    #if os(Linux)
      let processes = [RUSAGE_SELF, RUSAGE_CHILDREN].map { Int32(truncatingIfNeeded: $0.rawValue) }
    #else
      let processes = [RUSAGE_SELF, RUSAGE_CHILDREN]
    #endif
    return processes.reduce(0) { sum, processes in
      var usage = rusage()
      guard getrusage(processes, &usage) == 0 else { return sum }
      return [usage.ru_utime, usage.ru_stime].reduce(sum) {
        $0 + Int($1.tv_sec) * 1_000_000 + Int($1.tv_usec)
      }
    }
  }

  /// Takes the ticks of all processors from the first line of `/proc/stat`: user, nice, system, idle, waiting for a disk,
  /// two kinds of interrupts, and stolen.
  package mutating func takeTicks(ofStat text: String) {
    guard let line = text.split(separator: "\n").first, line.hasPrefix("cpu ") else { return }
    let ticks = line.split(separator: " ").dropFirst().prefix(8).compactMap { Int($0) }
    guard ticks.count == 8 else { return }
    totalTicks = ticks.reduce(0, +)
    busyTicks = ticks[0] + ticks[1] + ticks[2] + ticks[5] + ticks[6]
    stolenTicks = ticks[7]
  }

  package mutating func takeMemory(ofMeminfo text: String) {
    func bytes(_ name: String) -> Int? {
      text.split(separator: "\n").first { $0.hasPrefix("\(name):") }
        .flatMap { $0.split(separator: " ").dropFirst().first }.flatMap { Int($0) }
        .map { $0 * 1024 }
    }
    cachedBytes = bytes("Cached")
    dirtyBytes = bytes("Dirty")
    writebackBytes = bytes("Writeback")
  }

  /// Returns the files in which the kernel accounts for the quotas of a process's groups and those above, by the text of
  /// its `cgroup` file: of the unified hierarchy, and of the earlier one for processors.
  package static func groupFiles(ofGroups text: String) -> [String] {
    text.split(separator: "\n").flatMap { line -> [String] in
      let parts = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
      guard parts.count == 3 else { return [] }
      let controllers = parts[1].split(separator: ",")
      guard controllers.isEmpty || controllers.contains("cpu") else { return [] }
      let root = controllers.isEmpty ? "/sys/fs/cgroup" : "/sys/fs/cgroup/cpu"
      let names = parts[2].split(separator: "/")
      return (0...names.count).map { count in
        ([root] + names.prefix(count).map(String.init) + ["cpu.stat"]).joined(separator: "/")
      }
    }
  }

  /// Returns the time in a group's `cpu.stat`, which the unified hierarchy has in microseconds and the earlier one in
  /// nanoseconds.
  package static func throttledMicroseconds(ofGroup text: String) -> Int? {
    for line in text.split(separator: "\n") {
      let words = line.split(separator: " ")
      guard words.count == 2, let number = Int(words[1]) else { continue }
      if words[0] == "throttled_usec" { return number }
      if words[0] == "throttled_time" { return number / 1000 }
    }
    return nil
  }

  private static func heatThrottleCount(_ text: (String) -> String) -> Int? {
    let counts = (0..<Machine.current().processorCount).compactMap { number in
      let file = "/sys/devices/system/cpu/cpu\(number)/thermal_throttle/core_throttle_count"
      return Int(text(file).filter { $0 != "\n" })
    }
    return counts.isEmpty ? nil : counts.reduce(0, +)
  }
}
