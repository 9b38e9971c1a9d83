// The extended attributes of a file: small values by name, of which access lists on Linux are one. A file system without
// them is one where a file has none.
import CPlatform

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The extended attributes of one file, open or by path.
struct ExtendedAttributes {
  private let descriptor: Int32
  private let path: FilePath

  init(descriptor: Int32, path: FilePath) {
    self.descriptor = descriptor
    self.path = path
  }

  init(path: FilePath) { self.init(descriptor: -1, path: path) }

  /// Labels that security modules give each file by their own rules, attributes that only the administrator sees, and what
  /// macOS notes for itself: the new file has its own.
  private static let systemsOwn = ["security.", "trusted.", "com.apple."]

  /// All that a program may carry over, by name.
  func all() throws(SystemError) -> [String: [UInt8]] {
    var found: [String: [UInt8]] = [:]
    for name in try names() {
      // Removed since the names were read.
      if let value = try value(of: name) { found[name] = value }
    }
    return found
  }

  /// Makes what the file has, `now`, into `next`. Returns the names that the system refused; where the result is to be
  /// complete, a refusal is an error.
  @discardableResult
  func replace(
    _ now: [String: [UInt8]], by next: [String: [UInt8]], isComplete: Bool = true
  ) throws(SystemError) -> Set<String> {
    var refused: Set<String> = []
    func note(_ error: SystemError, _ name: String) throws(SystemError) {
      guard !isComplete, error.isRefusal else { throw error }
      refused.insert(name)
    }
    for name in now.keys.sorted() where next[name] == nil {
      guard cplatform_remove_attribute(descriptor, path.string, name) != 0 else { continue }
      try note(.last("fremovexattr \(name)", path), name)
    }
    for (name, value) in next.sorted(by: { $0.key < $1.key }) where now[name] != value {
      guard cplatform_write_attribute(descriptor, path.string, name, value, value.count) != 0
      else { continue }
      try note(.last("fsetxattr \(name)", path), name)
    }
    return refused
  }

  private func names() throws(SystemError) -> [String] {
    let bytes = try read("listxattr") { buffer in
      cplatform_list_attributes(
        descriptor, path.string, buffer.baseAddress?.assumingMemoryBound(to: CChar.self),
        buffer.count)
    }
    return (bytes ?? []).split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
      .filter { name in !Self.systemsOwn.contains { name.hasPrefix($0) } }
  }

  private func value(of name: String) throws(SystemError) -> [UInt8]? {
    try read("getxattr \(name)") { buffer in
      cplatform_read_attribute(
        descriptor, path.string, name, buffer.baseAddress, buffer.count)
    }
  }

  /// Asks for the size, then for the bytes, again where there are more by then; nil where there is nothing.
  private func read(
    _ call: String, _ body: (UnsafeMutableRawBufferPointer) -> Int64
  ) throws(SystemError) -> [UInt8]? {
    while true {
      let size = body(UnsafeMutableRawBufferPointer(start: nil, count: 0))
      if size < 0, isAbsence(errno) { return nil }
      guard size >= 0 else { throw .last(call, path) }
      if size == 0 { return [] }
      var bytes = [UInt8](repeating: 0, count: Int(size))
      let count = bytes.withUnsafeMutableBytes { body($0) }
      if count >= 0 { return Array(bytes[..<Int(count)]) }
      if errno == ERANGE { continue }
      if isAbsence(errno) { return nil }
      throw .last(call, path)
    }
  }

  private func isAbsence(_ code: Int32) -> Bool {
    #if canImport(Glibc)
      code == ENODATA || code == EOPNOTSUPP || code == ENOSYS
    #else
      code == ENOATTR || code == ENOTSUP
    #endif
  }
}
