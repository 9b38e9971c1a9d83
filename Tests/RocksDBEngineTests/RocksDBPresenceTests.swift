// The library is taken from the system or as it is named; another one is refused with what is wrong about it.
import EngineInterface
import SystemIO
import TestSupport
import Testing

@testable import RocksDBEngine

@Suite("RocksDB's library")
struct RocksDBPresenceTests {
  @Test("a missing library is a reason that names what was tried and the cure")
  func missing() throws {
    var request = RocksDBLibrary.request
    request.names = ["/nowhere/librocksdb.so"]
    let absence = try #require(throws: LibraryAbsence.self) {
      try SharedLibrary(request, environment: [:])
    }
    #expect(absence.description.contains("/nowhere/librocksdb.so"))
    #expect(absence.description.contains("librocksdb7.8"))
    #expect(absence.description.contains("COMPACTION_LAB_ROCKSDB"))
  }

  @Test("another library is refused because a function of RocksDB is missing")
  func other() throws {
    let library = try SharedLibrary(
      LibraryRequest(
        title: "RocksDB", names: ["libm.so.6", "libSystem.dylib"], variable: "NONE", cure: "none"))
    let absence = try #require(throws: LibraryAbsence.self) { try RocksDBLibrary(library) }
    #expect(absence.description.contains("it has no rocksdb_free"))
  }

  @Test("the version is that of the library", .enabled(if: hasRocksDB))
  func version() throws {
    try #expect(RocksDBEngine().capabilities.version.hasPrefix("RocksDB 7.8."))
  }
}
