// Memory that was in use shortly before, held back while a job goes on. A virtual machine gives memory that is free for some
// seconds back to its host, and there the first write to a page costs up to ten times as much as to one that was just freed. A
// compaction at a launch of an app finds pages of both kinds; one that follows another finds those which that one has freed.
//
// It is held by pages of a sparse file, which the system can take back, and which come in pieces as large as those of the
// files that are written. Memory of a process would be taken from the small remains first.
import SystemIO

struct UsedMemory {
  let folder: FilePath
  private var files = 0

  init(in folder: FilePath) { self.folder = folder }

  /// What other jobs have freed.
  private static let otherBytes = 256_000_000
  /// A compaction frees the file, its copy, and a log or a buffer.
  private static let bytesPerFileByte = 4

  /// Holds back what compacting a file of this size has freed; less than that where memory is short.
  mutating func hold(after file: Int) throws {
    let bytes = file * Self.bytesPerFileByte + (files == 0 ? Self.otherBytes : 0)
    let allowed = (AvailableMemory.current() ?? .max) / 4
    try PageCache.fill(min(bytes, allowed), with: folder.appending("held-\(files)"))
    files += 1
  }
}
