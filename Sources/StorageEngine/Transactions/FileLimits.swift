// How long the file may become, and who says so: the options, the address space of the process, or the format. A commit
// asks before it takes room, so that what does not fit is refused with nothing written.
import SystemIO

struct FileLimits {
  /// The longest logical length, a multiple of a page.
  let longest: Int
  private let file: any StorageFile
  private let reason: String
  private let code: StorageError.Code

  init(_ file: any StorageFile, _ options: DatabaseOptions) {
    self.file = file
    // What is allowed is a length on disk, where an encrypted file is longer by its entries.
    let chosen = options.maximumFileSize.map { file.logicalBytes(onDisk: $0) } ?? Int.max
    let mapped = file.capacity
    if chosen <= min(mapped, Layout.longestFile) {
      (longest, code) = (Self.pages(chosen), .limitExceeded)
      reason = "maximumFileSize allows \(options.maximumFileSize ?? chosen)"
    } else if mapped < Layout.longestFile {
      (longest, code) = (Self.pages(mapped), .limitExceeded)
      reason =
        "the process has \(mapped) bytes of address space for it"
        + (options.maximumMappedBytes == nil ? "" : " (maximumMappedBytes)")
    } else {
      (longest, code) = (Layout.longestFile, .outOfSpace)
      reason = "the format holds \(Layout.longestFile)"
    }
  }

  private static func pages(_ bytes: Int) -> Int { bytes & ~(Layout.pageSize - 1) }

  func exceeded(by size: Int) -> StorageError {
    StorageError(
      code,
      "The file would need \(size + file.sealingBytes(size)) bytes and \(reason). The commit was undone: make it smaller, "
        + "compact the file, or allow more.")
  }
}
