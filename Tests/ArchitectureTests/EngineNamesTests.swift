import SystemIO
import TestSupport
import Testing

@Suite("Names of engines")
struct EngineNamesTests {
  private static let engines = ["rocksdb", "duckdb", "wiredtiger"]

  private func texts(_ paths: [String]) throws -> [(path: String, text: String)] {
    try paths.map { ($0, try Repository.text($0)) }
  }

  @Test(
    "at most 4 files of sources, manifest and CI name the engine outside its modules",
    arguments: engines)
  func sources(_ engine: String) throws {
    let paths =
      ["Package.swift"]
      + [".swift", ".h", ".c"].flatMap { Repository.files(in: "Sources", ending: $0) }
      + Repository.files(in: ".ci", ending: "").filter { !isFolder($0) }
    let named = EngineNames(name: engine).findings(in: try texts(paths))
    #expect(named.contains("Sources/Engines/EngineCatalog.swift"))
    #expect(named.count <= 4, "\(named)")
  }

  @Test("at most 8 files of tests name it outside its own", arguments: engines)
  func tests(_ engine: String) throws {
    let paths = [".swift", ".c"].flatMap { Repository.files(in: "Tests", ending: $0) }
    let others = paths.filter { !$0.hasSuffix("/EngineNamesTests.swift") }
    let named = EngineNames(name: engine).findings(in: try texts(others))
    #expect(named.count <= 8, "\(named)")
  }

  private func isFolder(_ path: String) -> Bool {
    FileSystem.isFolder(Repository.root.pushing(FilePath(path)))
  }

  @Test(
    "a planted name is found",
    arguments: [
      ("Sources/WorkloadRunner/Cell.swift", "let a = 1\nif engine == .rocksDB { a += 1 }"),
      ("Tests/SoakModel/SoakRun.swift", "import RocksDBEngine"), (".ci/run", "pip install rocksdb"),
    ])
  func planted(_ path: String, _ text: String) {
    #expect(EngineNames(name: "rocksdb").findings(in: [(path, text)]) == [path])
  }

  @Test(
    "the engine's own files, comments and readers of CSV files are not counted",
    arguments: [
      ("Sources/CDuckDB/shim.h", "int duckdb_open;"),
      ("Tests/DuckDBEngineTests/DuckDBRows.swift", "import DuckDBEngine"),
      ("Sources/MetricModel/Metric.swift", "/// As DuckDB has it.\nlet a = 1"),
      (".ci/read-back", "import duckdb"),
    ])
  func ordinary(_ path: String, _ text: String) {
    #expect(EngineNames(name: "duckdb").findings(in: [(path, text)]) == [])
  }
}
