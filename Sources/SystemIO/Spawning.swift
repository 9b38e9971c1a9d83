// How this process starts others: spawned, never forked (LMDB forbids a fork with an open environment), with every signal
// at its default, none blocked, and in the process group of their parent.
import CPlatform

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

enum Spawning {
  /// Starts the program. `environment` replaces the inherited one; `prepare` names what the child does with descriptors
  /// first. Errors: the limits of the system or of the process, or the file cannot be run.
  static func start(
    _ executable: String, _ arguments: [String], environment: [String]? = nil,
    _ prepare: (inout posix_spawn_file_actions_t) -> Void
  ) throws(SystemError) -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    prepare(&actions)
    // What this process was itself given open, it was given alone.
    cplatform_spawn_close_others(&actions)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    sigfillset(&signals)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
    let words = cStrings([executable] + arguments)
    let variables = environment.map(cStrings)
    defer { for text in words + (variables ?? []) { free(text) } }
    var child = pid_t()
    let result =
      if let variables {
        posix_spawn(&child, executable, &actions, &attributes, words, variables)
      } else {
        posix_spawn(&child, executable, &actions, &attributes, words, environ)
      }
    guard result == 0 else {
      throw SystemError(code: result, call: "posix_spawn", path: executable)
    }
    return child
  }

  private static func cStrings(_ texts: [String]) -> [UnsafeMutablePointer<CChar>?] {
    texts.map { strdup($0) } + [nil]
  }

  /// Returns the environment of this process with these changes; nil removes a variable.
  static func environment(changedBy changes: [String: String?]) -> [String] {
    var entries: [String] = []
    var next = environ
    while let entry = next.pointee {
      let text = String(cString: entry)
      if changes[String(text.prefix { $0 != "=" })] == nil { entries.append(text) }
      next += 1
    }
    return entries + changes.compactMap { name, value in value.map { "\(name)=\($0)" } }
  }
}

extension ChildProcess.Ending {
  /// Decodes the status of an ended process that `wait` returned.
  init(status: Int32) {
    self = status & 0x7F == 0 ? .exited(status >> 8 & 0xFF) : .signalled(status & 0x7F)
  }
}

extension ChildProcess {
  /// Makes the system kill this process when the thread that started it ends, even while this process is suspended. For
  /// child processes. `parent` is the process that started this one, if known: if it has ended already, this process ends
  /// at once. Has an effect on Linux only; elsewhere a child must watch for the end of its standard input.
  package static func endWithParent(_ parent: Int32? = nil) {
    cplatform_end_with_parent()
    #if canImport(Glibc)
      if let parent, getppid() != parent { _exit(2) }
    #endif
  }
}
