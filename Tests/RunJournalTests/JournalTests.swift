import Foundation
import MetricModel
import RecordModel
import SystemIO
import TestSupport
import Testing

@testable import RunJournal

@Suite("Journals")
struct JournalTests {
  static let plan = PlanIdentity(
    facts: [Fingerprint.Fact("scenario", "small"), Fingerprint.Fact("seed", "3")],
    localFacts: [Fingerprint.Fact("build", "1 B of 2.0")])

  static func run(_ repetition: Int) -> JournalRun {
    JournalRun(
      cell: CellKey(engine: "native", policy: "never", arm: "a\nb, \"c\""),
      repetition: repetition, schedule: .stepped, isControl: false)
  }

  static func result(_ repetition: Int) -> RepetitionResult {
    let zero = ByteCount(repetition)
    return RepetitionResult(
      record: RepetitionRecord(
        index: repetition,
        exact: ExactSummary(
          highWater: zero, final: zero, finalLive: nil, timeWeighted: zero, timeWeightedOpen: zero,
          rewritten: nil, written: nil, requested: zero, commits: 1, operations: 1,
          samplesDigest: "\u{2028}"),
        timing: TimingSummary(
          commitLatency: .none, readLatency: .none, blockedAtLaunchTotal: 0,
          blockedAtLaunchMax: 0, wall: 0, processorTime: 0, peakMemory: zero),
        events: [], phases: [], pins: []),
      samples: [], timings: [])
  }

  static func append(_ journal: Journal, _ repetition: Int) throws {
    let json = try JSONEncoder().encode(result(repetition))
    try journal.append(run(repetition), resultJSON: Array(json))
  }

  static func open(
    _ folder: FilePath, _ plan: PlanIdentity = Self.plan, anew: Bool = false
  ) throws -> Journal {
    try Journal(in: folder, of: plan, command: "run x.yml", startedAt: "now", anew: anew)
  }

  /// The repetitions whose results are in the journal.
  static func stored(_ folder: FilePath) throws -> [Int] {
    let journal = try open(folder)
    return (1...20).filter { journal.takeResult(of: run($0))?.record == result($0).record }
  }

  private func withJournal(_ count: Int, _ body: (FilePath, FilePath) throws -> Void) throws {
    try withTemporaryFolder { folder in
      do {
        let journal = try Self.open(folder)
        for repetition in 1...count { try Self.append(journal, repetition) }
      }
      try body(folder, folder.appending(Journal.fileName))
    }
  }

  @Test("a journal that is opened again has every result, and takes more")
  func continues() throws {
    try withJournal(3) { folder, _ in
      let journal = try Self.open(folder)
      #expect(journal.count == 3 && journal.startedAt == "now")
      try Self.append(journal, 4)
      #expect(journal.count == 4)
    }
    try withJournal(2) { folder, file in
      try #expect(Self.stored(folder) == [1, 2])
      try Self.open(folder).remove()
      #expect(!FileSystem.exists(file))
    }
  }

  @Test(
    "whatever number of bytes a torn write left, every whole line is read and the rest is cut off")
  func torn() throws {
    try withJournal(2) { folder, file in
      let whole = try FileSystem.read(file)
      let ends = whole.indices.filter { whole[$0] == UInt8(ascii: "\n") }
      #expect(ends.count == 3)
      for length in stride(from: 0, through: whole.count, by: 7) {
        try FileSystem.write(Array(whole[..<length]), to: file)
        let lines = ends.count { $0 < length }
        try #expect(Self.stored(folder) == Array(1...2).filter { $0 < lines }, "\(length) bytes")
        // What is added now follows the last whole line.
        try Self.append(try Self.open(folder), 9)
        try #expect(Self.stored(folder).last == 9, "\(length) bytes")
      }
    }
  }

  @Test("zeros after the last line, as a power cut leaves them, are cut off")
  func zeros() throws {
    try withJournal(2) { folder, file in
      try FileSystem.write(
        try FileSystem.read(file) + [UInt8](repeating: 0, count: 5000), to: file)
      try #expect(Self.stored(folder) == [1, 2])
    }
  }

  /// The bytes with zeros in place of up to 500.
  private static func zeroed(_ bytes: [UInt8], from first: Int) -> [UInt8] {
    let end = min(first + 500, bytes.count)
    return Array(bytes[..<first]) + [UInt8](repeating: 0, count: end - first) + bytes[end...]
  }

  @Test(
    "of a batch that a power cut left in parts, the lines before the first missing part are read")
  func partsOfBatch() throws {
    try withJournal(9) { folder, file in
      let whole = try FileSystem.read(file)
      let ends = whole.indices.filter { whole[$0] == UInt8(ascii: "\n") }
      for first in stride(from: ends[0] + 1, to: whole.count, by: 311) {
        let lines = ends.count { $0 < first }
        try FileSystem.write(Self.zeroed(whole, from: first), to: file)
        try #expect(Self.stored(folder) == Array((1...9).prefix(lines - 1)), "from \(first)")
        try Self.append(try Self.open(folder), 19)
        try #expect(Self.stored(folder).last == 19, "from \(first)")
      }
    }
    // More lines follow than a batch has: no power cut left that.
    try withJournal(Journal.maxWaiting + 1) { folder, file in
      var bytes = try FileSystem.read(file)
      let line = try #require(bytes.firstIndex(of: UInt8(ascii: "\n"))) + 1
      bytes[line + 5] = 0
      try FileSystem.write(bytes, to: file)
      #expect(throws: JournalError.self) { _ = try Self.open(folder) }
      try #expect(FileSystem.read(file) == bytes)
    }
  }

