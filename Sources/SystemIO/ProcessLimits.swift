// What the system lets this process have: descriptors and addresses.
import CPlatform

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

package enum ProcessLimits {
  #if canImport(Glibc)
    private static let openFiles = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    private static let addresses = __rlimit_resource_t(RLIMIT_AS.rawValue)
  #else
    private static let openFiles = RLIMIT_NOFILE
    private static let addresses = RLIMIT_AS
  #endif

  /// Lets this process and those that it starts have so many descriptors open at once, as far as the hard limit allows.
  /// Returns how many that is. A limit that is enough already stays as it is.
  package static func raiseOpenFiles(to needed: Int) -> Int {
    var limit = rlimit()
    guard getrlimit(openFiles, &limit) == 0 else { return needed }
    if limit.rlim_cur < needed, limit.rlim_max > limit.rlim_cur {
      limit.rlim_cur = min(rlim_t(needed), limit.rlim_max)
      // Refused, the limit is what it was.
      setrlimit(openFiles, &limit)
      getrlimit(openFiles, &limit)
    }
    return Int(clamping: limit.rlim_cur)
  }

  /// The descriptors that are open now beside the standard streams: at the start of a program, those that it was given.
  package static var openFileCount: Int {
    // One of them is the folder's own.
    let names = (try? FileSystem.list("/dev/fd"))?.compactMap { Int($0) } ?? []
    return max(0, names.count { $0 > 2 } - 1)
  }

  /// The bytes of addresses that this process may map; nil where there is no limit.
  package static var addressBytes: Int? {
    var limit = rlimit()
    guard getrlimit(addresses, &limit) == 0, limit.rlim_cur != rlim_t.max else { return nil }
    return Int(clamping: limit.rlim_cur)
  }

  /// Has the threads of this process share one heap where its addresses are limited; to be called before the first thread
  /// starts. Otherwise each maps 64 MiB for its own, and how many live at once depends on the machine's load.
  package static func saveAddresses() {
    if addressBytes != nil { cplatform_use_one_heap() }
  }
}
