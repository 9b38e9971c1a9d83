// The memory of another process, as the kernel adds it up from its page tables. Not `/proc/PID/status`: since Linux 6.2 its
// numbers are sums of counters that each processor keeps for itself, up to 64 pages a processor away from the truth, which
// is more than what is looked for here.
import SystemIO

/// What a process has in memory at one moment, in bytes.
package struct ProcessMemory: Sendable, Equatable {
  /// All of it, pages of mapped files included: those come with reading, and the system takes them when it likes. They are
  /// the file's, so a database that is read ever more shows more of them although nothing leaks.
  package var resident: Int
  /// Pages that only this process can give back: heap, stacks, changed copies of private pages. A leak is here.
  package var anonymous: Int

  /// nil where there is no such process any more, or no such file on this platform.
  package init?(of process: Int32) {
    guard let text = try? FileSystem.readText(FilePath("/proc/\(process)/smaps_rollup")) else {
      return nil
    }
    func bytes(_ name: String) -> Int? {
      for line in text.split(separator: "\n") where line.hasPrefix(name) {
        return line.split(separator: " ").dropFirst().first.flatMap { Int($0) }.map { $0 * 1024 }
      }
      return nil
    }
    guard let resident = bytes("Rss:"), let anonymous = bytes("Anonymous:") else { return nil }
    self.resident = resident
    self.anonymous = anonymous
  }
}
