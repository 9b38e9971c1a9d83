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
      guard let maps = fopen("/proc/self/maps", "r") else { return }
      defer { fclose(maps) }
      // Line by line: a text of all mappings in the heap of each thread would be part of what is measured.
      withUnsafeTemporaryAllocation(of: CChar.self, capacity: 4200) { line in
        let start = line.baseAddress!
        while fgets(start, Int32(line.count), maps) != nil {
          var end: UnsafeMutablePointer<CChar>?
          guard strstr(start, folder.string) != nil else { continue }
          let from = strtoul(start, &end, 16)
          guard let end, end.pointee == CChar(UInt8(ascii: "-")) else { continue }
          let to = strtoul(end + 1, nil, 16)
          // It fails at the first page behind the end of the file, all before it being there by then.
          madvise(UnsafeMutableRawPointer(bitPattern: from), Int(to - from), populateForReading)
        }
      }
    #endif
  }

  /// `MADV_POPULATE_READ` of Linux, which older headers lack.
  private static let populateForReading: Int32 = 22
}
