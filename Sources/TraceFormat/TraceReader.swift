// Reads a trace block by block and checks every byte. An error about damage names the first damaged record and its offset.
package import SystemIO

import struct Foundation.Data
import class Foundation.JSONDecoder

/// A trace being read. Used by one thread at a time.
package final class TraceReader {
  package let header: TraceHeader
  package let totals: TraceTotals
  private let file: FileReader
  private let path: FilePath
  /// The offset of the next block, and the end of the last one.
  private var offset: Int
  private let end: Int
  private var buffer: [UInt8] = []
  private var decoder = RecordDecoder()
  /// The records of this block that have not been read yet.
  private var remaining = 0
  private var blocks = 0
  private var commits = 0
  /// The number of the latest record, from 1.
  package private(set) var recordNumber = 0

  /// The greatest number of bytes of the file in memory at once.
  package private(set) var maxBytesBuffered = 0

  /// Opens the trace. Throws for a file that is not a trace, is incomplete, or has another version.
  package init(_ path: FilePath) throws(TraceError) {
    self.path = path
    let length: Int
    do throws(SystemError) {
      file = try FileReader(path)
      length = try FileSystem.size(of: [path]).bytes
    } catch { throw TraceError(error, "reading the trace") }
    let source = Source(file: file, path: path, length: length)
    (header, offset) = try source.header()
    (totals, end) = try source.totals(after: offset)
  }

  /// Returns the next record; nil at the end.
  package func next() throws(TraceError) -> TraceRecord? {
    while remaining == 0 {
      guard offset < end else {
        try checkTotals()
        return nil
      }
      try readBlock()
    }
    let start = decoder.offset
    let record: TraceRecord
    do throws(RecordFault) {
      record = try buffer.withUnsafeBufferPointer { bytes throws(RecordFault) in
        try decoder.next(UnsafeRawBufferPointer(bytes))
      }
    } catch {
      // The block's checksum is right, so the record was written wrong.
      throw damaged(record: recordNumber + 1, at: offset - buffer.count + start, error.message)
    }
    remaining -= 1
    recordNumber += 1
    if record.operation == .enter { commits += 1 }
    if remaining == 0, decoder.offset != buffer.count {
      throw damaged(
        record: recordNumber, at: offset - buffer.count + decoder.offset,
        "\(buffer.count - decoder.offset) bytes follow it that do not belong to a record")
    }
    return record
  }

  /// Returns the error that the latest record is invalid for the reason `what`.
  package func invalid(_ what: String) -> TraceError {
    TraceError(.invalid, "\(path): record \(recordNumber): \(what); record the run again")
  }

  private func readBlock() throws(TraceError) {
    let source = Source(file: file, path: path, length: end)
    let start = offset
    let header = try source.read(TraceLayout.blockHeaderLength, at: start)
    let length = Int(header.littleEndian(UInt32.self, at: 4))
    let first = header.littleEndian(UInt64.self, at: 8)
    let count = Int(header.littleEndian(UInt32.self, at: 16))
    guard header.littleEndian(UInt32.self, at: 0) == TraceLayout.blockMagic,
      first == UInt64(recordNumber) + 1, count > 0, length > 0,
      length <= TraceLayout.maxBlockLength,
      start + TraceLayout.blockHeaderLength + length <= end
    else {
      throw damaged(record: recordNumber + 1, at: start, "the header of its block is invalid")
    }
    buffer = try source.read(length, at: start + TraceLayout.blockHeaderLength)
    maxBytesBuffered = max(maxBytesBuffered, header.count + buffer.count)
    var code = CyclicCode32()
    header.withUnsafeBytes { code.feed(.init(rebasing: $0[..<20])) }
    buffer.withUnsafeBytes { code.feed($0) }
    decoder = RecordDecoder()
    guard code.value == header.littleEndian(UInt32.self, at: 20) else {
      throw firstDamage(of: count, in: start + TraceLayout.blockHeaderLength)
    }
    offset = start + TraceLayout.blockHeaderLength + length
    remaining = count
    blocks += 1
  }

  /// Returns the error for a block with a wrong checksum. The check bytes of its records identify the damaged one.
  private func firstDamage(of count: Int, in start: Int) -> TraceError {
    var decoder = RecordDecoder()
    for index in 1...count {
      let offset = decoder.offset
      do throws(RecordFault) {
        _ = try buffer.withUnsafeBufferPointer { bytes throws(RecordFault) in
          try decoder.next(UnsafeRawBufferPointer(bytes))
        }
      } catch {
        return damaged(record: recordNumber + index, at: start + offset, error.message)
      }
    }
    return damaged(
      record: recordNumber + 1, at: start - TraceLayout.blockHeaderLength,
      "the header of its block is damaged")
  }

  private func damaged(record: Int, at offset: Int, _ what: String) -> TraceError {
    TraceError(
      .damaged,
      "\(path): record \(record), at byte \(offset) of the file, is damaged: \(what); copy the trace "
        + "again from its source, or record the run again")
  }

  private func checkTotals() throws(TraceError) {
    let found = TraceTotals(records: recordNumber, commits: commits, blocks: blocks)
    guard found != totals else { return }
    throw TraceError(
      .damaged,
      "\(path): the end of the file lists \(totals.records) records, but there are "
        + "\(recordNumber); copy the trace again from its source, or record the run again")
  }
}

