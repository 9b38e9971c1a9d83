// How long the file may become, and who says so: the options, the address space of the process, or the format. A commit
// asks before it takes room, so that what does not fit is refused with nothing written.
import SystemIO

struct FileLimits {
  /// The longest logical length, a multiple of a page.
  let longest: Int
  private let file: any StorageFile
  private let code: StorageError.Code
  private let options: DatabaseOptions
  private let chosen: Int
  private let mapped: Int

  init(_ file: any StorageFile, _ options: DatabaseOptions) {
    self.file = file
    self.options = options
    // What is allowed is a length on disk, where an encrypted file is longer by its entries.
    chosen = options.maximumFileSize.map { file.logicalBytes(onDisk: $0) } ?? Int.max
    mapped = file.capacity
    longest = min(Self.pages(min(chosen, mapped)), Layout.maxFileSize)
    code = longest == Layout.maxFileSize ? .outOfSpace : .limitExceeded
  }

  /// Put into words only when somebody is told: a commit asks for the limits at each block.
  private var reason: String {
    if chosen <= min(mapped, Layout.maxFileSize) {
      return "maximumFileSize allows \(options.maximumFileSize ?? chosen)"
    }
    guard mapped < Layout.maxFileSize else { return "the format holds \(Layout.maxFileSize)" }
    return "the process has \(mapped) bytes of address space for it"
      + (options.maximumMappedBytes == nil ? "" : " (maximumMappedBytes)")
  }

  private static func pages(_ bytes: Int) -> Int { bytes & ~(Layout.pageSize - 1) }

  func exceeded(by size: Int) -> StorageError {
    StorageError(
      code,
      "The file would need \(size + file.encryptionOverhead(size)) bytes and \(reason). The commit was undone: make it smaller, "
        + "compact the file, or allow more.")
  }
}
