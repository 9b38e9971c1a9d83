// Writes a trace block by block. Only one block is in memory, however long the recording.
package import SystemIO

import struct Foundation.Data
import class Foundation.JSONEncoder

/// A trace being written. Used by one thread at a time.
package final class TraceWriter {
  private let file: FileWriter
  private let path: FilePath
  private var encoder = RecordEncoder()
  private var totals = TraceTotals()
  private var time = 0

  /// Creates the file. Throws if it exists.
  package init(_ path: FilePath, _ header: TraceHeader) throws(TraceError) {
    self.path = path
    do throws(SystemError) { file = try FileWriter(new: path) } catch {
      guard error.isAlreadyThere else { throw TraceError(error, "making the trace") }
      throw TraceError(.system, "\(path): already exists; choose another name for the trace")
    }
    var front = TraceLayout.magic
    let text = try Self.encoded(header)
    front.append(littleEndian: TraceLayout.version)
    front.append(littleEndian: UInt32(text.count))
    front.append(contentsOf: text)
    front.append(littleEndian: front.withUnsafeBytes { CyclicCode32.of($0) })
    try write(front)
  }

  private static func encoded(_ header: TraceHeader) throws(TraceError) -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    do { return Array(try encoder.encode(header)) } catch {
      preconditionFailure("A header of names and numbers is JSON: \(error)")
    }
  }

  /// The bytes passed to the operating system so far.
  package var bytesWritten: Int { file.bytesWritten }
  /// The number of records so far.
  package var records: Int { totals.records }

  /// Appends a record. A time earlier than that of the previous record is replaced by that one; texts are cut to
  /// `TraceLayout.maxTextLength` bytes.
  package func append(_ record: TraceRecord) throws(TraceError) {
    var record = record
    time = max(time, record.time)
    record.time = time
    if record.text.utf8.count > TraceLayout.maxTextLength {
      let cut = record.text.utf8.prefix(TraceLayout.maxTextLength)
      // A character that the cut divides becomes U+FFFD, which is longer, so a few more bytes are dropped.
      record.text = String(decoding: cut.dropLast(8), as: UTF8.self)
    }
    encoder.append(record)
    totals.records += 1
    if record.operation == .enter { totals.commits += 1 }
    if encoder.bytes.count >= TraceLayout.targetBlockLength { try flush() }
  }

  /// Writes the last block and the end, and syncs the file.
  package func finish() throws(TraceError) {
    try flush()
    var end: [UInt8] = []
    end.append(littleEndian: TraceLayout.endMagic)
    end.append(littleEndian: UInt32(totals.blocks))
    end.append(littleEndian: UInt64(totals.records))
    end.append(littleEndian: UInt64(totals.commits))
    end.append(littleEndian: UInt32(0))
    end.append(littleEndian: end.withUnsafeBytes { CyclicCode32.of($0) })
    try write(end)
    do throws(SystemError) { try file.sync() } catch { throw TraceError(error, "ending the trace") }
  }

  private func flush() throws(TraceError) {
    guard encoder.count > 0 else { return }
    var header: [UInt8] = []
    header.append(littleEndian: TraceLayout.blockMagic)
    header.append(littleEndian: UInt32(encoder.bytes.count))
    header.append(littleEndian: UInt64(totals.records - encoder.count + 1))
    header.append(littleEndian: UInt32(encoder.count))
    var code = CyclicCode32()
    header.withUnsafeBytes { code.feed($0) }
    encoder.bytes.withUnsafeBytes { code.feed($0) }
    header.append(littleEndian: code.value)
    try write(header)
    try write(encoder.bytes)
    encoder.reset()
    totals.blocks += 1
  }

  private func write(_ bytes: [UInt8]) throws(TraceError) {
    do throws(SystemError) {
      try bytes.withUnsafeBufferPointer { bytes throws(SystemError) in
        try file.write(UnsafeRawBufferPointer(bytes))
      }
    } catch { throw TraceError(error, "writing the trace") }
  }
}

extension [UInt8] {
  fileprivate mutating func append(littleEndian value: some FixedWidthInteger) {
    Swift.withUnsafeBytes(of: value.littleEndian) { append(contentsOf: $0) }
  }
}
