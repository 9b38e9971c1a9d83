// A compaction that is killed in the middle: another process opens the database to compact it, and dies before one of
// the calls by which it changes files. Whoever opens next must find every row, compact, and leave nothing behind; an engine
// that is known to leave its unfinished copy to the next compaction is told of so. It is done to a copy of the files, so
// that the run goes on with the same bytes wherever the process died: a foreign engine does not always make the same number
// of calls.
import EngineInterface
import MetricModel
import ScenarioModel
import SystemIO

struct CompactionKill {
  let folder: FilePath
  let engine: any Engine
  let options: SessionOptions
  let tables: [TableState]
  let program: OtherProgram
  let job: ProcessJob
  let recorder: Recorder
  /// Which of the killed compactions of the run this is, from 0, and how many there are.
  let number: Int
  let count: Int

  /// The place is chosen evenly from before the first change to before the last, by how many there are where nobody is
  /// killed. `before` is what the database held.
  func carryOut(_ before: DatabaseContents) throws {
    try recorder.notCounting {
      let all = try onCopy { copy in try compaction(of: copy, killedBefore: nil).changes }
      guard all > 0 else { throw RunnerError("the compaction to be killed changed no file") }
      let change = count == 1 ? all / 2 + 1 : 1 + (all - 1) * number / (count - 1)
      let left = try onCopy { copy in
        _ = try compaction(of: copy, killedBefore: change)
        return try openAgain(copy, before)
      }
      let size = try self.size()
      recorder.happened(
        CompactionEvent(
          kind: .onLaunch, outcome: .abandoned,
          reason:
            "on a copy its process was killed at place \(number + 1) of \(count), from its first "
            + "change to a file to its last; who opened next found every row, \(Self.words(left))",
          before: size, after: size, rewritten: .zero))
    }
  }

  private static func words(_ left: [String]) -> String {
    left.isEmpty
      ? "compacted, and left nothing"
      : "and left \(left.joined(separator: ", ")), which was gone when it had compacted"
  }

  /// Two openings: one that only looks, and one that compacts. Answers what the first may leave behind on this engine, and
  /// did.
  private func openAgain(_ copy: FilePath, _ before: DatabaseContents) throws -> [String] {
    var left: [String] = []
    for compacts in [false, true] {
      var options = options
      options.compactOnLaunch = nil
      if compacts { options.compactOnLaunch = { _ in true } }
      let opened = try engine.open(copy, options)
      do {
        if compacts, !opened.launch.isCompacted {
          throw EngineError(
            engine: engine.id, code: .failed,
            message: "after a compaction that was killed the next one came to \(opened.launch)")
        }
        var now = try DatabaseContents(of: opened.session, tables: tables, in: copy)
        if !compacts, let unfinished = engine.capabilities.unfinishedCopy {
          left += now.overlook(unfinished, unlessIn: before)
        }
        try before.check(now, tables, of: engine)
      } catch {
        try? opened.session.close()
        throw error
      }
      try opened.session.close()
    }
    return left
  }

  private func onCopy<R>(_ body: (FilePath) throws -> R) throws -> R {
    let copy = FilePath(folder.string + ".copy")
    try FileSystem.copyTree(folder, to: copy)
    defer { try? FileSystem.removeTree(copy) }
    return try body(copy)
  }

  private func compaction(of copy: FilePath, killedBefore change: Int?) throws -> CutShort {
    var job = job
    job.folder = copy.string
    let child = try InteractiveProcess(program.executable, arguments: program.arguments)
    child.send(try program.line(job))
    return try child.cutShort(
      whileDoing: ProcessRequest.compact.rawValue, beforeChange: change)
  }

  private func size() throws -> ByteCount {
    let paths = try FileSystem.list(folder).map { folder.appending($0) }
    return ByteCount(try FileSystem.size(of: paths).bytes)
  }
}

extension LaunchOutcome {
  fileprivate var isCompacted: Bool {
    if case .compacted = self { true } else { false }
  }
}

/// What a database holds and the files that it has, to be found again.
struct DatabaseContents: Equatable {
  private var rows: [Int] = []
  /// Of all keys and bytes, in order: FNV-1a.
  private var sums: [UInt64] = []
  private var files: Set<String>

  init(of session: any EngineSession, tables: [TableState], in folder: FilePath) throws {
    files = Set(try FileSystem.list(folder))
    let snapshot = try session.beginSnapshot(label: "reading all rows")
    defer { snapshot.end() }
    for table in tables {
      var sum: UInt64 = 0xcbf2_9ce4_8422_2325
      rows.append(
        try snapshot.scan(table.index, from: .min, limit: .max) { key, bytes in
          sum = (sum ^ UInt64(bitPattern: key)) &* 0x100_0000_01b3
          for byte in bytes { sum = (sum ^ UInt64(byte)) &* 0x100_0000_01b3 }
        })
      sums.append(sum)
    }
  }

  /// Leaves a file out that was not there before; answers its name where it is there now.
  mutating func overlook(_ file: String, unlessIn before: Self) -> [String] {
    if before.files.contains(file) { return [] }
    return files.remove(file).map { [$0] } ?? []
  }

  /// Holds what is there now to what was there before `event`.
  func check(
    _ now: Self, _ tables: [TableState], of engine: any Engine,
    after event: String = "a compaction that was killed"
  ) throws {
    for (index, table) in tables.enumerated()
    where now.rows[index] != rows[index]
      || now.sums[index] != sums[index]
    {
      throw EngineError(
        engine: engine.id, code: .corrupt,
        message: "after \(event) table \(table.spec.name) has"
          + " \(now.rows[index]) rows of \(rows[index])"
          + (now.rows[index] == rows[index] ? ", with other contents" : ""))
    }
    let left = now.files.subtracting(files).sorted()
    guard left.isEmpty else {
      throw EngineError(
        engine: engine.id, code: .failed,
        message: "\(event) left \(left.joined(separator: ", ")) behind, and the"
          + " next opening did not remove it")
    }
  }
}
