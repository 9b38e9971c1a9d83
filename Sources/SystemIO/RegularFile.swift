// Files that a user names may be anything: a pipe that nothing writes into would be waited for, a device read without end.
// So they are opened without waiting, and asked what they are once they are open: between a question by path and the
// opening the file could be exchanged.

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

enum RegularFile {
  /// Opens a file that exists; an error where it is not a regular one.
  static func open(_ path: FilePath, _ flags: Int32) throws(SystemError) -> Int32 {
    let descriptor = openByPath(path.string, flags | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw refusal(path) }
    do throws(SystemError) { try check(descriptor, path) } catch {
      close(descriptor)
      throw error
    }
    return descriptor
  }

  /// Ends with an error where what is open is not a regular file.
  static func check(_ descriptor: Int32, _ path: FilePath) throws(SystemError) {
    var facts = stat()
    guard fstat(descriptor, &facts) == 0 else { throw .last("fstat", path) }
    if let kind = kind(facts) { throw error(kind, path) }
  }

  /// A socket, and a pipe for writing only, cannot even be opened: `ENXIO` alone would explain nothing.
  private static func refusal(_ path: FilePath) -> SystemError {
    let refusal = SystemError.last("open", path)
    var facts = stat()
    guard refusal.code == ENXIO, stat(path.string, &facts) == 0, let kind = kind(facts) else {
      return refusal
    }
    return error(kind, path)
  }

  /// Returns the kind of a file that is not regular; nil for a regular one.
  private static func kind(_ facts: stat) -> String? {
    switch facts.st_mode & S_IFMT {
    case S_IFREG: nil
    case S_IFDIR: "a folder"
    case S_IFIFO: "a pipe"
    case S_IFSOCK: "a socket"
    case S_IFCHR, S_IFBLK: "a device"
    default: "no file"
    }
  }

  private static func error(_ kind: String, _ path: FilePath) -> SystemError {
    SystemError(
      code: kind == "a folder" ? EISDIR : EINVAL, call: "open", path: path.string,
      explanation: "this is \(kind), not a regular file; name a file")
  }
}

private func openByPath(_ path: UnsafePointer<CChar>, _ flags: Int32) -> Int32 { open(path, flags) }
