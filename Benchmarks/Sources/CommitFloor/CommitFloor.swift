// The floor of durable commits: the writes and syncs of an engine's commits, done again without the engine. What an engine
// takes beyond its floor is its own work; what two floors differ by is how many pages they write, where, and how often they
// wait for the disk.
import BenchSupport
import CCallLog

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Copies of the files that an engine writes, to which its calls are repeated.
package final class CommitFloor {
  package struct Call {
    fileprivate var file: Int32
    fileprivate var kind: LoggedCallKind
    fileprivate var offset: Int
    fileprivate var count: Int
    fileprivate var end: Int { kind == LOGGED_WRITE ? offset + count : 0 }
    /// Whether the call waits for the disk.
    var syncs = false
    /// The pages that it writes.
    var pages: ClosedRange<Int>? {
      kind == LOGGED_WRITE && count > 0 ? offset / 4096...(offset + count - 1) / 4096 : nil
    }
  }

  /// The descriptors of the copies, by path and by whether each write syncs.
  private var copies: [String: Int32] = [:]
  private var bytes: [UInt8] = []

  package init() {}

  deinit {
    for (path, descriptor) in copies {
      closeDescriptor(descriptor)
      unlink(Self.copyPath(path))
    }
  }

  /// Runs the body. Returns its result and its calls; none where calls are not logged. Nothing else may write meanwhile.
  package func record<T>(_ body: () throws -> T) rethrows -> (T, [Call]) {
    calllog_open()
    let result: T
    do { result = try body() } catch {
      _ = calllog_close()
      throw error
    }
    return (result, calls(Int(calllog_close())))
  }

  /// Repeats the calls. Returns the seconds that they take.
  package func replay(_ calls: [Call]) throws -> Double {
    try growCopies(for: calls)
    let start = nanoseconds()
    for call in calls where !perform(call) { throw BenchError.system("floor") }
    return Double(nanoseconds() - start) / 1e9
  }

  private func perform(_ call: Call) -> Bool {
    switch call.kind {
    case LOGGED_SYNC: fdatasync(call.file) == 0
    case LOGGED_TRUNCATE: ftruncate(call.file, off_t(call.offset)) == 0
    default:
      bytes.withUnsafeBytes {
        pwrite(call.file, $0.baseAddress, call.count, off_t(call.offset)) == call.count
      }
    }
  }

  private func calls(_ count: Int) -> [Call] {
    guard count > 0, let logged = calllog_calls() else { return [] }
    var calls: [Call] = []
    for call in UnsafeBufferPointer(start: logged, count: count) {
      let opensDurably = call.syncs && call.kind == LOGGED_WRITE
      guard let copy = copy(of: call.descriptor, opensDurably) else { continue }
      calls.append(
        Call(
          file: copy, kind: call.kind, offset: Int(call.offset), count: Int(call.count),
          syncs: call.syncs || call.kind == LOGGED_SYNC))
    }
    let longest = calls.map(\.count).max() ?? 0
    if bytes.count < longest { bytes = [UInt8](repeating: 7, count: longest) }
    return calls
  }

  /// Returns a descriptor of a copy of the file, made at its first call: settled on disk, and in the page cache as the
  /// engine's own file is by then. Otherwise a write of a part of a page would read it first.
  private func copy(of descriptor: Int32, _ opensDurably: Bool) -> Int32? {
    var buffer = [CChar](repeating: 0, count: 4096)
    let length = readlink("/proc/self/fd/\(descriptor)", &buffer, buffer.count - 1)
    guard length > 0 else { return nil }
    let path = String(decoding: buffer[..<length].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let key = opensDurably ? path + "+durable" : path
    if let copy = copies[key] { return copy }
    let target = Self.copyPath(path)
    if lengthOfFile(target) == 0 { Self.copyFile(path, target) }
    let copy = open(target, O_RDWR | (opensDurably ? O_DSYNC : 0))
    guard copy >= 0 else { return nil }
    copies[key] = copy
    return copy
  }

  private static func copyPath(_ key: String) -> String {
    (key.hasSuffix("+durable") ? String(key.dropLast(8)) : key) + ".floor"
  }

  private static func copyFile(_ path: String, _ target: String) {
    let from = open(path, O_RDONLY)
    let to = open(target, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    guard from >= 0, to >= 0 else { return }
    // Page by page: long writes fill the cache with folios of many pages, in which the system then looks for each block.
    var page = [UInt8](repeating: 0, count: 4096)
    while case let count = read(from, &page, page.count), count > 0 {
      guard write(to, page, count) == count else { break }
    }
    fsync(to)
    closeDescriptor(from)
    closeDescriptor(to)
  }

  /// Gives the copies the length that the calls lead to, as the engines do before they write.
  private func growCopies(for calls: [Call]) throws {
    #if canImport(Glibc)
      for file in Set(calls.map(\.file)) {
        let end = calls.filter { $0.file == file }.map(\.end).max() ?? 0
        var facts = stat()
        guard fstat(file, &facts) == 0, Int(facts.st_size) < end else { continue }
        let size = off_t(facts.st_size)
        guard posix_fallocate(file, size, off_t(end) - size) == 0, fsync(file) == 0 else {
          throw BenchError.system("floor")
        }
      }
    #endif
  }
}
