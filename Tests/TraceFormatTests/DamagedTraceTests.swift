import SystemIO
import TestSupport
import Testing

@testable import TraceFormat

@Suite("Damaged traces")
struct DamagedTraceTests {
  /// A small trace, and where each record begins in its file.
  private func small(_ folder: FilePath) throws -> (bytes: [UInt8], starts: [Int]) {
    let path = folder.appending("whole.trace")
    let records = TraceFixtures.records(60, seed: 3)
    try TraceFixtures.write(records, to: path)
    let bytes = try FileSystem.read(path)
    var encoder = RecordEncoder()
    var lengths = [0]
    for record in records {
      encoder.append(record)
      lengths.append(encoder.bytes.count)
    }
    let begin = bytes.count - TraceLayout.endLength - encoder.bytes.count
    return (bytes, lengths.map { begin + $0 })
  }

  private func error(of bytes: [UInt8], _ folder: FilePath) throws -> TraceError? {
    let path = folder.appending("damaged.trace")
    try FileSystem.write(bytes, to: path)
    do {
      _ = try TraceFixtures.read(path)
      return nil
    } catch let error as TraceError { return error }
  }

  @Test(
    "every damaged byte is found, and one within a record is reported with that record and its offset"
  )
  func everyByte() throws {
    try withTemporaryFolder { folder in
      let (whole, starts) = try small(folder)
      var named = 0
      var within = 0
      for offset in whole.indices {
        var bytes = whole
        bytes[offset] ^= UInt8(1 << (offset % 8))
        let error = try #require(try error(of: bytes, folder), "byte \(offset) is not missed")
        guard let last = starts.last, offset >= starts[0], offset < last else { continue }
        #expect(error.code == .damaged)
        within += 1
        let record = try #require(starts.lastIndex { $0 <= offset })
        let location = "record \(record + 1), at byte \(starts[record]) of the file, is damaged: "
        if error.message.contains(location) { named += 1 }
      }
      // A damaged length may seem whole in one of 256 cases; then a later record is named.
      #expect(within > 300 && named * 100 >= within * 98, "\(named) of \(within)")
    }
  }

  @Test("a file cut anywhere is refused with what to do")
  func cut() throws {
    try withTemporaryFolder { folder in
      let (whole, _) = try small(folder)
      for length in stride(from: 0, to: whole.count, by: 7) {
        let error = try #require(try error(of: Array(whole[..<length]), folder), "\(length)")
        let expected: TraceError.Code = length < TraceLayout.frontLength ? .notATrace : .unfinished
        #expect(error.code == expected, "\(length): \(error)")
        #expect(error.message.contains("; ") || error.code == .notATrace)
      }
    }
  }

  @Test("random bytes behind a true header are refused, and never crash")
  func random() throws {
    let seed = testSeed(11)
    var random = SeededRandom(seed: seed)
    try withTemporaryFolder { folder in
      let (whole, starts) = try small(folder)
      for round in 0..<300 {
        var bytes = whole
        let at = starts[0] - 24 + random.below(whole.count - starts[0])
        let noise = random.bytes(1 + random.below(40))
        bytes.replaceSubrange(at..<min(at + noise.count, bytes.count), with: noise)
        if bytes != whole {
          #expect(try error(of: bytes, folder) != nil, "SEED=\(seed) round \(round)")
        }
      }
    }
  }

  @Test("an invalid record with the right checksum is refused with the invalid part")
  func forged() throws {
    // Such mistakes are made by other programs that write traces.
    func fault(_ bytes: [UInt8]) -> String? {
      var code = CyclicCode8()
      code.feed(bytes)
      var decoder = RecordDecoder()
      do throws(RecordFault) {
        _ = try (bytes + [code.value]).withUnsafeBufferPointer { bytes throws(RecordFault) in
          try decoder.next(UnsafeRawBufferPointer(bytes))
        }
        return nil
      } catch { return error.message }
    }
    #expect(fault([0]) == "0 is not an operation")
    #expect(fault([31]) == "31 is not an operation")
    #expect(fault([5]) == nil)
    // A text of 2^40 bytes, one that no text before has, a size below 0, a number of 11 bytes.
    #expect(fault([3, 0, 0x80, 0x80, 0x80, 0x80, 0x80, 0x20]) == "its name is out of range")
    #expect(fault([3, 9]) == "its name is out of range")
    #expect(fault([6, 0, 1]) == "its size is out of range")
    #expect(fault([1] + Array(repeating: 0x80, count: 10) + [0]) == "its number is out of range")
    #expect(fault([1, 0x80]) == "it extends past the end of its block")
  }

  @Test(
    "a trace of a later version is refused with its version, and other files are refused as no traces"
  )
  func others() throws {
    try withTemporaryFolder { folder in
      var (bytes, _) = try small(folder)
      bytes[8] = 2
      let later = try #require(try error(of: bytes, folder))
      #expect(later.code == .version && later.message.contains("version 2"))
      let text = try #require(try error(of: Array("{\"trace\":1} and more text".utf8), folder))
      #expect(text.code == .notATrace && text.message.contains("--to"))
    }
  }
}
