// All pages of the mapped database in memory, before it is looked at how much memory there is. An engine that maps its file
// has as many of its pages as it happened to read since it opened, so that resident memory goes up and down by megabytes
// without anything being kept or given back, and a leak of one could hide in that.
import SystemIO

#if canImport(Glibc)
  import Glibc
#endif

enum MappedPages {
  /// Fetches all pages of this process's mappings of files in the folder, as far as the files go. Nothing where the system
  /// cannot (Linux before 5.14, or another one).
  static func makeResident(of folder: FilePath) {
    #if os(Linux)
      guard let maps = try? FileSystem.readText("/proc/self/maps") else { return }
      for line in maps.split(separator: "\n") where line.contains(folder.string) {
        let ends = line.prefix { $0 != " " }.split(separator: "-").map { UInt($0, radix: 16) }
        guard ends.count == 2, let from = ends[0], let to = ends[1] else { continue }
        // It fails at the first page behind the end of the file, all before it being there by then.
        madvise(UnsafeMutableRawPointer(bitPattern: from), Int(to - from), populateForReading)
      }
    #endif
  }

  /// `MADV_POPULATE_READ` of Linux, which older headers lack.
  private static let populateForReading: Int32 = 22
}
