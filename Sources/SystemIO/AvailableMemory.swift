// How much memory a process can still have: what the machine has left, and what the control groups of the process leave it.

/// The bytes of memory that can be used without taking any from other programs.
package enum AvailableMemory {
  /// The least of what the machine and each control group have left; nil where the system does not report it.
  package static func current() -> Int? {
    #if os(Linux)
      func text(_ path: String) -> String { (try? FileSystem.readText(FilePath(path))) ?? "" }
      let groups = groupFolders(ofGroups: text("/proc/self/cgroup")).map { folder in
        bytes(
          ofGroupMax: text(folder + "/memory.max"), current: text(folder + "/memory.current"),
          stat: text(folder + "/memory.stat"))
      }
      return ([bytes(ofMeminfo: text("/proc/meminfo"))] + groups).compactMap { $0 }.min()
    #else
      return nil
    #endif
  }

  /// Returns what `/proc/meminfo` calls available: free memory, and caches that can be given up.
  package static func bytes(ofMeminfo text: String) -> Int? {
    number("MemAvailable:", in: text).map { $0 * 1024 }
  }

  /// Returns what a control group has left below its limit, files that can be given up included; nil without a limit.
  package static func bytes(ofGroupMax limit: String, current: String, stat: String) -> Int? {
    guard let limit = Int(limit.filter { $0 != "\n" }),
      let used = Int(current.filter { $0 != "\n" })
    else { return nil }
    return max(0, limit - used + (number("inactive_file", in: stat) ?? 0))
  }

  /// Returns the folders of a process's group in the unified hierarchy and of those above it, by the text of its `cgroup`
  /// file.
  package static func groupFolders(ofGroups text: String) -> [String] {
    guard let line = text.split(separator: "\n").first(where: { $0.hasPrefix("0::") }) else {
      return []
    }
    let names = line.dropFirst(3).split(separator: "/").map(String.init)
    return (0...names.count).map { count in
      (["/sys/fs/cgroup"] + names.prefix(count)).joined(separator: "/")
    }
  }

  private static func number(_ name: String, in text: String) -> Int? {
    for line in text.split(separator: "\n") {
      let words = line.split(separator: " ")
      if words.count > 1, words[0] == name { return Int(words[1]) }
    }
    return nil
  }
}
