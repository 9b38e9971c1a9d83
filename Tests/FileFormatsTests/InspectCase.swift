// One input of the fuzzer of database files: a file and one beside it. The input is what a parser reads, so that libFuzzer's
// own changes and splices reach every field.
import SystemIO

@testable import FileFormats

/// ```
/// kind:8 │ length of the side file:16 │ side file … │ database file …
/// ```
/// The kinds: 0 SQLite with a log, 1 LMDB, 2 libmdbx, 3 Realm, each with a lock file. The format's mark is written over the
/// file, and the checksums of a log are repaired.
struct InspectCase {
  private static let maxBytes = 1 << 18

  private let kind: Int
  private var side: [UInt8]
  private var main: [UInt8]

  /// Nil for an input that is too short or too long. A `kind` takes the place of the input's.
  init?(_ input: UnsafeRawBufferPointer, kind: Int? = nil) {
    guard input.count > 3, input.count < Self.maxBytes else { return nil }
    self.kind = kind ?? Int(input[0]) % 4
    let sideBytes = min(input.count - 3, Int(input[1]) | Int(input[2]) << 8)
    side = Array(input[3..<3 + sideBytes])
    main = Array(input[(3 + sideBytes)...])
    mark()
  }

  private mutating func mark() {
    switch kind {
    case 0:
      write(SQLiteHeader.magic, at: 0)
      repairLog()
    case 1: write([0xDE, 0xC0, 0xEF, 0xBE], at: 16)
    case 2: write(MDBMeta.libmdbxMagic, at: 21)
    default: write(RealmHeader.magic, at: 16)
    }
  }

  private mutating func write(_ bytes: [UInt8], at offset: Int) {
    guard offset + bytes.count <= main.count else { return }
    main.replaceSubrange(offset..<offset + bytes.count, with: bytes)
  }

  /// Writes magic number, salts and checksums of the frames of a log, without which nothing of it is read.
  private mutating func repairLog() {
    guard side.count >= 32 else { return }
    side.replaceSubrange(0..<8, with: [0x37, 0x7F, 0x06, 0x82, 0x00, 0x2D, 0xE2, 0x18])
    var sum = SQLiteChecksum(isBigEndian: false)
    func store(_ sum: SQLiteChecksum, at offset: Int) {
      for (index, word) in [sum.first, sum.second].enumerated() {
        for byte in 0..<4 {
          side[offset + 4 * index + byte] = UInt8(truncatingIfNeeded: word >> (24 - 8 * byte))
        }
      }
    }
    sum.add(side[0..<24])
    store(sum, at: 24)
    let page = Int(side[10]) << 8 | Int(side[11])
    var offset = 32
    while page > 0, offset + 24 + page <= side.count {
      side.replaceSubrange(offset + 8..<offset + 16, with: side[16..<24])
      sum.add(side[offset..<offset + 8])
      sum.add(side[offset + 24..<offset + 24 + page])
      store(sum, at: offset + 16)
      offset += 24 + page
    }
  }

  private var suffix: String { ["-wal", "-lock", "-lck", ".lock"][kind] }

  /// Inspects the file. An error or a report with problems is the expected result; traps and endless loops are the bugs.
  func run() {
    let source = BytesSource(main)
    let beside = side.isEmpty ? nil : BytesSource(side)
    let family = SourceFamily(main: source) { name in name == .suffix(suffix) ? beside : nil }
    do throws(FileFormatError) {
      let report = try DatabaseFileReader.report(of: family)
      precondition(report.trees.list.count <= LargestTrees.maxCount)
      precondition(report.problems.texts.count <= ProblemList.maxTexts)
      precondition(report.grid.cells.count <= SpaceGrid.maxCells)
      for (_, part) in report.space.parts {
        precondition((part.bounds?.lowerBound ?? 0) >= 0, "A part of a file is negative.")
      }
    } catch {
      precondition(!"\(error)".isEmpty)
    }
    // Each page once, headers, and the windows around: more is a loop that only ends by luck.
    let all = main.count + side.count
    precondition(source.readBytes + (beside?.readBytes ?? 0) <= 40 * max(all, 1 << 20))
  }
}

/// Bytes in memory that count how many of them are read.
private final class BytesSource: ByteSource {
  private let bytes: [UInt8]
  private(set) var readBytes = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  var size: Int { bytes.count }

  func isReadable(_ range: Range<Int>) -> Bool { true }

  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) -> Int {
    guard offset < bytes.count else { return 0 }
    let count = min(buffer.count, bytes.count - offset)
    bytes.withUnsafeBytes { raw in
      buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: raw[offset..<offset + count]))
    }
    readBytes += count
    return count
  }
}
