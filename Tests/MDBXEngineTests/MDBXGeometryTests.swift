// The file's geometry: bounds, steps and cuts are those that were asked for, and what is refused harms nothing.
import EngineInterface
import MetricModel
import SystemIO
import TestSupport
import Testing

@testable import MDBXEngine

@Suite("libmdbx's file grows and is cut as one asks", .whereThereIsLibmdbx)
struct MDBXGeometryTests {
  private let step = ByteCount(128 << 10)

  @Test("the file is never shorter than the lower bound, and grows by whole steps")
  func steps() throws {
    try withTemporaryFolder { folder in
      let lower = ByteCount(1 << 20)
      let session = try open(
        folder, geometry: FileGeometry(lower: lower, growthStep: step, shrinkThreshold: .zero))
      var lengths: Set<Int> = []
      for commit in 0..<300 {
        try session.put(Int64(commit * 10)..<Int64(commit * 10 + 10), bytes: 500)
        lengths.insert(try length(folder).bytes)
      }
      #expect(lengths.min() == lower.bytes)
      #expect(lengths.count > 5)
      #expect(lengths.allSatisfy { $0 % step.bytes == 0 }, "\(lengths)")
      try session.close()
    }
  }

  @Test("what the upper bound forbids is out of space, and what was committed stays")
  func upperBound() throws {
    try withTemporaryFolder { folder in
      let upper = ByteCount(2 << 20)
      let session = try open(folder, geometry: FileGeometry(upper: upper))
      var committed = 0
      let error = #expect(throws: EngineError.self) {
        while committed < 10_000 {
          try session.put(Int64(committed)..<Int64(committed + 10), bytes: 500)
          committed += 10
        }
      }
      #expect(error?.code == .outOfSpace)
      try #expect(session.count() == committed)
      try #expect(length(folder) <= upper)
      try session.close()
      // A wider bound lets it go on.
      let wider = try open(folder, geometry: FileGeometry(upper: 2 * upper))
      try wider.put(Int64(committed)..<Int64(committed + 10), bytes: 500)
      try #expect(wider.count() == committed + 10)
      try wider.close()
    }
  }

  /// What came of many rows that were written and deleted again, and of small commits after that.
  private func churned(
    _ folder: FilePath, cutsFrom threshold: ByteCount?
  ) throws -> (full: ByteCount, end: ByteCount, events: [CompactionEvent]) {
    let session = try open(folder, geometry: FileGeometry(shrinkThreshold: threshold))
    try session.put(0..<400, bytes: 500)
    for seed in 1..<20 { try session.put([Int64(seed)], bytes: 500, seed: UInt64(seed)) }
    try session.put(400..<4000, bytes: 500)
    let full = try session.spaceUsage().file
    try session.delete(400..<4000)
    for seed in 1..<200 {
      try session.put([Int64(seed * 7 % 400)], bytes: 500, seed: UInt64(seed))
    }
    let end = try session.spaceUsage().file
    try #expect(end == length(folder))
    try #expect(session.count() == 400)
    let events = session.drainEvents()
    #expect(session.drainEvents().isEmpty)
    try session.close()
    return (full, end, events)
  }

  @Test("with a threshold the file is cut once so much is free at its end, and that is told")
  func shrinks() throws {
    try withTemporaryFolder { folder in
      let (full, end, events) = try churned(folder, cutsFrom: ByteCount(512 << 10))
      #expect(full - end >= ByteCount(512 << 10), "\(full) \(end)")
      #expect(events.map(\.outcome) == [.finished])
      #expect(events.map(\.before) == [full] && events.map(\.after) == [end])
      #expect(events.map(\.rewritten) == [.zero])
    }
  }

  @Test("without a request the file is not cut")
  func keeps() throws {
    try withTemporaryFolder { folder in
      let (full, end, events) = try churned(folder, cutsFrom: nil)
      #expect(end >= full)
      #expect(events.isEmpty)
    }
  }

  @Test("asked to, a version that can move pages shortens the file, and another does nothing")
  func shortens() throws {
    try withTemporaryFolder { folder in
      let session = try open(folder, geometry: FileGeometry(shrinkThreshold: step))
      try session.put(0..<4000, bytes: 500)
      // Whole pages: where one row of ten stays, one stays in each page, and libmdbx joins none.
      for key in Int64(0)..<4000 where key / 100 % 10 != 0 { try session.delete([key]) }
      let full = try session.spaceUsage().file
      let done = try session.capability((any Shortenable).self)?.shorten(by: nil)
      try #expect(session.count() == 400)
      if try MDBXEngine().capabilities.shortening.isSupported {
        let done = try #require(done)
        #expect(done.before == full && 2 * done.after < full && done.rewritten > .zero)
        #expect(done.rewritten < done.after)
        try #expect(length(folder) == done.after)
        try #expect(session.spaceUsage().file == done.after)
      } else {
        #expect(done == nil)
        try #expect(session.spaceUsage().file == full)
      }
      try session.close()
    }
  }

  @Test("opening a file again changes nothing of its length, with other steps as well")
  func openingKeepsLength() throws {
    try withTemporaryFolder { folder in
      let first = try open(folder)
      try first.put(0..<4000, bytes: 500)
      try first.delete(100..<4000)
      try first.close()
      let before = try length(folder)
      for step in [nil, ByteCount(64 << 10), ByteCount(1 << 20)] {
        let again = try open(folder, geometry: step.map { FileGeometry(growthStep: $0) })
        try #expect(again.spaceUsage().file == before)
        try again.close()
        try #expect(length(folder) == before)
      }
    }
  }
}
