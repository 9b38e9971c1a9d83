// A curve in a few bytes, for version control: a 16-bit hash of each sample over all exact columns of its row. It locates
// where another curve diverges. One of 65,536 differing rows goes unnoticed, but the rows after it differ too, and the
// 128-bit digest of all rows shows whether anything differs.
import MetricModel
package import RecordModel

package struct CurveSignature: Sendable, Equatable {
  /// With more samples than this, 2, 4, 8… of them share a hash.
  package static let maxHashCount = 2048

  /// The number of consecutive samples of one hash.
  package var stride: Int
  package var hashes: [UInt16]
  /// `SampleDigest` of all rows, in hex.
  package var digest: String

  /// Of a cell without rows.
  package static let none = CurveSignature(stride: 1, hashes: [], digest: "")

  package init(stride: Int, hashes: [UInt16], digest: String) {
    self.stride = stride
    self.hashes = hashes
    self.digest = digest
  }

  /// Hashes the rows.
  ///
  /// - Parameter given: the stride of the signature to compare with; nil for the smallest that fits.
  package init(_ samples: [Sample], stride given: Int? = nil) {
    var stride = given ?? 1
    if given == nil { while samples.count > stride * Self.maxHashCount { stride *= 2 } }
    self.stride = stride
    hashes = Swift.stride(from: 0, to: samples.count, by: stride).map { start in
      var digest = SampleDigest()
      for sample in samples[start..<min(start + stride, samples.count)] { digest.feed(sample) }
      return Self.folded(digest.hex)
    }
    digest = SampleDigest.of(samples)
  }

  /// Returns the exclusive or of the digest's 16-bit parts.
  private static func folded(_ hex: String) -> UInt16 {
    var rest = Substring(hex)
    var folded: UInt16 = 0
    while !rest.isEmpty {
      folded ^= UInt16(rest.prefix(4), radix: 16) ?? 0
      rest = rest.dropFirst(4)
    }
    return folded
  }

  /// Returns where another curve diverges from this one; nil if it does not.
  package func divergence(of samples: [Sample]) -> CurveDivergence? {
    let other = CurveSignature(samples, stride: stride)
    guard other.digest != digest, let last = samples.last else { return nil }
    let shared = zip(hashes, other.hashes).enumerated().first { $0.element.0 != $0.element.1 }
    let group = shared?.offset ?? min(hashes.count, other.hashes.count)
    let start = group * stride
    guard start < samples.count else {
      return CurveDivergence(
        sample: samples.count, until: samples.count, launch: last.observation.launch,
        phase: last.phase, commit: last.observation.commits,
        headBytes: last.observation.space.total.bytes, endsEarly: true)
    }
    let first = samples[start]
    return CurveDivergence(
      sample: start + 1, until: min(start + stride, samples.count),
      launch: first.observation.launch, phase: first.phase, commit: first.observation.commits,
      headBytes: first.observation.space.total.bytes, endsEarly: false)
  }
}

/// The first samples in which two curves differ.
package struct CurveDivergence: Sendable, Equatable, Codable {
  /// The first and the last sample that may be the first to differ, from 1: the same if each sample has its own hash.
  package var sample: Int
  package var until: Int
  package var launch: Int
  package var phase: String
  package var commit: Int
  /// The size of all files of head at that sample.
  package var headBytes: Int
  /// Whether head equals base up to its last sample, and base has more.
  package var endsEarly: Bool

  package var sentence: String {
    if endsEarly {
      return "head ends after sample \(sample), at commit \(grouped(commit)); base has more samples"
    }
    let which = sample == until ? "sample \(sample)" : "one of samples \(sample) to \(until)"
    return
      "the curves diverge at \(which): launch \(launch), phase \(phase), commit \(grouped(commit)), "
      + "where head has \(headBytes) B"
  }
}
