// The write-ahead log of an SQLite database: which frames are intact, which are committed, and where a page's newest
// content is. A frame counts if its salts and the running checksum fit, as in SQLite's own recovery.
import SystemIO

struct SQLiteLog {
  static let headerBytes = 32
  private static let frameHeaderBytes = 24
  /// 64 MiB of memory at most: 8 bytes for each frame.
  private static let maxFrames = 1 << 23
  private static let readBytes = 256 << 10

  let reader: WindowedReader
  private(set) var pageBytes = 0
  private(set) var committedFrames = 0
  private(set) var intactFrames = 0
  /// The database's length in pages at the last commit; 0 without one.
  private(set) var pageCount = 0
  /// The frames that are in the database file already, by the wal-index; nil where no such file tells it.
  fileprivate(set) var checkpointedFrames: Int?
  /// The read marks of the wal-index: frames up to which readers may read.
  fileprivate(set) var readMarks: [Int] = []
  private(set) var isTruncatedByLimit = false
  private(set) var salts: [UInt8] = []
  /// The header, and the checksum up to the last intact frame, as they were when the log was read.
  private var header: [UInt8] = []
  private var lastSum = SQLiteChecksum(isBigEndian: false)
  /// Page numbers with their newest committed frame, `page << 32 | frame`, sorted.
  private var newest: [UInt64] = []

  /// Nil where the file is no log: too short, or with another magic number, of which nothing is read.
  init?(_ source: any ByteSource) throws(SystemError) {
    reader = try WindowedReader(source)
    guard let header = try reader.block(at: 0, count: Self.headerBytes),
      let magic = header.big(0, 4), magic & ~1 == 0x377f_0682, header.big(4, 4) == 3_007_000,
      let size = header.big(8, 4), size >= 512, size <= 65536, size & (size - 1) == 0
    else { return nil }
    pageBytes = size
    salts = Array(header.slice(16, 8) ?? [])
    self.header = header.bytes
    var sum = SQLiteChecksum(isBigEndian: magic & 1 == 1)
    sum.add(header.bytes[0..<24])
    lastSum = sum
    guard header.big(24, 4) == Int(sum.first), header.big(28, 4) == Int(sum.second) else { return }
    try scan(&sum)
  }

  private var frameBytes: Int { Self.frameHeaderBytes + pageBytes }

  private mutating func scan(_ sum: inout SQLiteChecksum) throws(SystemError) {
    let perRead = max(1, Self.readBytes / frameBytes)
    var offset = Self.headerBytes
    var entries: [UInt64] = []
    var committedEntries = 0
    scan: while true {
      let bytes = try reader.read(at: offset, count: perRead * frameBytes)
      // Frames behind the length that was read first are later ones.
      let frames = min(bytes.count, max(0, reader.size - offset)) / frameBytes
      for index in 0..<frames {
        let start = index * frameBytes
        let header = ByteBlock(Array(bytes[start..<start + Self.frameHeaderBytes]))
        guard let page = header.big(0, 4), page > 0, let size = header.big(4, 4),
          header.starts(with: salts, at: 8)
        else { break scan }
        sum.add(bytes[start..<start + 8])
        sum.add(bytes[(start + Self.frameHeaderBytes)..<start + frameBytes])
        guard header.big(16, 4) == Int(sum.first), header.big(20, 4) == Int(sum.second) else {
          break scan
        }
        guard entries.count < Self.maxFrames else {
          isTruncatedByLimit = true
          break scan
        }
        intactFrames += 1
        lastSum = sum
        entries.append(UInt64(page) << 32 | UInt64(intactFrames))
        if size > 0 {
          committedFrames = intactFrames
          committedEntries = entries.count
          pageCount = size
        }
      }
      guard frames == perRead else { break }
      offset += frames * frameBytes
    }
    entries.removeSubrange(committedEntries...)
    entries.sort()
    // Of each page the last frame, in place.
    var kept = 0
    for index in entries.indices {
      if index + 1 < entries.count, entries[index + 1] >> 32 == entries[index] >> 32 { continue }
      entries[kept] = entries[index]
      kept += 1
    }
    entries.removeSubrange(kept...)
    newest = entries
  }

  /// The number of distinct pages in committed frames.
  var pagesInLog: Int { newest.count }

