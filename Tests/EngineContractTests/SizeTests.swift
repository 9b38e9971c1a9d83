// How large the native engine's file is beside SQLite's, for the same rows loaded in the same way.
import EngineInterface
import NativeEngine
import SQLiteEngine
import SystemIO
import TestSupport
import Testing

@Suite("File sizes")
struct SizeTests {
  /// What the same load leaves of a file.
  private struct Sizes: Equatable {
    var live = 0
    var overhead = 0
    var closed = 0
  }

  /// Rows of 256 bytes, in key order, in one transaction; then the session is closed.
  private func load(_ engine: any Engine, rows: Int) throws -> Sizes {
    try withTemporaryFolder { folder in
      let subject = EngineUnderTest(engine: engine)
      let session = try subject.open(folder, durability: .full)
      let value = (0..<256).map { UInt8(truncatingIfNeeded: $0 &* 31) }
      try session.write { transaction in
        for key in 0..<Int64(rows) {
          try value.withUnsafeBytes { try transaction.put(0, key, $0) }
        }
      }
      let usage = try session.spaceUsage()
      try session.close()
      let files = [subject.file(in: folder)] + engine.sidecarFiles.map { folder.appending($0) }
      return Sizes(
        live: usage.live?.bytes ?? 0, overhead: usage.overhead?.bytes ?? 0,
        closed: try FileSystem.size(of: files).bytes)
    }
  }

  /// The front of the native file, a page for the header and one for each commit slot, is what very small files have
  /// more than SQLite's.
  @Test(
    "rows loaded in key order take no more than in SQLite, before the file is closed and after",
    arguments: [
      (20_000, Sizes(live: 5_447_688, overhead: 12_544, closed: 5_468_160)),
      (100_000, Sizes(live: 27_238_144, overhead: 12_544, closed: 27_262_976)),
    ])
  private func besideSQLite(_ rows: Int, _ expected: Sizes) throws {
    let native = try load(NativeEngine.exact, rows: rows)
    let other = try load(try SQLiteEngine(), rows: rows)
    #expect(native == expected)
    #expect(native.live + native.overhead <= other.closed)
    #expect(native.closed <= other.closed)
  }
}