/// The file, of which the parts before and after the blocks are read here.
private struct Source {
  var file: FileReader
  var path: FilePath
  var length: Int

  /// Returns exactly `count` bytes. Throws if the file ends before.
  func read(_ count: Int, at offset: Int) throws(TraceError) -> [UInt8] {
    guard offset + count <= length else { throw truncated() }
    var bytes = [UInt8](repeating: 0, count: count)
    let found: Int
    do throws(SystemError) {
      found = try bytes.withUnsafeMutableBufferPointer { bytes throws(SystemError) in
        try file.read(into: UnsafeMutableRawBufferPointer(bytes), at: offset)
      }
    } catch { throw TraceError(error, "reading the trace") }
    guard found == count else { throw truncated() }
    return bytes
  }

  /// Returns the header, and the offset of its end.
  func header() throws(TraceError) -> (TraceHeader, end: Int) {
    let notATrace = TraceError(
      .notATrace,
      "\(path): is not a trace; compaction-lab record writes traces (compaction-lab trace FILE --to TRACE converts "
        + "JSON lines into one)")
    guard length >= TraceLayout.frontLength else { throw notATrace }
    let front = try read(TraceLayout.frontLength, at: 0)
    guard Array(front[..<8]) == TraceLayout.magic else { throw notATrace }
    let version = front.littleEndian(UInt32.self, at: 8)
    guard version == TraceLayout.version else {
      throw TraceError(
        .version,
        "\(path): is a trace of version \(version), but this program reads version "
          + "\(TraceLayout.version); use the program that made it, or convert it to JSON lines there"
      )
    }
    let count = Int(front.littleEndian(UInt32.self, at: 12))
    guard count <= TraceLayout.maxHeaderLength else { throw damagedHeader }
    let whole = try read(TraceLayout.frontLength + count + 4, at: 0)
    let sum = whole.withUnsafeBytes { CyclicCode32.of(.init(rebasing: $0.dropLast(4))) }
    let text = Data(whole[TraceLayout.frontLength..<whole.count - 4])
    guard sum == whole.littleEndian(UInt32.self, at: whole.count - 4),
      let header = try? JSONDecoder().decode(TraceHeader.self, from: text)
    else { throw damagedHeader }
    return (header, whole.count)
  }

  /// Returns the totals at the end of the file, and their offset.
  func totals(after start: Int) throws(TraceError) -> (TraceTotals, begin: Int) {
    let begin = length - TraceLayout.endLength
    guard begin >= start else { throw truncated() }
    let end = try read(TraceLayout.endLength, at: begin)
    let sum = end.withUnsafeBytes { CyclicCode32.of(.init(rebasing: $0[..<28])) }
    guard end.littleEndian(UInt32.self, at: 0) == TraceLayout.endMagic,
      sum == end.littleEndian(UInt32.self, at: 28)
    else { throw truncated() }
    let totals = TraceTotals(
      records: Int(clamping: end.littleEndian(UInt64.self, at: 8)),
      commits: Int(clamping: end.littleEndian(UInt64.self, at: 16)),
      blocks: Int(end.littleEndian(UInt32.self, at: 4)))
    return (totals, begin)
  }

  private var damagedHeader: TraceError {
    TraceError(
      .damaged,
      "\(path): its header is damaged; copy the trace again from its source, or record the run again"
    )
  }

  private func truncated() -> TraceError {
    TraceError(
      .unfinished,
      "\(path): has no end: it was truncated, or its recording was interrupted, after \(length) bytes; copy it "
        + "again from its source, or record the run again")
  }
}

extension [UInt8] {
  fileprivate func littleEndian<Value: FixedWidthInteger>(_: Value.Type, at offset: Int) -> Value {
    withUnsafeBytes {
      Value(littleEndian: $0.loadUnaligned(fromByteOffset: offset, as: Value.self))
    }
  }
}
