// The library is taken from the system or as it is named; another one is refused with what is wrong about it.
import EngineInterface
import SystemIO
import TestSupport
import Testing

@testable import DuckDBEngine

@Suite("DuckDB's library")
struct DuckDBPresenceTests {
  @Test("a missing library is a reason that names what was tried and the cure")
  func missing() throws {
    var request = DuckDBLibrary.request
    request.names = ["/nowhere/libduckdb.so"]
    let absence = try #require(throws: LibraryAbsence.self) {
      try SharedLibrary(request, environment: [:])
    }
    #expect(absence.description.contains("/nowhere/libduckdb.so"))
    #expect(absence.description.contains("Docs/Engines/DuckDB.md"))
    #expect(absence.description.contains("COMPACTION_LAB_DUCKDB"))
  }

  @Test("another library is refused because a function of DuckDB is missing")
  func other() throws {
    let library = try SharedLibrary(
      LibraryRequest(
        title: "DuckDB", names: ["libm.so.6", "libSystem.dylib"], variable: "NONE", cure: "none"))
    let absence = try #require(throws: LibraryAbsence.self) { try DuckDBLibrary(library) }
    #expect(absence.description.contains("it has no duckdb_library_version"))
  }

  @Test(
    "only versions 2 are taken: earlier ones keep deleted rows of tables with a primary key",
    arguments: [("v2.0.1", 2), ("v2.1.0-dev12", 2), ("v1.4.3", 1), ("2.3", 2), ("latest", nil)])
  func versions(_ text: String, _ major: Int?) {
    #expect(DuckDBLibrary.major(of: text) == major)
  }

  @Test("the version is that of the library", .enabled(if: hasDuckDB))
  func version() throws {
    try #expect(DuckDBEngine().capabilities.version.hasPrefix("DuckDB v2."))
  }
}
