// The keys of an encrypted database: the first one, and those that it gets later. All are derived from the seed.
import EngineInterface
import MetricModel
import ScenarioModel
import SystemIO

final class EncryptionKeys {
  private let setup: CellSetup
  /// How often the database got another key.
  private var changes = 0

  init(_ setup: CellSetup) { self.setup = setup }

  /// The key with which the database is opened; nil if it is not encrypted.
  var current: [UInt8]? { setup.arm.isEncrypted ? key(changes) : nil }

  /// Gives the database another key, by a compaction or in a copy. Does nothing if it is not encrypted.
  func change(_ change: NewKey, _ session: any EngineSession) throws {
    guard setup.arm.isEncrypted else { return }
    switch change {
    case .compaction: try compactUnderNewKey(session)
    case .copy: try copyUnderNewKey(session)
    }
  }

  /// Returns sixty-four bytes from the seed: the same run has the same keys.
  private func key(_ number: Int) -> [UInt8] {
    var stream =
      number == 0 ? setup.stream("encryption key") : setup.stream("encryption key", number)
    return (0..<8).flatMap { _ in
      withUnsafeBytes(of: stream.next().littleEndian) { Array($0) }
    }
  }

  private func compactUnderNewKey(_ session: any EngineSession) throws {
    let reason = "under another key"
    let rekeyable = try session.require((any Rekeyable).self, for: "another key")
    switch try rekeyable.compact(underKey: key(changes + 1)) {
    case .compacted(let before, let after, let rewritten):
      changes += 1
      setup.recorder.record(
        event: CompactionEvent(
          kind: .copy, outcome: .finished, reason: reason, before: before.total,
          after: after.total, rewritten: rewritten))
    case .skipped(let space, let why):
      setup.recorder.record(
        event: CompactionEvent(
          kind: .copy, outcome: .skipped, reason: "\(reason): \(why)", before: space.total,
          after: space.total, rewritten: .zero))
    case .notAsked, .notCalled, .declined:
      preconditionFailure("A requested compaction is done or skipped.")
    }
  }

  /// Makes a copy under another key, which must open with that key and not with the database's, and have every row.
  private func copyUnderNewKey(_ session: any EngineSession) throws {
    let workFolder = FilePath(setup.folder.string + ".copied")
    try FileSystem.makeFolders(workFolder)
    defer { try? FileSystem.removeTree(workFolder) }
    let copy = workFolder.appending(setup.engine.mainFile)
    try session.require((any Rekeyable).self, for: "another key")
      .writeCompactedCopy(to: copy, underKey: key(changes + 1))
    let size = ByteCount(try FileSystem.size(of: [copy]).bytes)
    try setup.recorder.excludingWrittenBytes { try check(workFolder, against: session) }
    setup.recorder.annotateNextSample(
      "a compacted copy under another key has \(size) and every row")
  }

  private func check(_ copy: FilePath, against session: any EngineSession) throws {
    let (engine, tables) = (setup.engine, setup.tables)
    var options = SessionOptions(tables: tables.names)
    options.shapes = tables.shapes
    options.encryptionKey = key(changes)
    if let opened = try? engine.open(copy, options) {
      try opened.session.close()
      throw EngineError(
        engine: engine.id, code: .failed,
        message: "a copy under another key was opened with the key of the database")
    }
    options.encryptionKey = key(changes + 1)
    let opened = try engine.open(copy, options).session
    do {
      let before = try DatabaseContents(of: session, tables: tables, in: copy)
      let now = try DatabaseContents(of: opened, tables: tables, in: copy)
      try before.check(now, tables, of: engine, after: "a copy under another key")
    } catch {
      try? opened.close()
      throw error
    }
    try opened.close()
  }
}
