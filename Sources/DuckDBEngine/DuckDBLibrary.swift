// The table of DuckDB's functions: found once, when the engine is first asked for, and called through from then on.
import CDuckDB
import SystemIO

/// DuckDB as it was found on this machine. The table that it points to is never freed, like the library itself: so this
/// is as cheap to keep as a number, and a call through it costs what a call of a linked function does.
struct DuckDBLibrary: @unchecked Sendable {
  private let table: UnsafePointer<DuckDBFunctions>

  /// DuckDB's functions.
  var call: DuckDBFunctions { table.pointee }

  /// `DuckDB v2.0.1`.
  let version: String

  /// The functions that are used are the same since 1.2. But only from 2.0 on do checkpoints reclaim deleted rows of a table
  /// with a primary key, and `fsync_mode` exists.
  static let knownMajor = 2

  static let request = LibraryRequest(
    title: "DuckDB", names: LibraryRequest.fileNames(of: "duckdb", version: knownMajor),
    variable: "COMPACTION_LAB_DUCKDB",
    cure: "get libduckdb of DuckDB \(knownMajor) (Docs/Engines/DuckDB.md)")

  private static let loaded = Result<DuckDBLibrary, LibraryAbsence> { () throws(LibraryAbsence) in
    try DuckDBLibrary(SharedLibrary(request))
  }

  /// The library of this process, opened at the first call.
  static func load() throws(LibraryAbsence) -> DuckDBLibrary { try loaded.get() }

  init(_ library: SharedLibrary) throws(LibraryAbsence) {
    let read: duckdb_library_version_function = try library.function("duckdb_library_version")
    let found = read().map { String(cString: $0) } ?? "unknown"
    guard Self.major(of: found) == Self.knownMajor else {
      throw library.refused("it is version \(found), and \(Self.knownMajor).x is known")
    }
    version = "DuckDB \(found)"
    let table = UnsafeMutablePointer<DuckDBFunctions>.allocate(capacity: 1)
    table.initialize(to: try DuckDBFunctions(library))
    self.table = UnsafePointer(table)
  }

  /// The first number of a version such as `v2.0.1` or `v2.1.0-dev12`; nil for another text.
  static func major(of version: String) -> Int? {
    let text = version.hasPrefix("v") ? version.dropFirst() : version[...]
    return text.split(separator: ".").first.flatMap { Int($0) }
  }
}
