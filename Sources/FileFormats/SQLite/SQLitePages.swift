// The pages of an SQLite database as its newest reader sees them: from the log where that has them, else from the file.
import SystemIO

struct SQLitePages {
  let main: WindowedReader
  let log: SQLiteLog?
  let pageBytes: Int
  /// The number of pages: the log's last commit decides, else the header, else the length.
  private(set) var count = 0

  init(main: WindowedReader, log: SQLiteLog?, pageBytes: Int) {
    self.main = main
    self.log = log
    self.pageBytes = pageBytes
  }

  mutating func setCount(header: SQLiteHeader) {
    let inFile = main.size / pageBytes
    if let log, log.pageCount > 0 {
      count = log.pageCount
    } else {
      count = header.pageCount ?? inFile
    }
  }

  mutating func limitCount(to limit: Int) { count = min(count, limit) }

  /// Returns so many bytes of a page from `offset` in it on; nil where neither file has them.
  func block(
    _ page: Int, offset: Int = 0, count bytes: Int? = nil
  ) throws(SystemError) -> ByteBlock? {
    let length = bytes ?? pageBytes - offset
    guard page >= 1, page <= count || page == 1 else { return nil }
    if let log, let start = log.offset(of: page) {
      return try log.reader.block(at: start + offset, count: length)
    }
    return try main.block(at: (page - 1) * pageBytes + offset, count: length)
  }
}
