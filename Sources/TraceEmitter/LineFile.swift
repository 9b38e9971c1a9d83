// The file that lines are written to: created, appended to, and synced at the end.

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Used by one thread at a time.
struct LineFile: ~Copyable {
  private let descriptor: Int32
  private let path: String

  /// Creates the file, for its owner only. An existing file is an error.
  init(_ path: String) throws(TraceEmitterError) {
    self.path = path
    descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    if descriptor < 0 { throw TraceEmitterError(call: "open", path: path, code: errno) }
  }

  deinit { close(descriptor) }

  func write(_ bytes: [UInt8]) throws(TraceEmitterError) {
    var offset = 0
    while offset < bytes.count {
      let count = bytes.withUnsafeBytes { bytes in
        unsafeWrite(UnsafeRawBufferPointer(rebasing: bytes[offset...]))
      }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw TraceEmitterError(call: "write", path: path, code: errno) }
      offset += count
    }
  }

  private func unsafeWrite(_ bytes: UnsafeRawBufferPointer) -> Int {
    #if canImport(Darwin)
      Darwin.write(descriptor, bytes.baseAddress, bytes.count)
    #elseif canImport(Musl)
      Musl.write(descriptor, bytes.baseAddress, bytes.count)
    #else
      Glibc.write(descriptor, bytes.baseAddress, bytes.count)
    #endif
  }

  func sync() throws(TraceEmitterError) {
    guard fsync(descriptor) == 0 else {
      throw TraceEmitterError(call: "fsync", path: path, code: errno)
    }
  }
}

/// Microseconds of a clock that never goes back.
func monotonicMicroseconds() -> Int {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return Int(time.tv_sec) * 1_000_000 + Int(time.tv_nsec) / 1000
}
