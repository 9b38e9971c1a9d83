// Reads the finished journal of a shard as `merge` does: without a lock, without writing, and with every line checked. What a
// run would cut off, a torn last line, is an error here.
package import RecordModel
package import SystemIO

package struct ShardJournal: Sendable {
  package let path: FilePath
  package let plan: PlanIdentity
  /// The command line without `--shard`.
  package let command: String
  package let content: ShardContent
  package let results: [JournalRun: RepetitionResult]
  /// Nil for a shard that has not ended.
  package let end: ShardEnd?

  package var shard: Shard { content.shard }

  /// The command that runs a shard of this plan.
  package func command(of shard: Shard) -> String { "\(command) --shard \(shard)" }

  package init(_ path: FilePath) throws(JournalError) {
    var lines = try JournalLines(path)
    guard let first = try lines.next(), first.isComplete,
      let (json, check) = JournalLine.json(first.bytes, after: ""),
      let header = JournalLine.decode(JournalHeader.self, json),
      header.shard?.groups.isEmpty != true
    else {
      throw JournalError(
        .damaged, "\(path):1: this is not the journal of a run, or it was changed or truncated")
    }
    guard let content = header.shard else {
      throw JournalError(
        .otherPlan,
        "\(path): the journal of a whole run, not of a shard; the same command without --shard finishes it: "
          + header.command)
    }
    self.path = path
    (plan, command, self.content) = (header.plan, header.command, content)
    (results, end) = try Self.entries(&lines, after: check, path)
  }

  private static func entries(
    _ lines: inout JournalLines, after first: String, _ path: FilePath
  ) throws(JournalError) -> (results: [JournalRun: RepetitionResult], end: ShardEnd?) {
    var results: [JournalRun: RepetitionResult] = [:]
    var (check, number, end) = (first, 1, ShardEnd?.none)
    while let line = try lines.next() {
      number += 1
      guard line.isComplete, let (json, next) = JournalLine.json(line.bytes, after: check),
        let entry = JournalLine.decode(JournalEntry.self, json)
      else {
        throw JournalError(
          .damaged,
          "\(path):\(number): this line was changed or truncated, or lines before it are missing")
      }
      check = next
      if let run = entry.run, let result = entry.result { results[run] = result }
      // Results after an end are of cells that failed before, and ran again.
      end = entry.shardEnd
    }
    return (results, end)
  }
}

extension Journal {
  /// Whether the folder has the journal of this shard, with results of all its cells. Decodes no result.
  package static func isFinished(
    in folder: FilePath, of plan: PlanIdentity, _ shard: Shard
  ) -> Bool {
    guard var lines = try? JournalLines(folder.appending(fileName)),
      let first = try? lines.next(), var (json, check) = JournalLine.json(first.bytes, after: ""),
      let header = JournalLine.decode(JournalHeader.self, json), header.plan == plan,
      header.shard?.shard == shard
    else { return false }
    while let line = try? lines.next() {
      guard line.isComplete, let next = JournalLine.json(line.bytes, after: check) else {
        return false
      }
      (json, check) = next
    }
    return JournalLine.decode(JournalEntry.self, json)?.shardEnd?.hasFailedCell == false
  }
}
