// Reads a journal: every line is checked, torn lines at its end are dropped.
import RecordModel
import SystemIO

struct JournalContent {
  let header: JournalHeader
  private(set) var results: [JournalRun: RepetitionResult] = [:]
  private(set) var check: String
  private(set) var hasEnded = false

  /// Reads the file, and cuts off torn lines at its end; nil for a file without a whole first line.
  init?(_ file: AppendedFile) throws(JournalError) {
    var lines = try JournalLines(file.path)
    guard let first = try lines.next() else { return nil }
    guard let (json, check) = JournalLine.json(first.bytes, after: ""),
      let header = JournalLine.decode(JournalHeader.self, json)
    else {
      // A header is torn where the process was killed while it began the journal, or the power was cut.
      if !first.isComplete, Self.isTornHeader(first.bytes) { return nil }
      throw JournalError(
        .damaged,
        "\(file.path): this is not the journal of a run, or it was changed; --no-resume discards it and runs every cell "
          + "again")
    }
    (self.header, self.check) = (header, check)
    try readEntries(&lines, file)
  }

  private mutating func readEntries(
    _ lines: inout JournalLines, _ file: AppendedFile
  ) throws(JournalError) {
    var number = 1
    var next = try lines.next()
    while let line = next {
      number += 1
      next = try lines.next()
      guard line.isComplete, let (json, check) = JournalLine.json(line.bytes, after: check),
        let entry = JournalLine.decode(JournalEntry.self, json)
      else {
        var isTorn = next == nil
        if !isTorn { isTorn = try Self.isTorn(line, followedBy: &lines) }
        guard isTorn else {
          throw JournalError(
            .damaged,
            "\(file.path):\(number): this line of the journal was changed, or lines before it are missing; --no-resume "
              + "discards the journal and runs every cell again")
        }
        do throws(SystemError) { return try file.cut(to: line.offset) } catch {
          throw JournalError(error)
        }
      }
      self.check = check
      if let run = entry.run, let result = entry.result {
        results[run] = result
        hasEnded = false
      }
      if entry.hasEnded == true || entry.shardEnd != nil { hasEnded = true }
    }
  }

  /// Whether a power cut left the line as it is, and not a change of the file. Lines are written several at a time, each
  /// batch durable before the next is begun: of the last batch any part may be missing, and is zeros then.
  private static func isTorn(
    _ line: FileLines.Line, followedBy lines: inout JournalLines
  ) throws(JournalError) -> Bool {
    guard line.bytes.contains(0) else { return false }
    var following = 1
    while following < Journal.maxWaiting, try lines.next() != nil { following += 1 }
    return following < Journal.maxWaiting
  }

  /// Whether the bytes are the beginning of a first line, or zeros as a power cut leaves them.
  static func isTornHeader(_ bytes: [UInt8]) -> Bool {
    bytes.first == UInt8(ascii: "x") || bytes.allSatisfy { $0 == 0 }
  }

  /// Returns why another shard cannot have the folder, whose journal is the only file with the results of its own.
  func refusal(_ path: FilePath, shard: Shard?) -> String {
    let found = header.shard.map { "of shard \($0.shard)" } ?? "of a whole run"
    let wanted = shard.map { "shard \($0)" } ?? "a whole run"
    return """
      \(path): the journal \(found), with \(results.count) results; \(wanted) needs another folder: choose one with \
      --output, or discard these results with --no-resume
      """
  }

  /// Returns why another plan cannot have the folder.
  func refusal(_ path: FilePath, _ plan: PlanIdentity) -> String {
    let differences = plan.differences(from: header.plan)
    let shown = differences.prefix(4).joined(separator: ", ")
    let rest = differences.count > 4 ? " and \(differences.count - 4) more" : ""
    let run =
      header.shard.map { "the journal of shard \($0.shard)" } ?? "the journal of an unfinished run"
    return """
      \(path): \(run) of another plan, with \(results.count) results. The plans differ in \
      \(shown)\(rest). To finish that run, repeat its command: \(header.wholeCommand). To discard its results, add \
      --no-resume; to leave them, choose another folder with --output
      """
  }
}

/// The lines of a journal's file.
struct JournalLines {
  private var lines: FileLines

  init(_ path: FilePath) throws(JournalError) {
    do throws(SystemError) { lines = try FileLines(path) } catch { throw JournalError(error) }
  }

  mutating func next() throws(JournalError) -> FileLines.Line? {
    do throws(SystemError) { return try lines.next() } catch { throw JournalError(error) }
  }
}
