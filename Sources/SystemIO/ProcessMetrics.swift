// What this process has used. Where the platform keeps no such number, it is nil: never a zero that reads like a
// measurement. Numbers are the whole process's own, so what is compared runs in processes of its own.

import Synchronization

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Counters of the running process.
package enum ProcessMetrics {
  /// Memory in use.
  package struct Memory: Sendable, Equatable {
    /// The bytes resident now; pages of mapped files count while they are resident.
    package let residentBytes: Int?
    /// The most bytes that were ever resident.
    package let peakResidentBytes: Int?
    /// The resident bytes that are pages of mapped files.
    package let residentFileBytes: Int?
    /// The resident bytes that belong to no file: heap and stacks.
    package let residentAnonymousBytes: Int?
    /// Addresses that are mapped, resident or not.
    package let mappedBytes: Int?
  }

  /// Bytes written since the process began.
  package struct Writing: Sendable, Equatable {
    /// The bytes passed to `write` and similar calls, and those that `SystemStorageFile` stored through a mapping. Stores
    /// through other mappings, such as a writable map of LMDB, are not included.
    package let requestedBytes: Int
    /// Bytes that this process caused to be sent to storage, counted in pages when they become dirty.
    package let storageBytes: Int
  }

  package static func memory() -> Memory {
    #if os(Linux)
      let kilobytes = numbers(
        of: "/proc/self/status", ["VmRSS", "VmHWM", "RssFile", "RssShmem", "VmSize", "RssAnon"]
      ).map { $0.map { $0 * 1024 } }
      return Memory(
        residentBytes: kilobytes[0], peakResidentBytes: kilobytes[1],
        residentFileBytes: kilobytes[2].map { $0 + (kilobytes[3] ?? 0) },
        residentAnonymousBytes: kilobytes[5], mappedBytes: kilobytes[4])
    #else
      var usage = rusage()
      getrusage(RUSAGE_SELF, &usage)
      return Memory(
        residentBytes: nil, peakResidentBytes: Int(usage.ru_maxrss), residentFileBytes: nil,
        residentAnonymousBytes: nil, mappedBytes: nil)
    #endif
  }

  /// Returns the bytes written by this process; nil if the platform does not count them (`/proc/self/io` is missing or
  /// unreadable).
  package static func writing() -> Writing? {
    let counters = numbers(of: "/proc/self/io", ["wchar", "write_bytes"])
    guard let requested = counters[0], let onDisk = counters[1] else { return nil }
    return Writing(
      requestedBytes: requested + storedBytes.load(ordering: .relaxed), storageBytes: onDisk)
  }

  /// The bytes that were stored through mappings, which the kernel does not count.
  private static let storedBytes = Atomic<Int>(0)

  static func noteStored(_ bytes: Int) { storedBytes.wrappingAdd(bytes, ordering: .relaxed) }

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

  /// The numbers of lines such as `VmRSS:   1234 kB`, by the names asked for; nil where there is no such line. Samples are
  /// taken often, so the bytes are looked through as they are.
  private static func numbers(of path: FilePath, _ names: [StaticString]) -> [Int?] {
    var found = [Int?](repeating: nil, count: names.count)
    let file = open(path.string, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return found }
    defer { close(file) }
    withUnsafeTemporaryAllocation(byteCount: 8192, alignment: 16) { buffer in
      let count = read(file, buffer.baseAddress, buffer.count)
      var text = buffer[..<max(0, count)]
      while !text.isEmpty {
        let line = text.prefix { $0 != UInt8(ascii: "\n") }
        for (index, name) in names.enumerated() where found[index] == nil {
          found[index] = number(in: line, after: name)
        }
        text = text.dropFirst(line.count + 1)
      }
    }
    return found
  }

  private static func number(
    in line: Slice<UnsafeMutableRawBufferPointer>, after name: StaticString
  ) -> Int? {
    let length = name.utf8CodeUnitCount
    guard line.count > length, line[line.startIndex + length] == UInt8(ascii: ":"),
      memcmp(line.base.baseAddress! + line.startIndex, name.utf8Start, length) == 0
    else { return nil }
    let digits = line.dropFirst(length + 1).drop { $0 == 0x20 || $0 == 0x09 }
      .prefix { 0x30...0x39 ~= $0 }
    return digits.isEmpty ? nil : digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
  }
}
