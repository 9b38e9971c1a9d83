// WiredTiger's statistics, by their descriptions: their numbers differ from version to version.
import CWiredTiger
import EngineInterface

/// Statistics of one kind of object: of files, or of the connection. Their numbers are searched for once.
struct WiredTigerStatistics {
  private let connection: WiredTigerConnection
  private let session: UnsafeMutablePointer<wt_session>
  private var keys: [Int32] = []

  private static let options = "statistics=(fast)"
  static let ofFile = [
    "block-manager: checkpoint size", "block-manager: file bytes available for reuse",
  ]
  static let ofConnection = ["block-manager: bytes written", "log: log bytes written"]

  /// `sample` is an object that has these statistics.
  init(
    _ titles: [String], sample: String, _ connection: WiredTigerConnection,
    _ session: UnsafeMutablePointer<wt_session>
  ) throws(EngineError) {
    self.connection = connection
    self.session = session
    let cursor = try connection.openCursor(session, sample, options: Self.options)
    defer { _ = cursor.pointee.close(cursor) }
    var found: [String: Int32] = [:]
    while cursor.pointee.next(cursor) == 0 {
      var (key, number): (Int32, Int64) = (0, 0)
      var title: UnsafePointer<CChar>?
      try connection.check("reading statistics", wt_statistics_get_key(cursor, &key))
      try connection.check(
        "reading statistics", wt_statistics_get_value(cursor, &title, &number))
      if let title { found[String(cString: title)] = key }
    }
    for title in titles {
      guard let key = found[title] else {
        throw EngineError(
          engine: wiredTigerID, code: .failed, message: "WiredTiger has no statistic “\(title)”")
      }
      keys.append(key)
    }
  }

  /// The values for an object: `statistics:file:rows.wt`, in the order of the titles.
  func read(_ uri: String) throws(EngineError) -> [Int] {
    let cursor = try connection.openCursor(session, uri, options: Self.options)
    defer { _ = cursor.pointee.close(cursor) }
    var values: [Int] = []
    for key in keys {
      var number: Int64 = 0
      var title: UnsafePointer<CChar>?
      wt_statistics_set_key(cursor, key)
      try connection.check("reading statistics", cursor.pointee.search(cursor))
      try connection.check(
        "reading statistics", wt_statistics_get_value(cursor, &title, &number))
      values.append(Int(number))
    }
    return values
  }

  /// Where the statistics of a file are; of the connection for nil.
  static func uri(ofFile name: String?) -> String {
    name.map { "statistics:file:\($0)" } ?? "statistics:"
  }
}