  /// Returns the offset of a page's newest content in the log; nil where the log does not have the page.
  func offset(of page: Int) -> Int? {
    var low = 0
    var high = newest.count
    while low < high {
      let middle = (low + high) / 2
      if Int(newest[middle] >> 32) < page { low = middle + 1 } else { high = middle }
    }
    guard low < newest.count, Int(newest[low] >> 32) == page else { return nil }
    let frame = Int(newest[low] & 0xffff_ffff)
    return Self.headerBytes + (frame - 1) * frameBytes + Self.frameHeaderBytes
  }

  var report: LogReport {
    let end = Self.headerBytes + intactFrames * frameBytes
    let checkpointed: ByteMeasure =
      if committedFrames == 0 {
        .exact(0)
      } else if let checkpointedFrames {
        .exact(checkpointedFrames)
      } else {
        .unknown(reason: "only the wal-index says it, and there is none that fits the log")
      }
    return LogReport(
      bytes: reader.size, committedFrames: committedFrames,
      uncommittedFrames: intactFrames - committedFrames, checkpointedFrames: checkpointed,
      staleBytes: max(0, reader.size - end), pages: pagesInLog)
  }

  /// Returns whether the log has another commit than when it was read, or may have: another length or header, or an intact
  /// frame behind the last one.
  func hasGrown() throws(SystemError) -> Bool {
    if try isReset() { return true }
    if try reader.currentSize() != reader.size { return true }
    let end = Self.headerBytes + intactFrames * frameBytes
    let bytes = try reader.read(at: end, count: frameBytes)
    guard bytes.count == frameBytes, bytes[8..<16].elementsEqual(salts) else { return false }
    var sum = lastSum
    sum.add(bytes[0..<8])
    sum.add(bytes[Self.frameHeaderBytes...])
    let frame = ByteBlock(bytes)
    return frame.big(16, 4) == Int(sum.first) && frame.big(20, 4) == Int(sum.second)
  }

  /// Returns whether the log began anew, so that its frames may be others.
  func isReset() throws(SystemError) -> Bool {
    try reader.read(at: 0, count: Self.headerBytes) != header
  }
}

/// The running checksum of a log: of two words at a time.
struct SQLiteChecksum {
  private let isBigEndian: Bool
  private(set) var first: UInt32 = 0
  private(set) var second: UInt32 = 0

  init(isBigEndian: Bool) { self.isBigEndian = isBigEndian }

  /// Adds a multiple of 8 bytes.
  mutating func add(_ bytes: ArraySlice<UInt8>) {
    var (a, b) = (first, second)
    bytes.withUnsafeBytes { raw in
      for offset in stride(from: 0, to: raw.count & ~7, by: 8) {
        let x = raw.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
        let y = raw.loadUnaligned(fromByteOffset: offset + 4, as: UInt32.self)
        a &+= (isBigEndian ? UInt32(bigEndian: x) : UInt32(littleEndian: x)) &+ b
        b &+= (isBigEndian ? UInt32(bigEndian: y) : UInt32(littleEndian: y)) &+ a
      }
    }
    (first, second) = (a, b)
  }
}

extension SQLiteLog {
  /// Returns up to which frame checkpoints may have written to the database file, by the wal-index (`-shm`); nil where it is
  /// not of this log.
  func checkpointLimit(_ source: any ByteSource) throws(SystemError) -> Int? {
    let head = ByteBlock(try WindowedReader(source).read(at: 0, count: 136))
    guard head.count == 136, head.bytes[..<48].elementsEqual(head.bytes[48..<96]),
      head.little(0, 4) == 3_007_000, head.little(12, 1) == 1, head.starts(with: salts, at: 32),
      let done = head.little(96, 4), let attempted = head.little(128, 4)
    else { return nil }
    return max(done, attempted)
  }

  /// Takes the number of checkpointed frames and the read marks from the wal-index (`-shm`), if it is of this log: the
  /// two copies of its header agree, and their salts are the log's.
  mutating func readIndex(_ source: any ByteSource) throws(SystemError) {
    let index = try WindowedReader(source)
    guard let head = try index.block(at: 0, count: 136),
      head.bytes[..<48].elementsEqual(head.bytes[48..<96]),
      head.little(0, 4) == 3_007_000, head.little(12, 1) == 1,
      head.starts(with: salts, at: 32), let frames = head.little(16, 4),
      let done = head.little(96, 4),
      frames == committedFrames, done <= frames
    else { return }
    checkpointedFrames = done
    readMarks = (1..<5).compactMap { index in
      head.little(100 + 4 * index, 4).flatMap { $0 == 0xffff_ffff ? nil : $0 }
    }
  }
}