  @Test("what threads add while a thread of the journal writes is in it when that ends, each once")
  func grouped() throws {
    try withTemporaryFolder { folder in
      for limit in [1, 3, 64] {
        let journal = try Self.open(folder, anew: true)
        journal.begin(maxWaiting: limit)
        let threads = try (0..<4).map { part in
          try SystemThread.start(name: "cell \(part)") {
            for repetition in 1...5 { try? Self.append(journal, 5 * part + repetition) }
          }
        }
        for thread in threads { thread.join() }
        #expect(journal.finish() == nil)
        #expect(journal.count == 20)
        // After that each result is durable when `append` returns.
        try Self.append(journal, 21)
        #expect(journal.count == 21)
        let lines = try FileSystem.readText(journal.path).split(separator: "\n")
        #expect(Set(lines).count == 22)
      }
      try #expect(Self.stored(folder) == Array(1...20))
    }
  }

  @Test("a flush returns when every result is durable")
  func flushed() throws {
    try withTemporaryFolder { folder in
      let journal = try Self.open(folder)
      journal.begin(maxWaiting: 8)
      for repetition in 1...8 {
        try Self.append(journal, repetition)
        if repetition % 3 == 0 {
          journal.flush()
          #expect(journal.count == repetition)
        }
      }
      #expect(journal.finish() == nil)
      #expect(journal.count == 8)
    }
  }

  @Test("a line that was changed, removed or moved is refused with its number, and nothing is lost")
  func changed() throws {
    try withJournal(3) { folder, file in
      let text = try FileSystem.readText(file)
      let lines = text.split(separator: "\n").map(String.init)
      let changes: [(lines: [String], line: Int)] = [
        ([lines[0], lines[1].replacing("\"commits\":1", with: "\"commits\":2")] + lines[2...], 2),
        ([lines[0]] + lines[2...], 2), ([lines[0], lines[2], lines[1], lines[3]], 2),
        ([lines[0].replacing("run x.yml", with: "run y.yml")] + lines[1...], 0),
      ]
      for change in changes {
        let changed = change.lines.joined(separator: "\n") + "\n"
        #expect(changed != text)
        try FileSystem.write(text: changed, to: file)
        let error = try #require(throws: JournalError.self) { _ = try Self.open(folder) }
        #expect(error.code == .damaged)
        let at = change.line == 0 ? "\(file): " : "\(file):\(change.line): "
        #expect(error.message.hasPrefix(at) && error.message.contains("--no-resume"), "\(error)")
        try #expect(FileSystem.readText(file) == changed)
      }
    }
  }

  @Test("of a journal that was cut off anywhere in its first line its folder is known")
  func begun() throws {
    try withJournal(1) { _, file in
      let line = try FileSystem.read(file).prefix { $0 != UInt8(ascii: "\n") }
      for count in [0, 1, line.count / 2, line.count] {
        try FileSystem.write(Array(line.prefix(count)), to: file)
        #expect(Journal.isJournal(file), "\(count) bytes")
      }
    }
  }

  @Test("another file under the journal's name is refused and stays as it is")
  func foreign() throws {
    try withTemporaryFolder { folder in
      let file = folder.appending(Journal.fileName)
      for text in ["notes\n", "notes", "{}\n{}\n"] {
        try FileSystem.write(text: text, to: file)
        #expect(throws: JournalError.self) { _ = try Self.open(folder) }
        try #expect(FileSystem.readText(file) == text)
        #expect(!Journal.isJournal(file))
      }
    }
  }

  @Test("another plan is refused with the facts in which it differs, until all runs have ended")
  func otherPlan() throws {
    try withJournal(1) { folder, _ in
      var other = Self.plan
      other.facts[1].value = "4"
      let error = try #require(throws: JournalError.self) { _ = try Self.open(folder, other) }
      #expect(error.code == .otherPlan)
      #expect(error.message.contains("seed (3 there, 4 now)"), "\(error)")
      #expect(error.message.contains("run x.yml"), "\(error)")
      try #expect(Self.stored(folder) == [1])
      #expect(Journal.isUnfinished(in: folder, of: Self.plan))
      #expect(!Journal.isUnfinished(in: folder, of: other))
      try Self.open(folder).appendEnd()
      try #expect(Self.open(folder, other).count == 0)
    }
  }

  @Test("another build is another plan; a journal without results gives way; --no-resume discards")
  func replaced() throws {
    try withTemporaryFolder { folder in
      var other = Self.plan
      other.localFacts[0].value = "1 B of 3.0"
      #expect(other.digest == Self.plan.digest)
      _ = try Self.open(folder)
      let journal = try Self.open(folder, other)
      try Self.append(journal, 1)
      #expect(throws: JournalError.self) { _ = try Self.open(folder) }
    }
    try withJournal(2) { folder, _ in
      try #expect(Self.open(folder, anew: true).count == 0)
      try #expect(Self.stored(folder) == [])
    }
  }

  @Test("a journal that is open is refused to another opening, and given to it when that one ends")
  func locked() throws {
    try withJournal(1) { folder, _ in
      try withExtendedLifetime(try Self.open(folder)) {
        let error = try #require(throws: JournalError.self) { _ = try Self.open(folder) }
        #expect(error.code == .inUse)
      }
      try #expect(Self.stored(folder) == [1])
    }
  }

  @Test("facts that differ are named with their values, digests without them")
  func differences() {
    var other = Self.plan
    other.facts[0] = Fingerprint.Fact("scenario", digestOf: [1])
    other.facts.append(Fingerprint.Fact("trace", digestOf: [2]))
    var plan = Self.plan
    plan.facts[0] = Fingerprint.Fact("scenario", digestOf: [3])
    #expect(plan.differences(from: other) == ["scenario", "trace"])
    #expect(plan.differences(from: plan) == [])
    #expect(plan.digest != other.digest)
  }
}
