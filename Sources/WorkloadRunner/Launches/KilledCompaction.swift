// Kills a compaction in the middle: another process opens the database to compact it, and is killed before one of the
// system calls by which it changes files. The next opening must find every row, compact, and leave no file behind; where an
// engine is known to leave its unfinished copy to the next compaction, the event reports that. All this is done with a copy
// of the files, so that the run continues with the same bytes wherever the process was killed: foreign engines do not always
// make the same number of calls.
import EngineInterface
import MetricModel
import ScenarioModel
import SystemIO

struct KilledCompaction {
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

  /// Kills the compaction before one of its changes, chosen evenly over all killed compactions from the first change to the
  /// last; their number is that of an undisturbed compaction. `before` are the contents of the database.
  func carryOut(_ before: DatabaseContents) throws {
    try recorder.excludingWrittenBytes {
      let all = try onCopy { copy in try compaction(of: copy, killedBefore: nil).changes }
      guard all > 0 else { throw RunnerError("the compaction to be killed changed no file") }
      let change = count == 1 ? all / 2 + 1 : 1 + (all - 1) * number / (count - 1)
      let left = try onCopy { copy in
        _ = try compaction(of: copy, killedBefore: change)
        return try openAgain(copy, before)
      }
      let size = try self.size()
      recorder.record(
        event: CompactionEvent(
          kind: .onLaunch, outcome: .abandoned,
          reason:
            "on a copy its process was killed at place \(number + 1) of \(count), from its first "
            + "change to a file to its last; who opened next found every row, \(Self.describe(left))",
          before: size, after: size, rewritten: .zero))
    }
  }

  private static func describe(_ left: [String]) -> String {
    left.isEmpty
      ? "compacted, and left nothing"
      : "and left \(left.joined(separator: ", ")), which was gone when it had compacted"
  }

  /// Opens the database twice: to read only, and to compact. Returns the files that the first opening left behind and that
  /// it may leave on this engine.
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
          left += now.ignore(unfinished, unlessIn: before)
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
