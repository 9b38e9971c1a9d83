// Whole files in one call. A write is atomic and durable: readers see the old bytes or the new ones, also after a
// power cut, because the bytes are synced under another name before the rename and the folder after it.

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

extension FileSystem {
  /// More than any file that is read as a whole should have: 1 GiB.
  package static let largestRead = 1 << 30

  /// All bytes of a regular file; an error where there are more than `largestRead`.
  package static func read(_ path: FilePath) throws(SystemError) -> [UInt8] {
    let bytes = try read(path, atMost: largestRead + 1)
    guard bytes.count <= largestRead else {
      throw SystemError(
        code: EFBIG, call: "read", path: path.string,
        explanation: "this is larger than 1 GiB, and too large to be read as a whole")
    }
    return bytes
  }

  /// The first bytes of a regular file, `count` at most.
  package static func read(_ path: FilePath, atMost count: Int) throws(SystemError) -> [UInt8] {
    let descriptor = try RegularFile.open(path, O_RDONLY)
    defer { close(descriptor) }
    var facts = stat()
    guard fstat(descriptor, &facts) == 0 else { throw .last("fstat", path) }
    var bytes: [UInt8] = []
    // A sparse file may claim more than there is memory for.
    bytes.reserveCapacity(min(Int(facts.st_size), count, 1 << 26))
    // Of the files in /proc, which have no size, most are short.
    var piece = [UInt8](repeating: 0, count: facts.st_size == 0 ? 1 << 12 : 1 << 16)
    while bytes.count < count {
      let wanted = min(piece.count, count - bytes.count)
      let found = piece.withUnsafeMutableBytes {
        systemRead(descriptor, UnsafeMutableRawBufferPointer(rebasing: $0[..<wanted]))
      }
      guard found >= 0 else { throw .last("read", path) }
      if found == 0 { break }
      bytes.append(contentsOf: piece[..<found])
    }
    return bytes
  }

  /// All text of a regular file; bytes that are not UTF-8 become U+FFFD.
  package static func readText(_ path: FilePath) throws(SystemError) -> String {
    String(decoding: try read(path), as: UTF8.self)
  }

  /// Makes or replaces a file, atomically and durably; what is a device or a pipe is written to. What replaces a file has
  /// its access rights, as far as this process may give them.
  package static func write(_ bytes: [UInt8], to path: FilePath) throws(SystemError) {
    guard let name = path.lastComponent?.string else {
      throw SystemError(code: EINVAL, call: "open", path: path.string)
    }
    guard !isStream(path) else { return try writeThrough(bytes, path) }
    let folder = path.removingLastComponent()
    let draft = folder.appending(".\(name).\(getpid()).draft")
    do throws(SystemError) {
      try writeAndSync(bytes, draft, replacing: exists(path) ? path : nil)
      try rename(draft, to: path)
      try syncFolder(folder)
    } catch {
      unlink(draft.string)
      // The draft is gone, and its name means nothing to a user.
      throw error.path == draft.string
        ? SystemError(code: error.code, call: error.call, path: path.string) : error
    }
  }

  /// Makes or replaces a file with this text, atomically and durably.
  package static func write(text: String, to path: FilePath) throws(SystemError) {
    try write(Array(text.utf8), to: path)
  }

  private static func writeAndSync(
    _ bytes: [UInt8], _ path: FilePath, replacing original: FilePath?
  ) throws(SystemError) {
    // A draft that was left behind, or a link that waits under its name, is no file to write into.
    unlink(path.string)
    let mode: mode_t = original == nil ? 0o666 : 0o600
    let descriptor = open(path.string, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
    guard descriptor >= 0 else { throw .last("open", path) }
    defer { close(descriptor) }
    try writeAll(bytes, to: descriptor, path)
    if let original {
      do throws(SystemError) {
        try inheritAccess(of: original, descriptor: descriptor, path, as: .copy)
      } catch {
        // A link that leads nowhere, or a file removed meanwhile.
        guard error.isNotFound else { throw error }
      }
    }
    guard fsync(descriptor) == 0 else { throw .last("fsync", path) }
  }

  private static func writeAll(
    _ bytes: [UInt8], to descriptor: Int32, _ path: FilePath
  ) throws(SystemError) {
    var done = 0
    while done < bytes.count {
      let count = bytes.withUnsafeBytes {
        systemWrite(descriptor, UnsafeRawBufferPointer(rebasing: $0[done...]))
      }
      guard count >= 0 else { throw .last("write", path) }
      done += count
    }
  }

  /// Whether a path names a device, a pipe or a stream of this process, such as `/dev/stdout`: what must not be replaced
  /// by a file of its name, which root could do.
  private static func isStream(_ path: FilePath) -> Bool {
    let folder = path.removingLastComponent()
    if ["/dev", "/dev/fd"].contains(folder) || path.starts(with: "/proc") { return true }
    var facts = stat()
    guard stat(path.string, &facts) == 0 else { return false }
    return ![S_IFREG, S_IFDIR].contains(facts.st_mode & S_IFMT)
  }

  /// Writes to what is there already. A pipe without a reader is an error, not a wait for one.
  private static func writeThrough(
    _ bytes: [UInt8], _ path: FilePath
  ) throws(SystemError) {
    let descriptor = open(path.string, O_WRONLY | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { throw .last("open", path) }
    defer { close(descriptor) }
    // With a reader there it may wait again, until all is written.
    guard fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) & ~O_NONBLOCK) == 0 else {
      throw .last("fcntl", path)
    }
    try writeAll(bytes, to: descriptor, path)
  }

  /// Makes the names in a folder durable. An empty path, the folder of a bare name, is the current folder.
  package static func syncFolder(_ folder: FilePath) throws(SystemError) {
    let folder = folder.isEmpty ? "." : folder
    let descriptor = open(folder.string, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .last("open", folder) }
    defer { close(descriptor) }
    // Some file systems cannot sync a folder and return EINVAL: there is nothing more to ask of them.
    guard fsync(descriptor) == 0 || errno == EINVAL else { throw .last("fsync", folder) }
  }
}

/// `read`, tried again when a signal came between.
func systemRead(_ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
  while true {
    let count = read(descriptor, buffer.baseAddress, buffer.count)
    if count >= 0 || errno != EINTR { return count }
  }
}

/// `write`, tried again when a signal came between.
func systemWrite(_ descriptor: Int32, _ buffer: UnsafeRawBufferPointer) -> Int {
  while true {
    let count = write(descriptor, buffer.baseAddress, buffer.count)
    if count >= 0 || errno != EINTR { return count }
  }
}
