// Other programs, files and memory, as the comparison needs them.
import BenchSupport

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

extension Duration {
  var nanoseconds: Int {
    Int(components.seconds) * 1_000_000_000 + Int(components.attoseconds / 1_000_000_000)
  }
}

/// Syncs the file and drops it from the page cache.
func dropFromCache(_ path: String) throws {
  let file = open(path, O_RDONLY)
  guard file >= 0 else { throw BenchError.system(path) }
  defer { close(file) }
  fsync(file)
  posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED)
}

/// Touches as much memory as both sides may use and gives it back: on a virtual machine the first touch of a page costs
/// the host's work, and would be charged to the side that runs first.
func warmMemory(_ bytes: Int) throws {
  let flags = MAP_PRIVATE | MAP_ANONYMOUS
  guard let memory = mmap(nil, bytes, PROT_READ | PROT_WRITE, flags, -1, 0), memory != MAP_FAILED
  else { throw BenchError.system("mmap") }
  memset(memory, 1, bytes)
  munmap(memory, bytes)
}

/// Runs a program found by the path of programs, to its end.
func runTool(_ words: [String]) throws {
  _ = try spawn(words[0], words, output: nil)
}

/// Runs this program with other arguments. Returns the numbers that it prints.
func runSelf(_ arguments: [String]) throws -> [Int] {
  var ends: [Int32] = [0, 0]
  guard pipe(&ends) == 0 else { throw BenchError.system("pipe") }
  defer { close(ends[0]) }
  _ = try spawn("/proc/self/exe", ["compaction-bench"] + arguments, output: ends[1])
  var bytes = [UInt8](repeating: 0, count: 4096)
  let count = read(ends[0], &bytes, bytes.count)
  return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    .split { $0 == " " || $0 == "\n" }.compactMap { Int($0) }
}

private func spawn(_ program: String, _ words: [String], output: Int32?) throws {
  var actions = posix_spawn_file_actions_t()
  posix_spawn_file_actions_init(&actions)
  defer { posix_spawn_file_actions_destroy(&actions) }
  if let output { posix_spawn_file_actions_adddup2(&actions, output, 1) }
  var arguments = words.map { strdup($0) } + [nil]
  defer { for argument in arguments { free(argument) } }
  var child = pid_t()
  let result = posix_spawnp(&child, program, &actions, nil, &arguments, environ)
  if let output { close(output) }
  guard result == 0 else {
    throw BenchError(description: "\(program): \(String(cString: strerror(result)))")
  }
  var status: Int32 = 0
  while waitpid(child, &status, 0) < 0, errno == EINTR {}
  guard status == 0 else { throw BenchError(description: "\(words.joined(separator: " ")) failed") }
}

/// A figure of `/proc/self/status`, in bytes.
func residentBytes(_ name: String) -> Int {
  guard let file = fopen("/proc/self/status", "r") else { return 0 }
  defer { fclose(file) }
  var line = [CChar](repeating: 0, count: 256)
  while fgets(&line, 256, file) != nil {
    let text = line.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
    guard text.hasPrefix(name) else { continue }
    return (Int(text.filter(\.isNumber)) ?? 0) * 1024
  }
  return 0
}

/// Nanoseconds of processor time, user's and kernel's, of this process or of those that it waited for.
func processorTime(of who: __rusage_who) -> Int {
  var usage = rusage()
  getrusage(__rusage_who_t(who.rawValue), &usage)
  return [usage.ru_utime, usage.ru_stime].reduce(0) {
    $0 + Int($1.tv_sec) * 1_000_000_000 + Int($1.tv_usec) * 1000
  }
}
