// Folders with all that they hold: copied, and searched. Links are copied as links and never followed.

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

extension FileSystem {
  /// Copies a file, a link, or a folder with all it holds, modes kept. `target` must not exist.
  package static func copyTree(_ source: FilePath, to target: FilePath) throws(SystemError) {
    var facts = stat()
    guard lstat(source.string, &facts) == 0 else { throw .last("lstat", source) }
    switch facts.st_mode & S_IFMT {
    case S_IFDIR:
      guard mkdir(target.string, facts.st_mode & 0o7777 | S_IRWXU) == 0 else {
        throw .last("mkdir", target)
      }
      for name in try list(source) {
        try copyTree(source.appending(name), to: target.appending(name))
      }
    case S_IFLNK:
      var text = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
      guard readlink(source.string, &text, Int(PATH_MAX)) >= 0 else {
        throw .last("readlink", source)
      }
      guard symlink(text, target.string) == 0 else { throw .last("symlink", target) }
    case S_IFREG: try copyFile(source, to: target, mode: facts.st_mode & 0o7777)
    default:
      throw SystemError(code: EINVAL, call: "copy of a special file", path: source.string)
    }
  }

  /// Moves a file, a link, or a folder with all it holds, to another file system too. `target` must not exist.
  package static func moveTree(_ source: FilePath, to target: FilePath) throws(SystemError) {
    do throws(SystemError) { try rename(source, to: target) } catch {
      guard error.code == EXDEV else { throw error }
      try copyTree(source, to: target)
      try removeTree(source)
    }
  }

  private static func copyFile(
    _ source: FilePath, to target: FilePath, mode: mode_t
  ) throws(SystemError) {
    let from = try RegularFile.open(source, O_RDONLY)
    defer { close(from) }
    let to = open(target.string, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
    guard to >= 0 else { throw .last("open", target) }
    defer { close(to) }
    let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 16)
    defer { piece.deallocate() }
    while true {
      let count = systemRead(from, piece)
      guard count >= 0 else { throw .last("read", source) }
      if count == 0 { return }
      var done = 0
      while done < count {
        let written = systemWrite(to, UnsafeRawBufferPointer(rebasing: piece[done..<count]))
        guard written >= 0 else { throw .last("write", target) }
        done += written
      }
    }
  }

  /// The bytes that a file, or a folder with all it holds, takes on disk; what cannot be looked at counts nothing.
  package static func allocatedBytes(below path: FilePath) -> Int {
    var facts = stat()
    guard lstat(path.string, &facts) == 0 else { return 0 }
    let inside = facts.st_mode & S_IFMT == S_IFDIR ? (try? list(path)) ?? [] : []
    return inside.reduce(512 * Int(facts.st_blocks)) {
      $0 + allocatedBytes(below: path.appending($1))
    }
  }

  /// Whether the path, links not followed, is a folder of this user's.
  package static func isOwnFolder(_ path: FilePath) -> Bool {
    var facts = stat()
    return lstat(path.string, &facts) == 0 && facts.st_mode & S_IFMT == S_IFDIR
      && facts.st_uid == geteuid()
  }

  /// The files of this name in a folder and the folders below it, sorted by path.
  package static func files(
    named name: String, below folder: FilePath
  ) throws(SystemError) -> [FilePath] {
    var found: [FilePath] = []
    for entry in try list(folder) {
      let path = folder.appending(entry)
      var facts = stat()
      guard lstat(path.string, &facts) == 0 else { continue }
      if facts.st_mode & S_IFMT == S_IFDIR {
        found += try files(named: name, below: path)
      } else if entry == name {
        found.append(path)
      }
    }
    return found
  }
}
