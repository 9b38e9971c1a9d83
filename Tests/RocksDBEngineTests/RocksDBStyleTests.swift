// RocksDB's compaction styles: what each writes, keeps and loses.
import EngineInterface
import EngineTestSupport
import MetricModel
import SystemIO
import TestSupport
import Testing

@testable import RocksDBEngine

@Suite("The compaction styles of RocksDB", .enabled(if: hasRocksDB))
struct RocksDBStyleTests {
  private static let rows = 2000

  /// What a style wrote and keeps, after all rows were written eight times over in random order.
  private struct Outcome: Equatable {
    var written: ByteCount
    var space: [SpaceUsage]
  }

  private func overwrite(_ preset: AutomaticPreset?) throws -> Outcome {
    try withTemporaryFolder { folder in
      let session = try RocksDBEngine().session(folder, automatic: true, preset: preset)
      var random = SeededRandom(seed: 5)
      var outcome = Outcome(written: .zero, space: [])
      try session.fill(0..<Self.rows, bytes: 500)
      for seed in UInt64(2)...8 {
        try session.fill(
          (0..<Self.rows).map { _ in random.below(Self.rows) }, bytes: 500, seed: seed)
        outcome.space.append(try session.spaceUsage())
      }
      outcome.written = try #require(session.bytesWritten)
      try #expect(session.count() == Self.rows)
      try session.close()
      return outcome
    }
  }

  @Test("universal compaction needs more space than leveled compaction, which is the default")
  func space() throws {
    let (leveled, universal) = (try overwrite(.leveled), try overwrite(.universal))
    func most(_ outcome: Outcome) throws -> ByteCount {
      try #require(outcome.space.map(\.file).max())
    }
    try #expect(most(leveled) < most(universal))
    try #expect(overwrite(nil) == leveled)
  }

  @Test("first-in-first-out frees nothing of what was overwritten, and loses no row")
  func firstInFirstOut() throws {
    let space = try #require(overwrite(.fifo).space.last)
    try #expect(space.file > 6 * #require(space.live), "\(space)")
  }

  @Test("each style has the same bytes in each run", arguments: CompactionStyle.presets)
  func repeats(_ preset: AutomaticPreset) throws {
    try #expect(overwrite(preset) == overwrite(preset))
  }

  @Test("a launch merges all runs in every style", arguments: CompactionStyle.presets)
  func launch(_ preset: AutomaticPreset) throws {
    try withTemporaryFolder { folder in
      let engine = try RocksDBEngine()
      let session = try engine.session(folder, automatic: true, preset: preset)
      for seed in UInt64(1)...3 { try session.fill(0..<Self.rows, bytes: 500, seed: seed) }
      try session.close()
      let opened = try engine.open(
        folder,
        SessionOptions(
          tables: ["rows"], automaticCompaction: true, automaticPreset: preset,
          compactOnLaunch: { _ in true }))
      guard case .compacted(let before, let after, let rewritten) = opened.launch else {
        Issue.record("\(opened.launch)")
        return
      }
      #expect(after.free == .zero)
      #expect(after.file < before.file)
      try #expect(#require(opened.session.bytesWritten) >= rewritten)
      // And goes on in its style.
      try opened.session.fill(0..<Self.rows, bytes: 500, seed: 9)
      try #expect(opened.session.count() == Self.rows)
      try opened.session.close()
    }
  }

  @Test("a preset of another engine is refused with the names of its own")
  func foreignPreset() throws {
    try withTemporaryFolder { folder in
      let error = #expect(throws: EngineError.self) {
        try RocksDBEngine().session(folder, automatic: true, preset: .eager)
      }
      #expect(error?.message.hasSuffix("name leveled, universal, fifo") == true, "\(error as Any)")
    }
  }
}
