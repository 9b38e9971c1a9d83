// Where Python keeps the files of packages: a library that no package of the system brings is often had from there, and
// its folder is none that the system's loader looks into.

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

extension LibraryRequest {
  /// The files of that name, without `.so` or `.dylib`, that Python's packages on this machine have: those of the active
  /// virtual environment, the user's and the system's, newer versions of Python first.
  package static func pythonPackageFiles(
    _ name: String, environment: [String: String]? = nil
  ) -> [String] {
    #if os(macOS)
      let file = name + ".dylib"
    #else
      let file = name + ".so"
    #endif
    return pythonRoots(environment).flatMap { pythonFolders($0) }
      .map { $0.appending(file) }
      .filter { FileSystem.exists($0) }
      .map(\.string)
  }

  /// Folders that have `lib/pythonX.Y`.
  private static func pythonRoots(_ environment: [String: String]?) -> [FilePath] {
    func variable(_ name: String) -> FilePath? {
      let value = environment.map { $0[name] } ?? getenv(name).map { String(cString: $0) }
      return value.flatMap { $0.isEmpty ? nil : FilePath($0) }
    }
    var roots: [FilePath] = []
    if let active = variable("VIRTUAL_ENV") { roots.append(active) }
    if let home = variable("HOME") {
      roots.append(home.appending(".local"))
      let versions = home.appending(".pyenv").appending("versions")
      roots += newestFirst(in: versions).map { versions.appending($0) }
      let user = home.appending("Library").appending("Python")
      roots += newestFirst(in: user).map { user.appending($0) }
    }
    return roots + ["/usr/local", "/usr", "/opt/homebrew"]
  }

  /// The folders of packages of every Python below a root.
  private static func pythonFolders(_ root: FilePath) -> [FilePath] {
    let library = root.appending("lib")
    return newestFirst(in: library).filter { $0.hasPrefix("python") }.flatMap { python in
      ["site-packages", "dist-packages"].map { library.appending(python).appending($0) }
    }
  }

  /// Names in a folder, `python3.11` before `python3.9`; none where it cannot be read.
  private static func newestFirst(in folder: FilePath) -> [String] {
    func numbers(_ name: String) -> [Int] {
      name.split { !$0.isNumber }.compactMap { Int($0) }
    }
    let names = (try? FileSystem.list(folder)) ?? []
    return names.sorted { numbers($1).lexicographicallyPrecedes(numbers($0)) }
  }
}
