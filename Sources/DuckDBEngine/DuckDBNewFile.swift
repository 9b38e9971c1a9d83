// New files of databases, whose logs have the same length in each run.
import EngineInterface
import SystemIO

extension Connection {
  /// Makes an empty database and leaves it detached. DuckDB draws an identifier at random, and each log begins with it, a byte
  /// of 128 or more taking two: another identifier makes another length of the log, and so another time of checkpoints. So a
  /// file is made again until as many bytes of it take two as take one, five times on average.
  func makeFile(_ files: DatabaseFiles) throws(EngineError) {
    for _ in 0..<Self.maxAttempts {
      try run(
        "ATTACH \(sqlText(files.data.string)) AS new (BLOCK_SIZE \(DatabaseSetup.blockSize))",
        while: "opening \(files.data)")
      try run("DETACH new")
      do throws(SystemError) {
        let identifier = try FileReader(files.data).bytes(
          at: Self.identifierOffset, count: Self.identifierBytes)
        if 2 * identifier.count(where: { $0 >= 128 }) == Self.identifierBytes { return }
        try FileSystem.removeFile(files.data)
      } catch {
        throw EngineError(engine: duckDBID, error, while: "opening \(files.data)")
      }
    }
    // A version of DuckDB that has the identifier elsewhere.
    try run(
      "ATTACH \(sqlText(files.data.string)) AS new (BLOCK_SIZE \(DatabaseSetup.blockSize))")
    try run("DETACH new")
  }

  private static let maxAttempts = 100
  private static let identifierOffset = 124
  private static let identifierBytes = 16
}
