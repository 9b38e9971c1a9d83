// The figures of Reports/Claims are those of the galleries. Each is named here, in the order of the page, by where it stands
// there; UPDATE_GOLDEN=1 writes them anew when a gallery was made anew.
import TestSupport
import Testing

private typealias Figure = GalleryFigure

@Suite("Claims' figures")
struct ClaimFigureTests {
  private static let figures: [Figure] = [
    Figure("constant-churn", "native", .final("never")),
    Figure("constant-churn", "lmdb", .final("never")),
    Figure("constant-churn", "sqlite", .final("never")),
    Figure("constant-churn", "mdbx", .final("never")),
    Figure("constant-churn", "realm-core", .final("automatic")),
    Figure("deleted-most", "native", .final("never")),
    Figure("deleted-most", "native", .final("every-launch")),
    Figure("deleted-most", "lmdb", .final("never")),
    Figure("deleted-most", "lmdb", .final("every-launch")),
    Figure("deleted-most", "sqlite", .final("never")),
    Figure("deleted-most", "sqlite", .final("every-launch")),
    Figure("deleted-most", "mdbx", .final("never")),
    Figure("deleted-most", "mdbx", .final("every-launch")),
    Figure("deleted-most", "realm-core", .highWater("automatic")),
    Figure("deleted-most", "realm-core", .final("automatic")),
    Figure("deleted-most", "native", .final("every-launch")),
    Figure("deleted-most", "sqlite", .final("every-launch")),
    Figure("deleted-most", "lmdb", .final("every-launch")),
    Figure("deleted-most", "mdbx", .final("every-launch")),
    Figure("deleted-most", "realm-core", .final("every-launch")),
    Figure("deleted-most", "realm-core", .final("automatic")),
    Figure("long-pin", "native", .growth(nil)),
    Figure("long-pin", "lmdb", .growth(nil)),
    Figure("long-pin", "sqlite", .growth(nil)),
    Figure("long-pin", "mdbx", .growth(nil)),
    Figure("long-pin", "realm-core", .growth(nil)),
    Figure("address-space", "native", .final("every-launch")),
    Figure("address-space", "lmdb", .final("never")),
    Figure("address-space", "mdbx", .final("never")),
    Figure("split-files", "native", .growth(nil)),
    Figure("split-files", "lmdb", .growth(nil)),
    Figure("split-files", "lmdb", .growth("four")),
    Figure("split-files", "sqlite", .growth(nil)),
    Figure("split-files", "sqlite", .growth("four")),
    Figure("split-files", "mdbx", .growth(nil)),
    Figure("split-files", "mdbx", .growth("four")),
    Figure("split-files", "realm-core", .growth(nil)),
    Figure("long-reader", "native", .growth(nil)),
    Figure("long-reader", "native-oldest-reader", .growth(nil)),
    Figure("long-reader", "lmdb", .growth(nil)),
    Figure("long-reader", "sqlite", .growth(nil)),
    Figure("long-reader", "mdbx", .growth(nil)),
    Figure("long-reader", "realm-core", .growth(nil)),
    Figure("long-reader", "lmdb", .growth("refresh")),
    Figure("long-reader", "sqlite", .growth("refresh")),
    Figure("long-reader", "mdbx", .growth("refresh")),
    Figure("long-reader", "realm-core", .growth("refresh")),
    Figure("frozen-objects", "native", .growth(nil)),
    Figure("frozen-objects", "native", .growth("window-100")),
    Figure("frozen-objects", "lmdb", .growth(nil)),
    Figure("frozen-objects", "lmdb", .growth("window-100")),
    Figure("frozen-objects", "sqlite", .growth(nil)),
    Figure("frozen-objects", "mdbx", .growth(nil)),
    Figure("frozen-objects", "mdbx", .growth("window-100")),
    Figure("frozen-objects", "realm-core", .highWaterOf("window-10")),
    Figure("frozen-objects", "realm-core", .highWaterOf("window-100")),
    Figure("late-pools", "native", .growth(nil)),
    Figure("late-pools", "native", .growth("never")),
    Figure("late-pools", "lmdb", .growth(nil)),
    Figure("late-pools", "lmdb", .growth("never")),
    Figure("late-pools", "sqlite", .growth(nil)),
    Figure("late-pools", "mdbx", .growth(nil)),
    Figure("late-pools", "mdbx", .growth("never")),
    Figure("late-pools", "realm-core", .growth(nil)),
    Figure("late-pools", "realm-core", .growth("never")),
    Figure("late-pools", "lmdb", .growth("explicit-pool")),
    Figure("late-pools", "sqlite", .growth("explicit-pool")),
    Figure("writers-in-line", "native", .growth(nil)),
    Figure("writers-in-line", "lmdb", .growth(nil)),
    Figure("writers-in-line", "lmdb", .growth("letting-go")),
    Figure("writers-in-line", "sqlite", .growth(nil)),
    Figure("writers-in-line", "sqlite", .growth("letting-go")),
    Figure("writers-in-line", "mdbx", .growth(nil)),
    Figure("writers-in-line", "realm-core", .growth(nil)),
    Figure("deleted-most", "native", .highWater("automatic")),
    Figure("deleted-most", "native", .final("automatic")),
    Figure("long-reader", "native", .final("automatic")),
    Figure("deleted-most", "sqlite", .final("automatic")),
    Figure("deleted-most", "realm-core", .highWater("automatic")),
    Figure("deleted-most", "realm-core", .final("automatic")),
    Figure("long-reader", "realm-core", .final("automatic")),
    Figure("compaction-skipped", "native", .final("every-launch")),
    Figure("compaction-skipped", "lmdb", .final("every-launch")),
    Figure("compaction-skipped", "sqlite", .final("every-launch")),
    Figure("compaction-skipped", "mdbx", .final("every-launch")),
    Figure("compaction-skipped", "realm-core", .final("every-launch")),
    Figure("compaction-at-launch", "native", .final("half-free")),
    Figure("compaction-at-launch", "native", .highWater("half-free")),
    Figure("compaction-at-launch", "lmdb", .final("half-free")),
    Figure("compaction-at-launch", "sqlite", .final("half-free")),
    Figure("compaction-at-launch", "mdbx", .final("half-free")),
    Figure("compaction-at-launch", "realm-core", .final("half-free")),
    Figure("compaction-at-launch", "realm-core", .highWater("half-free")),
  ]

  @Test("every figure of the page stands in the gallery of its engine")
  func figures() throws {
    try expectFigures(Self.figures, on: "Reports/Claims/README.md")
  }

  private static let otherEngines: [Figure] = [
    Figure("styles", "rocksdb", .final("automatic(leveled)")),
    Figure("styles", "rocksdb", .highWater("automatic(leveled)")),
    Figure("styles", "rocksdb", .final("automatic(universal)")),
    Figure("styles", "rocksdb", .highWater("automatic(universal)")),
    Figure("styles", "rocksdb", .final("automatic(fifo)")),
    Figure("deleted-rows", "duckdb", .highWater("automatic")),
    Figure("deleted-rows", "duckdb", .final("automatic")),
    Figure("deleted-rows", "duckdb", .final("never")),
    Figure("deleted-rows", "duckdb", .final("every-launch")),
    Figure("compact-in-vain", "wiredtiger", .final("never")),
    Figure("compact-in-vain", "wiredtiger", .final("every-launch")),
  ]

  @Test("so does every figure of the page on RocksDB, DuckDB and WiredTiger")
  func otherEngines() throws {
    try expectFigures(Self.otherEngines, on: "Reports/Claims/OtherEngines.md")
  }
}
