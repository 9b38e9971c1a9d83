// The memory in which the engine reads the file: the mapped file itself, or the decrypted units of an encrypted one.
import SystemIO

struct FileView {
  let start: UnsafeRawPointer
  /// The file that decrypts; nil for a plain file. The owner of the view retains the file.
  unowned(unsafe) let encryptedFile: EncryptedFile?

  init(_ file: any StorageFile) throws(SystemError) {
    start = try file.base
    encryptedFile = file as? EncryptedFile
  }

  /// A view of plain bytes in memory.
  init(plain start: UnsafeRawPointer) {
    self.start = start
    encryptedFile = nil
  }

  /// Decrypts a block or a piece of a record that `version` wrote, if the file is encrypted.
  @inline(__always)
  func makeReadable(_ offset: Int, _ size: Int, version: UInt64) throws(StorageError) {
    guard let encryptedFile else { return }
    try encryptedFile.decrypt(offset, size, version)
  }
}

extension StorageFile {
  /// Declares the version that the following writes belong to. With `keepingDecrypted: false` the written units are
  /// dropped from memory, since they will not be read soon.
  func begin(version: UInt64, keepingDecrypted: Bool = true) {
    (self as? EncryptedFile)?.beginVersion(version, keepingDecrypted: keepingDecrypted)
  }

  /// Discards what failed commits of newer versions wrote, so that it is not mistaken for the contents of a later
  /// commit with the same number.
  func discard(newerThan version: UInt64) {
    (self as? EncryptedFile)?.discardVersions(newerThan: version)
  }

  /// Returns the largest logical length of a file that takes at most `physical` bytes on disk.
  func logicalBytes(onDisk physical: Int) -> Int {
    (self as? EncryptedFile)?.layout.logical(physical) ?? physical
  }

  /// Returns the bytes that encryption adds to a copy of this logical length, which is a new file.
  func encryptionOverhead(ofCopy logical: Int) -> Int {
    self is EncryptedFile ? EncryptedLayout.adjacentEntries.physical(logical) - logical : 0
  }

  /// Returns the bytes that encryption adds to a file of this logical length.
  func encryptionOverhead(_ logical: Int) -> Int {
    (self as? EncryptedFile).map { $0.layout.physical(logical) - logical } ?? 0
  }
}
