// What this process has used. Where the platform keeps no such number, it is nil: never a zero that reads like a
// measurement. Numbers are the whole process's own, so what is compared runs in processes of its own.

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Counters of the running process.
package enum ProcessMetrics {
  /// Memory in use.
  package struct Memory: Sendable, Equatable {
    /// Bytes resident now; mapped file pages count while they are resident.
    package let residentBytes: Int?
    /// The most bytes that were ever resident.
    package let peakResidentBytes: Int?
    /// What of the resident bytes are pages of mapped files.
    package let residentFileBytes: Int?
    /// Addresses that are mapped, resident or not.
    package let mappedBytes: Int?
  }

  /// Bytes written since the process began.
  package struct Writing: Sendable, Equatable {
    /// Bytes handed to `write` and its kin; stores through a mapping are not among them.
    package let requestedBytes: Int
    /// Bytes that this process caused to be sent to storage, counted in pages when they become dirty.
    package let storageBytes: Int
  }

  package static func memory() -> Memory {
    #if os(Linux)
      let status = fields(of: "/proc/self/status")
      return Memory(
        residentBytes: status["VmRSS"].map { $0 * 1024 },
        peakResidentBytes: status["VmHWM"].map { $0 * 1024 },
        residentFileBytes: status["RssFile"].map { ($0 + (status["RssShmem"] ?? 0)) * 1024 },
        mappedBytes: status["VmSize"].map { $0 * 1024 })
    #else
      var usage = rusage()
      getrusage(RUSAGE_SELF, &usage)
      return Memory(
        residentBytes: nil, peakResidentBytes: Int(usage.ru_maxrss), residentFileBytes: nil,
        mappedBytes: nil)
    #endif
  }

  /// nil where the platform does not count (`/proc/self/io` absent or closed to us).
  package static func writing() -> Writing? {
    let counters = fields(of: "/proc/self/io")
    guard let requested = counters["wchar"], let stored = counters["write_bytes"] else {
      return nil
    }
    return Writing(requestedBytes: requested, storageBytes: stored)
  }

  /// The file that this process runs.
  package static func executablePath() throws(SystemError) -> FilePath {
    var buffer = [CChar](repeating: 0, count: 4096)
    #if os(Linux)
      let length = readlink("/proc/self/exe", &buffer, buffer.count - 1)
      guard length > 0 else { throw .last("readlink", "/proc/self/exe") }
    #else
      var room = UInt32(buffer.count)
      guard _NSGetExecutablePath(&buffer, &room) == 0 else {
        throw SystemError(code: ENAMETOOLONG, call: "_NSGetExecutablePath")
      }
    #endif
    return buffer.withUnsafeBufferPointer { FilePath(platformString: $0.baseAddress!) }
  }

  /// Lines such as `VmRSS:   1234 kB` as numbers by name; lines of another form are left out.
  private static func fields(of path: FilePath) -> [String: Int] {
    guard let text = try? FileSystem.readText(path) else { return [:] }
    var numbers: [String: Int] = [:]
    for line in text.split(separator: "\n") {
      let parts = line.split(separator: ":", maxSplits: 1)
      let words = parts.last?.split { $0 == " " || $0 == "\t" } ?? []
      if parts.count == 2, let number = words.first.flatMap({ Int($0) }) {
        numbers[String(parts[0])] = number
      }
    }
    return numbers
  }
}
