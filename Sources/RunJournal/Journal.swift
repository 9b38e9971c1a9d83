// The journal of a run: each result is durable as its run ends, so that a run that was killed, or lost its power, goes on
// where it was.
import Foundation
package import RecordModel
package import SystemIO

/// The results of a plan so far, in a file of its output folder. Locked for as long as the object lives. Used by one thread
/// at a time.
package final class Journal: @unchecked Sendable {
  package static let fileName = "run.journal"

  private let file: AppendedFile
  private var check: String
  /// When the run that the journal is of was begun: ISO 8601, UTC.
  package let startedAt: String
  /// The results that were in the journal when it was opened, until they are taken.
  private var results: [JournalRun: RepetitionResult]
  /// The number of results.
  package private(set) var count: Int

  package var path: FilePath { file.path }

  /// Opens the file. A process that was killed a moment ago may have a child that has not begun its own program yet, and
  /// holds the descriptors of the first until then: two seconds are many times as long as that takes.
  private static func open(_ path: FilePath) throws(SystemError) -> AppendedFile? {
    for _ in 0..<40 {
      if let file = try AppendedFile(path) { return file }
      Clock.sleep(untilNanoseconds: Clock.monotonicNanoseconds() + 50_000_000)
    }
    return nil
  }

  /// Opens the journal of a plan, or begins it. The folder must exist.
  ///
  /// - Parameters:
  ///   - shard: what is to be run of the plan; nil for all.
  ///   - command: the command line, for messages to a later user of the folder.
  ///   - startedAt: the time now, in ISO 8601.
  ///   - anew: whether results that are there are discarded.
  ///
  /// Errors: in use by another process; of an unfinished run of another plan; changed or no journal.
  package init(
    in folder: FilePath, of plan: PlanIdentity, shard: ShardContent? = nil, command: String,
    startedAt: String, anew: Bool = false
  ) throws(JournalError) {
    let path = folder.appending(Self.fileName)
    let opened: AppendedFile?
    do throws(SystemError) { opened = try Self.open(path) } catch { throw JournalError(error) }
    guard let file = opened else {
      throw JournalError(
        .inUse,
        "\(path): another process is running the cells of this folder; wait until it has ended, or choose another folder "
          + "with --output")
    }
    self.file = file
    let found = anew ? nil : try JournalContent(file)
    if let found, !found.results.isEmpty, found.header.shard?.shard != shard?.shard,
      found.header.plan == plan || found.header.shard != nil
    {
      throw JournalError(.otherPlan, found.refusal(path, shard: shard?.shard))
    }
    if let found, found.header.plan == plan, found.header.shard?.shard == shard?.shard {
      self.startedAt = found.header.startedAt
      (results, check, count) = (found.results, found.check, found.results.count)
      return
    }
    if let found, !found.results.isEmpty, !found.hasEnded || found.header.shard != nil {
      throw JournalError(.otherPlan, found.refusal(path, plan))
    }
    let header = JournalHeader(
      command: command, startedAt: startedAt, plan: plan, shard: shard)
    let line = JournalLine.bytes(JournalLine.json(header), after: "")
    self.startedAt = startedAt
    (results, check, count) = ([:], line.check, 0)
    do throws(SystemError) {
      try file.cut(to: 0)
      try file.append(line.line)
    } catch { throw JournalError(error) }
  }

  /// Returns the result of a run that was in the journal when it was opened, and releases its memory; nil if there is none.
  package func takeResult(of run: JournalRun) -> RepetitionResult? {
    results.removeValue(forKey: run)
  }

  /// Adds a result, and returns when it is durable. `resultJSON` is the JSON of a `RepetitionResult`, in one line.
  package func append(_ run: JournalRun, resultJSON: [UInt8]) throws(SystemError) {
    try append(JournalLine.json(run, resultJSON: resultJSON))
    count += 1
  }

  /// Adds that all runs have ended: another plan may replace the journal.
  package func appendEnd() throws(SystemError) {
    try append(JournalLine.json(JournalEntry(hasEnded: true)))
  }

  /// Adds that all runs of a shard have ended.
  package func appendEnd(_ end: ShardEnd) throws(SystemError) {
    try append(JournalLine.json(JournalEntry(shardEnd: end)))
  }

  private func append(_ json: [UInt8]) throws(SystemError) {
    let line = JournalLine.bytes(json, after: check)
    try file.append(line.line)
    check = line.check
  }

  /// Removes the journal. Its record has all that was in it.
  package func remove() throws(SystemError) { try file.remove() }
}

extension Journal {
  /// Whether a file is the journal of a run, of whatever plan, or one that was cut off while it was begun.
  package static func isJournal(_ path: FilePath) -> Bool {
    do throws(SystemError) {
      var lines = try FileLines(path)
      guard let line = try lines.next() else { return true }
      return JournalLine.json(line.bytes, after: "") != nil
        || !line.isComplete && JournalContent.isTornHeader(line.bytes)
    } catch { return false }
  }

  /// Whether the folder has an unfinished journal of this plan, or of this shard of it.
  package static func isUnfinished(
    in folder: FilePath, of plan: PlanIdentity, shard: Shard? = nil
  ) -> Bool {
    guard var lines = try? FileLines(folder.appending(fileName)),
      let line = try? lines.next(), let (json, _) = JournalLine.json(line.bytes, after: "")
    else { return false }
    let header = JournalLine.decode(JournalHeader.self, json)
    guard let header, header.plan == plan, header.shard?.shard == shard else { return false }
    return shard.map { !isFinished(in: folder, of: plan, $0) } ?? true
  }
}
