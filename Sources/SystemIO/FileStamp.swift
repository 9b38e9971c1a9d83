// The size and the time of the last change of a file: equal stamps, and the file is unchanged in all likelihood.

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

package struct FileStamp: Sendable, Equatable, CustomStringConvertible {
  package let bytes: Int
  /// Nanoseconds since 1970.
  package let changed: Int

  package init(of path: FilePath) throws(SystemError) {
    var facts = stat()
    guard stat(path.string, &facts) == 0 else { throw .last("stat", path) }
    bytes = Int(facts.st_size)
    #if canImport(Glibc)
      let time = facts.st_mtim
    #else
      let time = facts.st_mtimespec
    #endif
    changed = Int(time.tv_sec) * 1_000_000_000 + Int(time.tv_nsec)
  }

  /// `1048576 B of 1764806400.123456789`
  package var description: String {
    let (seconds, rest) = changed.quotientAndRemainder(dividingBy: 1_000_000_000)
    let digits = String(rest)
    return "\(bytes) B of \(seconds)." + String(repeating: "0", count: 9 - digits.count) + digits
  }
}
