// What the disk does without an engine: bandwidth in sequence and at random offsets, and the latency of a sync. The file is
// dropped from the page cache before reads.
import Calibration
import Generators
import MetricModel
import Statistics
import SystemIO

struct DeviceMeasurement {
  let folder: FilePath
  let fileBytes: Int
  let seed: UInt64

  /// So many repetitions that the interval of the median reaches 95 %.
  private static let repetitions = 7
  private static let syncs = 60
  private static let pages = 256
  private static let pageBytes = 4096
  private static let pieceBytes = 1 << 20

  static func fileBytes(for maxFile: ByteCount) -> Int {
    max(pieceBytes, min(64 * pieceBytes, maxFile.bytes / 4 / pieceBytes * pieceBytes))
  }

  private var path: FilePath { folder.appending("probe") }

  func run(onStage: (String) -> Void) throws -> [DeviceFigure] {
    onStage("writing and reading in sequence")
    let writes = try repeated { try write() }
    let (reads, readShare) = try reading { reader, piece, _ in
      var offset = 0
      while offset < fileBytes { offset += try reader.read(into: piece, at: offset) }
      return offset
    }
    onStage("writing and reading at random offsets")
    let (randomReads, randomShare) = try reading { reader, piece, stream in
      let page = UnsafeMutableRawBufferPointer(rebasing: piece[..<Self.pageBytes])
      for _ in 0..<Self.pages { _ = try reader.read(into: page, at: offset(&stream)) }
      return Self.pages * Self.pageBytes
    }
    let randomWrites = try writeAtRandom()
    onStage("syncing")
    let found = [
      (DeviceFigure.Kind.sequentialWrite, writes, nil), (.sequentialRead, reads, readShare),
      (.randomWrite, randomWrites, nil), (.randomRead, randomReads, randomShare),
      (.sync, try syncs(), nil),
    ]
    return found.compactMap { kind, values, share in
      MedianEstimate(values).map { DeviceFigure(kind, $0, cachedShare: share) }
    }
  }

  private func repeated(_ measure: () throws -> Double) rethrows -> [Double] {
    try (0..<Self.repetitions).map { _ in try measure() }
  }

  private func rate(_ bytes: Int, since start: UInt64) -> Double {
    Double(bytes) * 1e9 / Double(max(1, Clock.monotonicNanoseconds() - start))
  }

  private func offset(_ stream: inout RandomStream) -> Int {
    stream.next(below: fileBytes / Self.pageBytes) * Self.pageBytes
  }

  /// Writes the file anew; the last one stays for what follows.
  private func write() throws -> Double {
    try FileSystem.removeFile(path)
    let values = ValueSource(seed: seed, label: "calibration disk")
    let file = try FileWriter(new: path)
    return try values.withValue(size: Self.pieceBytes) { bytes in
      let start = Clock.monotonicNanoseconds()
      while file.bytesWritten < fileBytes { try file.write(bytes) }
      try file.sync()
      return rate(fileBytes, since: start)
    }
  }

  /// Returns the rates of reads, and the largest share of the file that was in the page cache before them.
  private func reading(
    _ read: (FileReader, UnsafeMutableRawBufferPointer, inout RandomStream) throws -> Int
  ) throws -> (rates: [Double], cachedShare: Double?) {
    let piece = UnsafeMutableRawBufferPointer.allocate(
      byteCount: Self.pieceBytes, alignment: Self.pageBytes)
    defer { piece.deallocate() }
    var stream = RandomStream(seed: seed, label: "calibration offsets")
    var shares: [Double] = []
    let rates = try repeated {
      // Where the system drops no files, reads are from memory, and the figure is marked so.
      try? PageCache.drop(path)
      if let bytes = try? PageCache.residentBytes(of: path) {
        shares.append(min(1, Double(bytes) / Double(fileBytes)))
      }
      let reader = try FileReader(path)
      let start = Clock.monotonicNanoseconds()
      let bytes = try read(reader, piece, &stream)
      return rate(bytes, since: start)
    }
    return (rates, shares.max())
  }

  private func writeAtRandom() throws -> [Double] {
    let file = try SystemStorageFile(path: path, .existing)
    var stream = RandomStream(seed: seed, label: "calibration offsets", index: 1)
    let values = ValueSource(seed: seed, label: "calibration disk", index: 1)
    return try repeated {
      let start = Clock.monotonicNanoseconds()
      for _ in 0..<Self.pages {
        let offset = offset(&stream)
        try values.withValue(size: Self.pageBytes) { bytes throws(SystemError) in
          try file.write(bytes, at: offset)
        }
      }
      try file.sync()
      return rate(Self.pages * Self.pageBytes, since: start)
    }
  }

  private func syncs() throws -> [Double] {
    let file = try SystemStorageFile(path: path, .existing)
    let values = ValueSource(seed: seed, label: "calibration disk", index: 2)
    return try (0..<Self.syncs).map { number in
      try values.withValue(size: Self.pageBytes) { bytes throws(SystemError) in
        try file.write(bytes, at: number * Self.pageBytes % fileBytes)
      }
      let start = Clock.monotonicNanoseconds()
      try file.sync()
      return Double(Clock.monotonicNanoseconds() - start)
    }
  }
}
