// How the C library's heap is set in the processes of a soak, so that it retains little of what was freed.
//
// With the defaults of glibc 2.36 each thread caches up to seven freed pieces of each of 64 sizes, 234 KB in all. They fill
// over hours, as a thread meets one size after the other. The free end of each heap is retained up to a limit that grows with
// the largest block that was ever unmapped, and a heap grows by 128 KiB at once. All this is bounded, but with 24 threads, a
// heap each, it looks like a leak for hours. Fragments between pieces in use still count.
// Source: "Memory Allocation Tunables" in the GNU C Library manual. Docs/Testing.md has what was measured.

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

package enum HeapSettings {
  package static let variable = "GLIBC_TUNABLES"
  package static let value =
    "glibc.malloc.tcache_count=0:glibc.malloc.trim_threshold=65536:glibc.malloc.top_pad=0"

  /// The value that this process was started with.
  static var inherited: String? { getenv(variable).map { String(cString: $0) } }

  /// Returns what changes in the environment of a process of a soak. A value that a user has set stands: with an empty one
  /// the soak has the C library's defaults.
  package static func environment(inherited: String?) -> [String: String?] {
    inherited == nil ? [variable: value] : [:]
  }
}
