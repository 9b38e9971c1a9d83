// Libraries that are opened when they are asked for, not linked: a program that links one does not even start on a
// machine without it, and so could not report what is missing. A library is opened once and stays for the life of the
// process; that is why what is found in it are plain function pointers without an owner.

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A library, and the paths at which it may be.
package struct LibraryRequest: Sendable {
  /// The name of the library in messages: `LMDB`.
  package var title: String
  /// Names that the system's loader looks for in its folders, and paths; the first that opens is taken.
  package var names: [String]
  /// An environment variable by which users name another library, by path or name. Where it is set and not empty,
  /// nothing else is tried.
  package var variable: String
  /// The option of the command line that does as the variable, for a library that no distribution has: `--realm-library`.
  package var option: String?
  /// A sentence on how to install the library: `install liblmdb0 (Debian, Ubuntu)`.
  package var cure: String

  package init(
    title: String, names: [String], variable: String, option: String? = nil, cure: String
  ) {
    self.title = title
    self.names = names
    self.variable = variable
    self.option = option
    self.cure = cure
  }

  /// The usual names of a library: `fileNames(of: "lmdb", version: 0)` is `liblmdb.so.0`, then `liblmdb.so`. The
  /// version is the binary interface's, which on macOS the name need not have; there Homebrew's folders, which the
  /// loader does not search, are looked into as well.
  package static func fileNames(of library: String, version: Int) -> [String] {
    #if os(macOS)
      let file = "lib\(library).dylib"
      return [file, "/opt/homebrew/lib/\(file)", "/usr/local/lib/\(file)"]
    #else
      return ["lib\(library).so.\(version)", "lib\(library).so"]
    #endif
  }
}

extension LibraryRequest {
  /// Sets the variable by which a library is named, for this process and those that it starts. Only while the process has
  /// one thread: to change the environment while others read it is a race within the C library.
  package static func name(_ library: String, by variable: String) {
    setenv(variable, library, 1)
  }
}

/// Why a library is of no use here: what was tried, what came of each, and the cure.
package struct LibraryAbsence: Error, Sendable, Equatable, CustomStringConvertible {
  package struct Attempt: Sendable, Equatable {
    package let name: String
    /// The loader's message, or that of the adapter that refused the library.
    package let reason: String
  }

  package let title: String
  package let attempts: [Attempt]
  package let cure: String

  /// The reason on one line, for tables and terminals.
  package var description: String {
    // The loader's words mostly begin with the name.
    let tried = attempts.map { attempt in
      attempt.reason.hasPrefix(attempt.name)
        ? attempt.reason : "\(attempt.name): \(attempt.reason)"
    }
    return "\(title) could not be loaded: \(tried.joined(separator: "; ")); \(cure)"
  }
}

/// An open library. Never closed.
package struct SharedLibrary: @unchecked Sendable {
  /// The name or path by which it was opened.
  package let name: String
  private let title: String
  private let cure: String
  private let handle: UnsafeMutableRawPointer

  /// Opens the first of the names that opens. The environment is the process's, unless a test gives another one: to
  /// change the process's own while other threads read it is a race within the C library.
  package init(
    _ request: LibraryRequest, environment: [String: String]? = nil
  ) throws(LibraryAbsence) {
    let named =
      environment.map { $0[request.variable] ?? "" }
      ?? getenv(request.variable).map { String(cString: $0) } ?? ""
    let names = named.isEmpty ? request.names : [named]
    title = request.title
    cure =
      named.isEmpty
      ? "\(request.cure), or name the library in \(request.variable)"
      : "\(request.variable) names it: correct the variable, or remove it"
    var attempts: [LibraryAbsence.Attempt] = []
    for name in names {
      // The loader would wait for a pipe.
      if let reason = Self.refusalReason(of: name) {
        attempts.append(.init(name: name, reason: reason))
        continue
      }
      // NOW: a library that lacks something it needs itself is refused here, not in the middle of a run. LOCAL: two
      // libraries that carry functions of the same name do not see each other's.
      if let handle = dlopen(name, RTLD_NOW | RTLD_LOCAL) {
        self.name = name
        self.handle = handle
        return
      }
      attempts.append(.init(name: name, reason: Self.lastError))
    }
    throw LibraryAbsence(title: title, attempts: attempts, cure: cure)
  }

  /// Why a file that is named by its path cannot be a library; nil where it may be one.
  private static func refusalReason(of name: String) -> String? {
    guard name.contains("/"), FileSystem.exists(FilePath(name)) else { return nil }
    do throws(SystemError) {
      _ = try FileReader(FilePath(name))
      return nil
    } catch { return error.explanation.map { "\(name): \($0)" } }
  }

  /// The function of that name as a `@convention(c)` function type, which must be the one that the library's header
  /// declares: nothing checks it at run time.
  package func function<Function>(
    _ symbol: String, as type: Function.Type = Function.self
  ) throws(LibraryAbsence) -> Function {
    precondition(
      MemoryLayout<Function>.size == MemoryLayout<UnsafeRawPointer>.size,
      "A C function is one pointer; \(type) is not.")
    return unsafeBitCast(try address(of: symbol), to: type)
  }

  /// The object of that name, which must be laid out as the library's documentation specifies.
  package func object<Object>(
    _ symbol: String, as type: Object.Type = Object.self
  ) throws(LibraryAbsence) -> UnsafePointer<Object> {
    UnsafePointer(try address(of: symbol).assumingMemoryBound(to: type))
  }

  /// Whether the library has something of that name, for what only newer versions do.
  package func has(_ symbol: String) -> Bool { dlsym(handle, symbol) != nil }

  private func address(of symbol: String) throws(LibraryAbsence) -> UnsafeMutableRawPointer {
    guard let address = dlsym(handle, symbol) else {
      throw refused("it has no \(symbol), so it is too old or another library")
    }
    return address
  }

  /// Returns the error for a library that was opened but cannot be used.
  package func refused(_ reason: String) -> LibraryAbsence {
    LibraryAbsence(title: title, attempts: [.init(name: name, reason: reason)], cure: cure)
  }

  /// The loader's message about the call that has just failed.
  private static var lastError: String {
    dlerror().map { String(cString: $0) } ?? "the system's loader gives no reason"
  }
}
