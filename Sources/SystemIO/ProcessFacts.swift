// Facts about any process of this machine, by its id. Ids are used again, so a process is its id and when it began.

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A process, of which the id alone would be ambiguous after its end.
package struct ProcessFacts: Sendable, Equatable {
  package let id: Int32
  /// The start time of the process in the system's unit (Linux: ticks since the machine's start); 0 if unknown.
  package let began: UInt64
  /// Stopped by a signal or a debugger: it runs nothing until it is continued.
  package let isSuspended: Bool

  package static var currentID: Int32 { getpid() }

  /// This process. A child that a program forks is another one.
  package static var current: ProcessFacts? {
    guard let first, first.id == getpid() else { return ProcessFacts(of: getpid()) }
    return first
  }

  /// Read once, since each opening of a database needs it and reading it takes six system calls.
  private static let first = ProcessFacts(of: getpid())

  /// The process of this id as it is now; nil where there is none, or the system does not show it.
  package init?(of id: Int32) {
    #if os(Linux)
      guard let text = try? FileSystem.readText(FilePath("/proc/\(id)/stat")) else { return nil }
      // The name stands in parentheses and may hold any character, so what follows is counted from the last one.
      let words = text[(text.lastIndex(of: ")") ?? text.startIndex)...].split(separator: " ")
      guard words.count > 20, let began = UInt64(words[20]) else { return nil }
      self.began = began
      isSuspended = words[1] == "T" || words[1] == "t"
    #else
      var facts = proc_bsdinfo()
      let size = Int32(MemoryLayout<proc_bsdinfo>.size)
      guard proc_pidinfo(id, PROC_PIDTBSDINFO, 0, &facts, size) == size else { return nil }
      began = facts.pbi_start_tvsec * 1_000_000 + facts.pbi_start_tvusec
      isSuspended = facts.pbi_status == UInt32(SSTOP)
    #endif
    self.id = id
  }
}
