// Another process that works on an engine, traced while it commits: how often it waited for the disk.
import EngineInterface
import MetricModel
import SystemIO
import TestSupport
import Testing

/// One way to run an engine.
struct SyncSubject: Sendable, CustomTestStringConvertible {
  var engine: any Engine
  var durability: Durability
  var journal: JournalMode?

  var name: String { engine.id + (journal.map { ", \($0.rawValue)" } ?? "") }
  var testDescription: String { "\(name), \(durability.rawValue)" }
}

enum SyncCounter {
  static let commits = 100

  /// Why a child process cannot be traced here; nil where it can.
  static let unsupportedReason: String? = {
    do {
      return try count(engine: "null", .none, nil) == SyncCalls()
        ? nil : "a process that does nothing was seen to wait for the disk"
    } catch {
      return "a child cannot be traced: \(error)"
    }
  }()

  /// Each way is counted once, however many tests ask.
  static func counted(_ subject: SyncSubject) throws -> SyncCalls {
    try lock.withLock {
      if let known = known[subject.testDescription] { return known }
      let found = try count(
        engine: subject.engine.id, subject.durability, subject.journal)
      known[subject.testDescription] = found
      return found
    }
  }

  private static let lock = ThreadMutex()
  nonisolated(unsafe) private static var known: [String: SyncCalls] = [:]

  /// Counts over as many commits as `commits` says, after as many that are not counted. In a thread of its own: the
  /// system tells it of its own children only, so that those of other tests are left to them.
  private static func count(
    engine: String, _ durability: Durability, _ journal: JournalMode?
  ) throws -> SyncCalls {
    let found = Found()
    let thread = try SystemThread.start(name: "tracer") {
      found.set(
        Result {
          try withTemporaryFolder { folder in
            let process = try InteractiveProcess(program(), arguments: [])
            let words = ["open", engine, durability.rawValue, folder.string]
            for line in [
              (words + [journal?.rawValue].compactMap { $0 }).joined(separator: " "),
              "commit \(commits)",
            ] {
              let answer = process.ask(line)
              guard answer == "ok" else { throw Refused(answer: answer ?? "the process is gone") }
            }
            return try process.countSyncs(whileDoing: "commit \(commits)")
          }
        })
    }
    thread.join()
    return try found.get()
  }

  private struct Refused: Error { var answer: String }

  private static func program() throws -> FilePath { try Repository.program("engine-process") }
}

/// What a thread found.
private final class Found: @unchecked Sendable {
  private let lock = ThreadMutex()
  private var result: Result<SyncCalls, any Error>?

  func set(_ result: Result<SyncCalls, any Error>) { lock.withLock { self.result = result } }

  func get() throws -> SyncCalls { try #require(lock.withLock { result }).get() }
}
