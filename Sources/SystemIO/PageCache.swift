// Files and the operating system's page cache: which part of a file is in it, and dropping a file from it.

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Everything here opens and closes the file, as `FileSystem` does: never a file that an engine has open in this process.
package enum PageCache {
  /// Writes what of the file is not yet on disk and has the system drop the file from the cache. Pages stay that a process
  /// has mapped, and those of a file system in memory. Needs no privilege.
  ///
  /// - Throws: the system's error, `ENOTSUP` where the system cannot be asked.
  package static func drop(_ path: FilePath) throws(SystemError) {
    #if os(Linux)
      let descriptor = try open(path)
      defer { close(descriptor) }
      guard fdatasync(descriptor) == 0 else { throw .last("fdatasync", path) }
      let code = posix_fadvise(descriptor, 0, 0, POSIX_FADV_DONTNEED)
      guard code == 0 else {
        throw SystemError(code: code, call: "posix_fadvise", path: path.string)
      }
    #else
      throw SystemError(code: ENOTSUP, call: "posix_fadvise", path: path.string)
    #endif
  }

  /// Returns how many bytes of the file are in the cache, in whole pages.
  package static func residentBytes(of path: FilePath) throws(SystemError) -> Int {
    let descriptor = try open(path)
    defer { close(descriptor) }
    let length = try FileSystem.size(of: path).bytes
    guard length > 0 else { return 0 }
    let memory = mmap(nil, length, PROT_READ, MAP_SHARED, descriptor, 0)
    guard let memory, memory != MAP_FAILED else { throw .last("mmap", path) }
    defer { munmap(memory, length) }
    let page = Int(getpagesize())
    let count = (length + page - 1) / page
    #if os(Linux)
      var states = [UInt8](repeating: 0, count: count)
    #else
      var states = [CChar](repeating: 0, count: count)
    #endif
    guard mincore(memory, length, &states) == 0 else { throw .last("mincore", path) }
    return states.count { $0 & 1 == 1 } * page
  }

  /// Reads the whole file, so that it is in the cache as far as memory allows.
  package static func load(_ path: FilePath) throws(SystemError) {
    let reader = try FileReader(path)
    let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 4096)
    defer { piece.deallocate() }
    var offset = 0
    while true {
      let count = try reader.read(into: piece, at: offset)
      if count == 0 { return }
      offset += count
    }
  }

  private static func open(_ path: FilePath) throws(SystemError) -> Int32 {
    #if canImport(Glibc)
      let descriptor = Glibc.open(path.string, O_RDONLY | O_CLOEXEC)
    #else
      let descriptor = Darwin.open(path.string, O_RDONLY | O_CLOEXEC)
    #endif
    guard descriptor >= 0 else { throw .last("open", path) }
    return descriptor
  }
}
