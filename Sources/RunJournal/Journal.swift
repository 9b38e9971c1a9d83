// The journal of a run: each result is durable as its run ends, so that a run that was killed, or lost its power, goes on
// where it was.
import Foundation
package import RecordModel
package import SystemIO

/// The results of a plan so far, in a file of its output folder. Locked for as long as the object lives.
///
/// Between `begin` and `finish` a thread of its own makes results durable: all that wait with one write and one sync, as the
/// logs of databases do (group commit). The threads that run cells do not wait for the disk.
package final class Journal: Sendable {
  package static let fileName = "run.journal"
  /// The greatest number of results that can be lost when the power is cut, beside the cells that run.
  package static let maxWaiting = 64

  package let path: FilePath
  /// When the run that the journal is of was begun: ISO 8601, UTC.
  package let startedAt: String
  private let file: Guarded<JournalFile>
  private let queue: Guarded<JournalQueue>
  /// The results that were in the journal when it was opened, until they are taken.
  private let results: Guarded<[JournalRun: RepetitionResult]>
  private let writer = Guarded<SystemThread?>(nil)

  /// The number of results that are durable.
  package var count: Int { queue.withLock { $0.count } }

  /// Why a result could not be added; nil if all were.
  package var failure: SystemError? { queue.withLock { $0.failure } }

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
    self.path = path
    let found = anew ? nil : try JournalContent(file)
    if let found, !found.results.isEmpty, found.header.shard?.shard != shard?.shard,
      found.header.plan == plan || found.header.shard != nil
    {
      throw JournalError(.otherPlan, found.refusal(path, shard: shard?.shard))
    }
    if let found, found.header.plan == plan, found.header.shard?.shard == shard?.shard {
      self.startedAt = found.header.startedAt
      self.file = Guarded(JournalFile(file, check: found.check))
      queue = Guarded(JournalQueue(count: found.results.count))
      results = Guarded(found.results)
      return
    }
    if let found, !found.results.isEmpty, !found.hasEnded || found.header.shard != nil {
      throw JournalError(.otherPlan, found.refusal(path, plan))
    }
    let header = JournalHeader(
      command: command, startedAt: startedAt, plan: plan, shard: shard)
    let line = JournalLine.bytes(JournalLine.json(header), after: "")
    self.startedAt = startedAt
    do throws(SystemError) {
      try file.cut(to: 0)
      try file.append(line.line)
    } catch { throw JournalError(error) }
    self.file = Guarded(JournalFile(file, check: line.check))
    (queue, results) = (Guarded(JournalQueue(count: 0)), Guarded([:]))
  }

  /// Returns the result of a run that was in the journal when it was opened, and releases its memory; nil if there is none.
  package func takeResult(of run: JournalRun) -> RepetitionResult? {
    results.withLock { $0.removeValue(forKey: run) }
  }

  /// Adds a result. `resultJSON` is the JSON of a `RepetitionResult`, in one line.
  ///
  /// Between `begin` and `finish` it returns before the result is durable, and waits only while as many results wait as may.
  /// Otherwise it returns when the result is durable.
  package func append(_ run: JournalRun, resultJSON: [UInt8]) throws(SystemError) {
    let entry = JournalLine.json(run, resultJSON: resultJSON)
    let isQueued = try queue.withLock(
      when: { $0.maxWaiting == 0 || $0.waiting < $0.maxWaiting || $0.failure != nil },
      { queue throws(SystemError) in
        if let failure = queue.failure { throw failure }
        guard queue.maxWaiting > 0 else { return false }
        queue.add(entry)
        return true
      })
    if isQueued { return }
    if let failure = write([entry]) { throw failure }
  }

  /// Adds that all runs have ended: another plan may replace the journal.
  package func appendEnd() throws(SystemError) {
    try append(JournalEntry(hasEnded: true))
  }

  /// Adds that all runs of a shard have ended.
  package func appendEnd(_ end: ShardEnd) throws(SystemError) {
    try append(JournalEntry(shardEnd: end))
  }

  private func append(_ entry: JournalEntry) throws(SystemError) {
    try file.withLock { file throws(SystemError) in
      var added = 0
      try file.append([JournalLine.json(entry)], added: &added)
    }
  }

  /// Removes the journal. Its record has all that was in it.
  package func remove() throws(SystemError) {
    try file.withLock { file throws(SystemError) in try file.file.remove() }
  }
}

extension Journal {
  /// Starts the thread that makes results durable. Where the system refuses it, `append` waits for the disk.
  ///
  /// - Parameter maxWaiting: the greatest number of results that wait, from 1 to `Journal.maxWaiting`.
  package func begin(maxWaiting: Int) {
    writer.withLock { writer in
      guard writer == nil else { return }
      queue.withLock {
        $0.maxWaiting = max(1, min(maxWaiting, Self.maxWaiting))
        $0.isEnding = false
      }
      writer = try? SystemThread.start(name: "journal") { self.writeAll() }
      if writer == nil { queue.withLock { $0.maxWaiting = 0 } }
    }
  }

  /// Waits until all results that were added are durable, or one could not be added.
  package func flush() { queue.withLock(when: { $0.waiting == 0 }, { _ in }) }

  /// Ends the thread, when all results are durable. Returns why one could not be added; nil if all were.
  package func finish() -> SystemError? {
    writer.withLock { writer in
      queue.withLock { $0.isEnding = true }
      writer?.join()
      writer = nil
      queue.withLock { $0.maxWaiting = 0 }
    }
    return failure
  }

  /// Writes what is in the queue until the journal ends.
  private func writeAll() {
    while true {
      let entries = queue.withLock(
        when: { !$0.entries.isEmpty || $0.isEnding }, { $0.takeAll() })
      if entries.isEmpty { return }
      _ = write(entries)
    }
  }

  private func write(_ entries: [[UInt8]]) -> SystemError? {
    var added = 0
    var failure: SystemError?
    file.withLock { file in
      do throws(SystemError) { try file.append(entries, added: &added) } catch { failure = error }
    }
    queue.withLock { $0.end(added: added, failure: failure) }
    return failure
  }
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
