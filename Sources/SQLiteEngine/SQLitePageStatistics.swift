// How full the pages are, by SQLite's own walk over every tree (dbstat), which a build of the library has or has not.
import CSQLite
import EngineInterface
import MetricModel

extension Connection {
  /// Returns the statistics of these tables in the newest version. Reads all of their pages.
  func pageStatistics(of tables: [String]) throws(EngineError) -> PageStatistics {
    let hasWalk = try number(
      "SELECT count(*) FROM pragma_compile_options WHERE compile_options = 'ENABLE_DBSTAT_VTAB'")
    if hasWalk == 0 {
      return .absent(
        reason: "this SQLite was built without dbstat (SQLITE_ENABLE_DBSTAT_VTAB)")
    }
    var found: [TableStatistics] = []
    for table in tables { found.append(try statistics(of: table)) }
    return .tables(found)
  }

  private func statistics(of table: String) throws(EngineError) -> TableStatistics {
    try once(
      """
      SELECT sum(pagetype = 'internal'), sum(pagetype = 'leaf'), sum(pagetype = 'overflow'), \
      sum(pgsize), sum(payload), sum(unused) FROM dbstat WHERE name = ?1
      """
    ) { statement throws(EngineError) in
      _ = sqlite.call.bindText(statement.handle, 1, table, -1, transient)
      let code = statement.step()
      let values = (Int32(0)..<6).map { Int(statement.number(inColumn: $0)) }
      try statement.end(code)
      return TableStatistics(
        table: table, innerPages: values[0], leafPages: values[1], overflowPages: values[2],
        bytes: ByteCount(values[3]), payload: ByteCount(values[4]), unused: ByteCount(values[5]))
    }
  }
}
