// A column of the table of syncs in Reports/Engines: one way to run an engine, and what it waited for.
import EngineInterface
import MetricModel

struct SyncColumn: Equatable {
  var name: String
  var version: String
  /// By durability and call; what was never called is not there.
  var counts: [Row: Int]

  struct Row: Hashable, Comparable {
    var durability: String
    var call: String

    /// As the page has them: durable commits first, and the writes that sync themselves behind the calls.
    static func < (a: Self, b: Self) -> Bool {
      let order = Durability.allCases.map(\.rawValue)
      let places = [a, b].map { row in
        (order.firstIndex(of: row.durability) ?? 0, row.call == written ? 1 : 0, row.call)
      }
      return places[0] < places[1]
    }
  }

  private static let written = "synced writes"

  init(name: String, version: String, counts: [Row: Int] = [:]) {
    self.name = name
    self.version = version
    self.counts = counts
  }

  init(counting subject: SyncSubject) throws {
    self.init(name: subject.name, version: subject.engine.capabilities.version)
    for durability in Durability.allCases {
      var subject = subject
      subject.durability = durability
      let found = try SyncCounter.counted(subject)
      for (call, count) in found.calls {
        counts[Row(durability: durability.rawValue, call: "`\(call)`")] = count
      }
      counts[Row(durability: durability.rawValue, call: Self.written)] = found.syncedWrites
    }
    counts = counts.filter { $0.value > 0 }
  }

  /// The table's rows, its head first.
  static func rows(_ columns: [SyncColumn]) -> [[String]] {
    let always = Durability.allCases.flatMap { durability in
      ["`fdatasync`", written].map { Row(durability: durability.rawValue, call: $0) }
    }
    let rows = Set(columns.flatMap(\.counts.keys)).union(always).sorted()
    return [
      ["durability", "calls"] + columns.map { "`\($0.name)`" },
      ["version", ""] + columns.map(\.version),
    ]
      + rows.map { row in
        [row.durability, row.call] + columns.map { "\($0.counts[row] ?? 0)" }
      }
  }

  /// The columns of such a table, by name.
  static func columns(of rows: [[String]]) -> [String: SyncColumn] {
    guard rows.count > 2 else { return [:] }
    var columns: [String: SyncColumn] = [:]
    for index in rows[0].indices.dropFirst(2) {
      let name = String(rows[0][index].filter { $0 != "`" })
      var column = SyncColumn(name: name, version: rows[1][index])
      for row in rows.dropFirst(2) {
        let count = Int(row[index]) ?? 0
        if count > 0 { column.counts[Row(durability: row[0], call: row[1])] = count }
      }
      columns[name] = column
    }
    return columns
  }
}
