// Files and folders by path. Everything here opens and closes what it touches, so it must never be pointed at a file
// that LMDB or SQLite has open in this process (closing any descriptor drops their POSIX locks); `size(of:)` only asks
// by path and is safe for them.

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Operations on files and folders by path.
package enum FileSystem {
  /// Whether anything, a dangling link included, has this path.
  package static func exists(_ path: FilePath) -> Bool {
    var facts = stat()
    return lstat(path.string, &facts) == 0
  }

  /// Whether the path itself is a symbolic link, wherever it leads.
  package static func isLink(_ path: FilePath) -> Bool {
    var facts = stat()
    return lstat(path.string, &facts) == 0 && facts.st_mode & S_IFMT == S_IFLNK
  }

  /// Whether the path, links followed, is a folder.
  package static func isFolder(_ path: FilePath) -> Bool {
    var facts = stat()
    return stat(path.string, &facts) == 0 && facts.st_mode & S_IFMT == S_IFDIR
  }

  /// Whether the path, links followed, is an ordinary file.
  package static func isFile(_ path: FilePath) -> Bool {
    var facts = stat()
    return stat(path.string, &facts) == 0 && facts.st_mode & S_IFMT == S_IFREG
  }

  /// Makes the folder and the missing ones above it, and returns those that it made, the outermost first; a folder that
  /// exists is fine. Where one cannot be made, those made before it are removed again: a path that is too long leaves
  /// nothing behind.
  @discardableResult
  package static func makeFolders(_ path: FilePath) throws(SystemError) -> [FilePath] {
    var missing: [FilePath] = []
    var next = path
    while !next.isEmpty, !isFolder(next) {
      missing.append(next)
      guard next.removeLastComponent() else { break }
    }
    var made: [FilePath] = []
    for folder in missing.reversed() {
      if mkdir(folder.string, 0o777) == 0 {
        made.append(folder)
        continue
      }
      let error = SystemError.last("mkdir", folder)
      if error.code == EEXIST, isFolder(folder) { continue }
      removeEmptyFolders(made)
      throw error
    }
    return made
  }

  /// Removes the folders, given the outermost first, as far as they are empty.
  package static func removeEmptyFolders(_ folders: [FilePath]) {
    for folder in folders.reversed() { rmdir(folder.string) }
  }

  /// Makes a folder that its owner alone may look into; an error that `isAlreadyThere` where one is.
  package static func makePrivateFolder(_ path: FilePath) throws(SystemError) {
    guard mkdir(path.string, 0o700) == 0 else { throw .last("mkdir", path) }
  }

  /// Makes a folder of its own for this caller, `<parent>/<prefix>-XXXXXX`; `parent` defaults to `$TMPDIR` or `/tmp`.
  package static func makeTemporaryFolder(
    prefix: String, in parent: FilePath? = nil
  ) throws(SystemError) -> FilePath {
    let parent = parent ?? temporaryFolder
    var template = Array(parent.appending("\(prefix)-XXXXXX").string.utf8CString)
    guard mkdtemp(&template) != nil else { throw .last("mkdtemp", parent) }
    return template.withUnsafeBufferPointer { FilePath(platformString: $0.baseAddress!) }
  }

  /// The system's folder for temporary files: `$TMPDIR` or `/tmp`.
  package static var temporaryFolder: FilePath {
    FilePath(getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp")
  }

  /// The names in a folder, sorted, without `.` and `..`.
  package static func list(_ folder: FilePath) throws(SystemError) -> [String] {
    guard let stream = opendir(folder.string) else { throw .last("opendir", folder) }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = UnsafeRawPointer(entry) + MemoryLayout<dirent>.offset(of: \.d_name)!
      names.append(String(cString: name.assumingMemoryBound(to: CChar.self)))
    }
    return names.filter { $0 != "." && $0 != ".." }.sorted()
  }

  /// Removes a file or a link; what is not there is already removed.
  package static func removeFile(_ path: FilePath) throws(SystemError) {
    guard unlink(path.string) != 0, errno != ENOENT else { return }
    throw .last("unlink", path)
  }

  /// Removes a file, or a folder with all it holds; links are removed, never followed.
  package static func removeTree(_ path: FilePath) throws(SystemError) {
    var facts = stat()
    guard lstat(path.string, &facts) == 0 else {
      if errno == ENOENT { return }
      throw .last("lstat", path)
    }
    guard facts.st_mode & S_IFMT == S_IFDIR else { return try removeFile(path) }
    for name in try list(path) { try removeTree(path.appending(name)) }
    guard rmdir(path.string) == 0 else { throw .last("rmdir", path) }
  }

  /// Gives a file or folder another name in one step, replacing a file that had it.
  package static func rename(_ source: FilePath, to target: FilePath) throws(SystemError) {
    let result = source.withPlatformString { from in
      target.withPlatformString { renameByPath(from, $0) }
    }
    guard result == 0 else { throw .last("rename", target) }
  }

  /// Returns the absolute path of an existing file, with every link followed.
  package static func resolved(_ path: FilePath) throws(SystemError) -> FilePath {
    guard let real = path.withPlatformString({ realpath($0, nil) }) else {
      throw .last("realpath", path)
    }
    defer { free(real) }
    return FilePath(platformString: real)
  }

  /// The whole path of a relative one, from the process's current folder.
  package static func absolute(_ path: FilePath) throws(SystemError) -> FilePath {
    if path.isAbsolute { return path.lexicallyNormalized() }
    guard let here = getcwd(nil, 0) else { throw .last("getcwd") }
    defer { free(here) }
    return FilePath(platformString: here).pushing(path).lexicallyNormalized()
  }
}

/// The C function: inside `FileSystem` its name means the method.
private func renameByPath(_ from: UnsafePointer<CChar>, _ to: UnsafePointer<CChar>) -> Int32 {
  rename(from, to)
}
