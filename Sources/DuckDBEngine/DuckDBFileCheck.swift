// Whether a file is DuckDB's and has all its blocks. DuckDB reads blocks when they are needed: it opens a file that ends early,
// and fails later.
import EngineInterface
import MetricModel
import SystemIO

/// The result of looking at a file before DuckDB opens it. No part of the process may have it open.
enum FileFinding: Equatable {
  /// There is no file: DuckDB will create a database.
  case absent
  case openable
  case foreign(String)

  init(_ file: FilePath) throws(SystemError) {
    guard FileSystem.exists(file) else {
      self = .absent
      return
    }
    let front = try FileReader(file).bytes(at: 0, count: DatabaseSetup.headerBytes)
    if front.count < DatabaseSetup.headerBytes {
      self = .foreign("\(front.count) bytes are too few for a database")
    } else if !front[Self.mark].elementsEqual("DUCK".utf8) {
      self = .foreign("it is not a valid DuckDB database file")
    } else {
      self = .openable
    }
  }

  private static let mark = 8..<12
}

extension Connection {
  /// Throws if the file ends before the blocks of its tables and metadata. The number of blocks in the file's header is no
  /// measure: it is from before the checkpoint cut free blocks off. Blocks of indexes are counted, and not looked for.
  func checkLength(of files: DatabaseFiles) throws(EngineError) {
    let catalog = sqlText(DatabaseSetup.catalog)
    let counts = try once(
      "SELECT block_size, used_blocks FROM pragma_database_size() WHERE database_name = \(catalog)"
    ) { statement throws(EngineError) in try statement.numbers(2) }
    guard counts[0] == DatabaseSetup.blockSize else {
      throw EngineError(
        engine: duckDBID, code: .unsupported,
        message:
          "\(files.data) has blocks of \(counts[0]) bytes; this adapter's have \(DatabaseSetup.blockSize)"
      )
    }
    var needed = max(
      counts[1],
      try once("SELECT coalesce(max(block_id), -1) + 1 FROM pragma_metadata_info(\(catalog))") {
        statement throws(EngineError) in try statement.numbers(1)[0]
      })
    for table in try tableNames() {
      let end = try once(
        """
        SELECT coalesce(max(greatest(block_id, coalesce(list_max(additional_block_ids), -1))), -1) + 1
        FROM pragma_storage_info(\(sqlText(sqlName(table))))
        """
      ) { statement throws(EngineError) in try statement.numbers(1)[0] }
      needed = max(needed, end)
    }
    let bytes = try files.fileBytes()
    let end = ByteCount(DatabaseSetup.headerBytes + needed * DatabaseSetup.blockSize)
    guard bytes < end else { return }
    throw EngineError(
      engine: duckDBID, code: .corrupt,
      message:
        "\(files.data) is truncated: it has \(bytes) and needs \(end); restore it from a copy")
  }

  private func tableNames() throws(EngineError) -> [String] {
    try once(
      """
      SELECT encode(table_name) FROM duckdb_tables()
      WHERE database_name = \(sqlText(DatabaseSetup.catalog)) ORDER BY table_name
      """
    ) { statement throws(EngineError) in
      var names: [String] = []
      try statement.forEachChunk { chunk in
        let column = chunk.values(0)
        for row in 0..<chunk.count { names.append(String(decoding: column[row], as: UTF8.self)) }
      }
      return names
    }
  }
}
