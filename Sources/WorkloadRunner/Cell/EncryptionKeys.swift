// The keys of an encrypted database: the first one, and those that it gets later. All come from the seed.
import EngineInterface
import MetricModel
import ScenarioModel
import SystemIO

extension CellRun {
  /// The key that the database is opened with; nil where it is not encrypted.
  package var currentKey: [UInt8]? { arm.isEncrypted ? key : nil }

  /// The database's key now.
  var key: [UInt8] { key(keyChanges) }

  /// Sixty-four bytes from the seed: the same run has the same keys.
  private func key(_ number: Int) -> [UInt8] {
    var stream = number == 0 ? stream("encryption key") : stream("encryption key", number)
    return (0..<8).flatMap { _ in
      withUnsafeBytes(of: stream.next().littleEndian) { Array($0) }
    }
  }

  func changeKey(_ change: NewKey, _ session: any EngineSession) throws {
    switch change {
    case .compaction: try compactUnderNewKey(session)
    case .copy: try copyUnderNewKey(session)
    }
  }

  private func compactUnderNewKey(_ session: any EngineSession) throws {
    let reason = "under another key"
    let rekeyable = try session.require((any Rekeyable).self, for: "another key")
    switch try rekeyable.compact(underKey: key(keyChanges + 1)) {
    case .compacted(let before, let after, let rewritten):
      keyChanges += 1
      recorder.happened(
        CompactionEvent(
          kind: .copy, outcome: .finished, reason: reason, before: before.total,
          after: after.total, rewritten: rewritten))
    case .skipped(let space, let why):
      recorder.happened(
        CompactionEvent(
          kind: .copy, outcome: .skipped, reason: "\(reason): \(why)", before: space.total,
          after: space.total, rewritten: .zero))
    case .notAsked, .notCalled, .declined:
      preconditionFailure("A compaction that was asked for is done or skipped.")
    }
  }

  /// The copy is opened under its own key, and not under the database's, and must have every row.
  private func copyUnderNewKey(_ session: any EngineSession) throws {
    let workshop = FilePath(folder.string + ".copied")
    try FileSystem.makeFolders(workshop)
    defer { try? FileSystem.removeTree(workshop) }
    let copy = workshop.appending(engine.mainFile)
    try session.require((any Rekeyable).self, for: "another key")
      .writeCompactedCopy(to: copy, underKey: key(keyChanges + 1))
    let size = ByteCount(try FileSystem.size(of: [copy]).bytes)
    try recorder.notCounting {
      var options = SessionOptions(tables: tables.map(\.spec.name))
      options.encryptionKey = key
      if let opened = try? engine.open(workshop, options) {
        try opened.session.close()
        throw EngineError(
          engine: engine.id, code: .failed,
          message: "a copy under another key was opened with the key of the database")
      }
      options.encryptionKey = key(keyChanges + 1)
      let opened = try engine.open(workshop, options).session
      do {
        let before = try DatabaseContents(of: session, tables: tables, in: workshop)
        let now = try DatabaseContents(of: opened, tables: tables, in: workshop)
        try before.check(now, tables, of: engine, after: "a copy under another key")
      } catch {
        try? opened.close()
        throw error
      }
      try opened.close()
    }
    recorder.tell("a compacted copy under another key has \(size) and every row")
  }
}
