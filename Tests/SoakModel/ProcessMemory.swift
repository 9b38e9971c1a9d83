// The memory of another process, as the kernel adds it up from its page tables. Not `/proc/PID/status`: since Linux 6.2 its
// numbers are sums of counters that each processor keeps for itself, up to 64 pages a processor away from the truth, which
// is more than what is looked for here.
import SystemIO

/// What a process has in memory at one moment; sizes in bytes.
package struct ProcessMemory: Sendable, Equatable {
  /// All of it, pages of mapped files included: those come with reading, and the system takes them when it likes. They are
  /// the file's, so a database that is read ever more shows more of them although nothing leaks.
  package var resident: Int
  /// The same, each page divided by the number of mappings that it is in (proportional set size, proc(5)). An engine whose
  /// sessions map a file each has a resident set that goes up and down by the file with each that closes or opens.
  package var proportional: Int
  /// Pages that only this process can give back: heap, stacks, changed copies of private pages. A leak is here.
  package var anonymous: Int
  /// The number of mappings: one that is left behind shares its pages with those in use.
  package var mappings: Int

  /// nil where there is no such process any more, or no such file on this platform.
  package init?(of process: Int32) {
    guard let text = try? FileSystem.readText(FilePath("/proc/\(process)/smaps_rollup")),
      let maps = try? FileSystem.readText(FilePath("/proc/\(process)/maps"))
    else { return nil }
    func bytes(_ name: String) -> Int? {
      for line in text.split(separator: "\n") where line.hasPrefix(name) {
        return line.split(separator: " ").dropFirst().first.flatMap { Int($0) }.map { $0 * 1024 }
      }
      return nil
    }
    guard let resident = bytes("Rss:"), let proportional = bytes("Pss:"),
      let anonymous = bytes("Anonymous:")
    else { return nil }
    self.resident = resident
    self.proportional = proportional
    self.anonymous = anonymous
    mappings = maps.split(separator: "\n").count
  }
}
