// Another process with an engine, for tests that count what it asks of the system. It does what it is told in lines on its
// standard input, one after the other, and answers each with a line: `ok`, or what went wrong.
import EngineInterface
import Engines
import Glibc
import MetricModel
import SystemIO
import TestSupport

@main
enum EngineProcess {
  static func main() {
    var work = Work()
    while let line = readLine() {
      let words = line.split(separator: " ").map(String.init)
      var answer = "ok"
      do { try work.carryOut(words) } catch { answer = "\(error)" }
      let text = Array((answer.split(separator: "\n").joined(separator: " ") + "\n").utf8)
      guard Glibc.write(1, text, text.count) == text.count else { return }
    }
  }
}

/// The database, and the work on it: the same for every engine.
private struct Work {
  private struct Misunderstood: Error { var words: [String] }

  private static let rows = 2000
  private static let bytes = 256
  private static let rowsOfCommit = 10

  private var session: (any EngineSession)?
  private var random = SeededRandom(seed: 11)

  /// `open engine durability folder [journal]`, `commit count`, `close`.
  mutating func carryOut(_ words: [String]) throws {
    switch words.first {
    case "open" where words.count >= 4:
      guard let durability = Durability(rawValue: words[2]) else { break }
      var options = SessionOptions(tables: ["rows"], durability: durability)
      if words.count > 4 {
        guard let journal = JournalMode(rawValue: words[4]) else { break }
        options.log = LogSettings(journal: journal)
      }
      session = try Self.engine(words[1]).open(FilePath(words[3]), options).session
      for start in stride(from: 0, to: Self.rows, by: 500) { try write(start..<start + 500) }
      return
    case "commit" where words.count == 2:
      for _ in 0..<(Int(words[1]) ?? 0) {
        try write((0..<Self.rowsOfCommit).map { _ in random.below(Self.rows) })
      }
      return
    case "close":
      try session?.close()
      session = nil
      return
    default: break
    }
    throw Misunderstood(words: words)
  }

  private mutating func write(_ keys: some Sequence<Int>) throws {
    guard let session else { throw Misunderstood(words: ["write before open"]) }
    let transaction = try session.beginWrite()
    for key in keys {
      try random.bytes(Self.bytes).withUnsafeBytes { try transaction.put(0, Int64(key), $0) }
    }
    try transaction.commit()
  }

  private static func engine(_ id: String) throws -> any Engine {
    guard let known = EngineIdentifier(rawValue: id) else { throw Misunderstood(words: [id]) }
    return try EngineCatalog.entry(of: known).open()
  }
}
