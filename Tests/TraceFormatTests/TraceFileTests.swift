import SystemIO
import TestSupport
import Testing

@testable import TraceFormat

@Suite("A trace file")
struct TraceFileTests {
  @Test("the cyclic codes have their published check values")
  func published() {
    let digits = Array("123456789".utf8)
    #expect(digits.withUnsafeBytes { CyclicCode32.of($0) } == 0xE306_9283)
    var short = CyclicCode8()
    short.feed(digits)
    #expect(short.value == 0xF4)
  }

  @Test("what was written is read again, over many blocks, with its header and totals")
  func roundTrip() throws {
    let seed = testSeed(1)
    let records = TraceFixtures.records(40_000, seed: seed)
    try withTemporaryFolder { folder in
      let path = folder.appending("a.trace")
      try TraceFixtures.write(records, to: path)
      #expect(try TraceFixtures.read(path) == records, "SEED=\(seed)")
      let reader = try TraceReader(path)
      #expect(reader.header == TraceFixtures.header)
      #expect(reader.totals.records == records.count)
      #expect(reader.totals.commits == records.count { $0.operation == .enter })
      #expect(reader.totals.blocks > 2)
    }
  }

  @Test("the bytes of a small trace are those that the manual describes")
  func bytes() throws {
    let records = [
      TraceRecord(.beginWrite), TraceRecord(.put, table: 1, key: -2, size: 300),
      TraceRecord(.put, time: 128, table: 1, key: 0, size: 299),
      TraceRecord(.snapshot, thread: 2, time: 128, number: 1, text: "ab"),
      TraceRecord(.snapshot, thread: 2, time: 128, number: 2, text: "ab"),
    ]
    var encoder = RecordEncoder()
    var found: [[UInt8]] = []
    var start = 0
    for record in records {
      encoder.append(record)
      found.append(Array(encoder.bytes[start..<encoder.bytes.count - 1]))
      start = encoder.bytes.count
    }
    let (time, table, thread): (UInt8, UInt8, UInt8) = (0x80, 0x40, 0x20)
    let expected: [[UInt8]] = [
      [5], [6 | table, 1, 3, 0xD8, 4], [6 | time, 0x80, 1, 4, 1],
      [12 | thread, 2, 1, 0, 2, 0x61, 0x62], [12, 2, 1],
    ]
    #expect(found == expected)
  }

  @Test("a trace is never written over a file that is there")
  func notOver() throws {
    try withTemporaryFolder { folder in
      let path = folder.appending("a.trace")
      try FileSystem.write(text: "precious", to: path)
      #expect(throws: TraceError.self) { try TraceWriter(path, TraceFixtures.header) }
      #expect(try FileSystem.readText(path) == "precious")
    }
  }

  @Test("a text that is too long is cut at a character, and reads again")
  func longText() throws {
    try withTemporaryFolder { folder in
      let path = folder.appending("a.trace")
      let text = String(repeating: "é", count: 3000)
      try TraceFixtures.write([TraceRecord(.phase, text: text)], to: path)
      let read = try TraceFixtures.read(path)[0].text
      #expect(text.hasPrefix(read) && read.utf8.count > 4000)
    }
  }

  @Test("reading needs one block of memory, however long the trace")
  func boundedMemory() throws {
    try withTemporaryFolder { folder in
      let path = folder.appending("long.trace")
      let writer = try TraceWriter(path, TraceFixtures.header)
      let count = 1_000_000
      for index in 0..<count {
        let key = Int64(index) &* 7_368_787 & 0xF_FFFF
        try writer.append(TraceRecord(.put, time: index, key: key, size: 256))
      }
      try writer.finish()
      let reader = try TraceReader(path)
      while try reader.next() != nil {}
      #expect(reader.recordNumber == count)
      let limit = TraceLayout.targetBlockLength + TraceLayout.blockHeaderLength + 64
      #expect(reader.maxBytesBuffered <= limit)
      // The file itself is many times as long, so the limit above is a real one.
      #expect(try FileSystem.size(of: [path]).bytes > 50 * limit)
    }
  }
}
