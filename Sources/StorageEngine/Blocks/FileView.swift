// The file's bytes as the engine looks at them: where they begin, and who decrypts them where they are encrypted.
import SystemIO

struct FileView {
  let start: UnsafeRawPointer
  /// nil for a plain file. Whoever has a view keeps the file.
  unowned(unsafe) let encryptedFile: EncryptedFile?

  init(_ file: any StorageFile) throws(SystemError) {
    start = try file.base
    encryptedFile = file as? EncryptedFile
  }

  /// Plain bytes in memory.
  init(plain start: UnsafeRawPointer) {
    self.start = start
    encryptedFile = nil
  }

  /// Makes a block, or a piece of a record, of that version readable.
  @inline(__always)
  func makeReadable(_ offset: Int, _ size: Int, version: UInt64) throws(StorageError) {
    guard let encryptedFile else { return }
    try encryptedFile.decrypt(offset, size, version)
  }
}

extension CommitSlot {
  /// The slot as it is in the file now: another process may have written it since the file was opened.
  init?(_ view: FileView, at offset: Int) {
    guard let encryptedFile = view.encryptedFile else {
      self.init(view.start, at: offset)
      return
    }
    let slot = withUnsafeTemporaryAllocation(byteCount: Self.size, alignment: 8) { bytes in
      encryptedFile.readSealed(at: offset, into: bytes)
        ? CommitSlot(UnsafeRawPointer(bytes.baseAddress!) - offset, at: offset) : nil
    }
    guard let slot else { return nil }
    self = slot
  }
}

extension CleanMark {
  static func isSet(_ view: FileView, for version: UInt64) -> Bool {
    isSet(view.start, for: version)
  }
}

extension StorageFile {
  /// What is written from now on belongs to this version. Without `keeping`, nobody reads it back soon.
  func begin(version: UInt64, keepingDecrypted: Bool = true) {
    (self as? EncryptedFile)?.beginVersion(version, keepingDecrypted: keepingDecrypted)
  }

  /// What newer versions than this wrote came to nothing: it is not taken for what another commit of the same number
  /// will write.
  func discard(newerThan version: UInt64) {
    (self as? EncryptedFile)?.discardVersions(newerThan: version)
  }

  /// The longest logical length that takes no more than this of the disk.
  func logicalBytes(onDisk physical: Int) -> Int {
    self is EncryptedFile ? EncryptedLayout.logical(physical) : physical
  }

  /// Bytes of the file that are there only because it is encrypted, for a logical length.
  func encryptionOverhead(_ logical: Int) -> Int {
    self is EncryptedFile ? EncryptedLayout.physical(logical) - logical : 0
  }
}
