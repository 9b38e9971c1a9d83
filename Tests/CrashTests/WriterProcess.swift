// The other process: started, read line by line, and killed while it works.
import SystemIO
import TestSupport

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Runs of `crash-writer`, which is built beside the tests.
struct WriterProcess {
  let file: FilePath
  let seed: UInt64

  static func executable() throws -> FilePath { try Repository.program("crash-writer") }

  /// Runs it to its end.
  func run(_ arguments: [String], under wrapper: [String] = []) async throws -> ChildProcess.Outcome
  {
    let words =
      wrapper + [try Self.executable().string, file.string, String(seed)] + arguments
    let program =
      words[0].hasPrefix("/") ? FilePath(words[0]) : ChildProcess.findExecutable(words[0])
    guard let program else { throw SystemError(code: ENOENT, call: "posix_spawn", path: words[0]) }
    return try await ChildProcess(program, arguments: Array(words.dropFirst())).run()
  }

  /// Lets it commit until it has acknowledged `acknowledgements` commits and a moment longer, then kills it. Returns
  /// the acknowledged numbers, and the last of them; 0 if there are none.
  func runAndKill(
    after acknowledgements: Int, plusNanoseconds moment: UInt64, _ words: [String] = []
  ) async throws -> (said: [Int], last: Int, ending: ChildProcess.Ending) {
    let log = AcknowledgementLog(limit: acknowledgements, moment: moment)
    let child = ChildProcess(try Self.executable(), arguments: [file.string, String(seed)] + words)
    let outcome = try await child.run(
      onStart: { log.started($0) }, onOutput: { log.add($0) })
    let said = log.said
    return (said, said.last ?? 0, outcome.ending)
  }
}

extension WriterProcess {
  /// Lets it hold a snapshot, and calls `body` with its process id as soon as it does; the body must make it end.
  func runHolding(
    label: String, _ body: @escaping @Sendable (Int32) throws -> Void
  ) async throws -> ChildProcess.Outcome {
    try await runHolding(["hold", label], body)
  }

  /// The same with a write transaction.
  func runWriting(
    _ body: @escaping @Sendable (Int32) throws -> Void
  ) async throws -> ChildProcess.Outcome {
    try await runHolding(["write"], body)
  }

  private func runHolding(
    _ words: [String], _ body: @escaping @Sendable (Int32) throws -> Void
  ) async throws -> ChildProcess.Outcome {
    let holding = Holding(body)
    let child = ChildProcess(try Self.executable(), arguments: [file.string, String(seed)] + words)
    let outcome = try await child.run(
      onStart: { holding.started($0) }, onOutput: { holding.add($0) })
    try holding.check()
    return outcome
  }
}

/// Waits until the process reports that it holds its snapshot or its transaction.
private final class Holding: @unchecked Sendable {
  private let mutex = ThreadMutex()
  private let body: @Sendable (Int32) throws -> Void
  private var process: Int32 = 0
  private var text = ""
  private var hasRun = false
  private var failure: (any Error)?

  init(_ body: @escaping @Sendable (Int32) throws -> Void) { self.body = body }

  func started(_ process: Int32) {
    mutex.withLock {
      self.process = process
      runIfDue()
    }
  }

  func add(_ bytes: [UInt8]) {
    mutex.withLock {
      text += String(decoding: bytes, as: UTF8.self)
      runIfDue()
    }
  }

  private func runIfDue() {
    guard !hasRun, process != 0, text.contains("holding") else { return }
    hasRun = true
    do { try body(process) } catch {
      failure = error
      kill(process, SIGKILL)
    }
  }

  func check() throws {
    if let failure { throw failure }
    guard hasRun else { throw SystemError(code: ECHILD, call: text, path: "crash-writer") }
  }
}

/// Reads acknowledgements as they come and kills the writer after some of them.
private final class AcknowledgementLog: @unchecked Sendable {
  private let mutex = ThreadMutex()
  private let limit: Int
  private let moment: UInt64
  private var process: Int32 = 0
  private var text: [UInt8] = []
  private var isKilled = false

  init(limit: Int, moment: UInt64) {
    self.limit = limit
    self.moment = moment
  }

  func started(_ process: Int32) {
    mutex.withLock {
      self.process = process
      killIfDue()
    }
  }

  func add(_ bytes: [UInt8]) {
    mutex.withLock {
      text += bytes
      killIfDue()
    }
  }

  private func killIfDue() {
    guard !isKilled, process != 0, text.count(where: { $0 == UInt8(ascii: "\n") }) >= limit else {
      return
    }
    isKilled = true
    let due = Clock.monotonicNanoseconds() + moment
    while Clock.monotonicNanoseconds() < due {}
    kill(process, SIGKILL)
  }

  /// The numbers of whole lines.
  var said: [Int] {
    mutex.withLock {
      text.split(separator: UInt8(ascii: "\n"))
        .compactMap { Int(String(decoding: $0, as: UTF8.self)) }
    }
  }
}
