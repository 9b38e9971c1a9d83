// The maximum length of the file, set by the options, the address space of the process, or the format. A commit checks
// it before it allocates, so that a commit that does not fit fails with nothing written.
import SystemIO

struct FileLimits {
  /// The maximum logical length, a multiple of the page size.
  let maxSize: Int
  private let file: any StorageFile
  private let code: StorageError.Code
  private let options: DatabaseOptions
  private let optionLimit: Int
  private let addressSpaceLimit: Int

  init(_ file: any StorageFile, _ options: DatabaseOptions) {
    self.file = file
    self.options = options
    // The option limits the length on disk, where an encrypted file is longer by its entries.
    optionLimit = options.maximumFileSize.map { file.logicalBytes(onDisk: $0) } ?? Int.max
    addressSpaceLimit = file.capacity
    maxSize = min(Self.pages(min(optionLimit, addressSpaceLimit)), Layout.maxFileSize)
    code = maxSize == Layout.maxFileSize ? .outOfSpace : .limitExceeded
  }

  /// Computed only for an error, since a commit checks the limits at each block.
  private var reason: String {
    if optionLimit <= min(addressSpaceLimit, Layout.maxFileSize) {
      return "maximumFileSize allows \(options.maximumFileSize ?? optionLimit)"
    }
    guard addressSpaceLimit < Layout.maxFileSize else {
      return "the format holds \(Layout.maxFileSize)"
    }
    return "the process has \(addressSpaceLimit) bytes of address space for it"
      + (options.maximumMappedBytes == nil ? "" : " (maximumMappedBytes)")
  }

  private static func pages(_ bytes: Int) -> Int { bytes & ~(Layout.pageSize - 1) }

  /// The bytes in free pages that a commit leaves below the limit if it makes live data larger. A deletion copies blocks before
  /// it frees any, so without them a full file could never be emptied. (btrfs and ZFS reserve space for the same reason.)
  var deletionReserve: Int {
    guard code == .limitExceeded else { return 0 }
    return Self.pages(min(maxSize / 8, max(Self.minReserve, maxSize / 32)))
  }

  private static let minReserve = 64 << 10

  func exceeded(by size: Int) -> StorageError {
    StorageError(
      code,
      "The file would need \(size + file.encryptionOverhead(size)) bytes and \(reason). The commit was rolled back: "
        + "make it smaller, compact the file, or raise the limit.")
  }

  /// The error of a commit that makes live data larger and leaves only `free` bytes.
  func reserveExceeded(leaving free: Int) -> StorageError {
    StorageError(
      code,
      "The commit would leave \(free) bytes in free pages, \(reason), and \(deletionReserve) are reserved for "
        + "deletions. It was rolled back: delete rows first, make it smaller, compact the file, or raise the limit."
    )
  }
}
