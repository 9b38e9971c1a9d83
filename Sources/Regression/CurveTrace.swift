// A curve short enough to be kept under version control, and good enough to tell where another one leaves it: a hash of
// 16 bits for each sample, over all exact columns of its row. Of every 65,536 rows that differ one goes unseen; the rows
// after it differ too, and whether anything differs is told by the digest of all rows, which has 128 bits.
import MetricModel
package import RecordModel

package struct CurveTrace: Sendable, Equatable {
  /// More samples than this share hashes, two, four, eight… to one.
  package static let maxHashCount = 2048

  /// How many samples in a row one hash is over.
  package var stride: Int
  package var hashes: [UInt16]
  /// `SampleDigest` of all rows, in hex.
  package var digest: String

  package init(stride: Int, hashes: [UInt16], digest: String) {
    self.stride = stride
    self.hashes = hashes
    self.digest = digest
  }

  /// Hashes the rows, so many to one as the other curve has; nil: as few as fit.
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

  /// The exclusive or of a digest's parts of 16 bits.
  private static func folded(_ hex: String) -> UInt16 {
    var rest = Substring(hex)
    var folded: UInt16 = 0
    while !rest.isEmpty {
      folded ^= UInt16(rest.prefix(4), radix: 16) ?? 0
      rest = rest.dropFirst(4)
    }
    return folded
  }

  /// Where a curve leaves this one: the first samples that are not as here. nil where none is.
  package func parting(of samples: [Sample]) -> CurveParting? {
    let other = CurveTrace(samples, stride: stride)
    guard other.digest != digest, let last = samples.last else { return nil }
    let shared = zip(hashes, other.hashes).enumerated().first { $0.element.0 != $0.element.1 }
    let group = shared?.offset ?? min(hashes.count, other.hashes.count)
    let start = group * stride
    guard start < samples.count else {
      return CurveParting(
        sample: samples.count, until: samples.count, launch: last.observation.launch,
        phase: last.phase, commit: last.observation.commits,
        headBytes: last.observation.space.total.bytes, endsEarly: true)
    }
    let first = samples[start]
    return CurveParting(
      sample: start + 1, until: min(start + stride, samples.count),
      launch: first.observation.launch, phase: first.phase, commit: first.observation.commits,
      headBytes: first.observation.space.total.bytes, endsEarly: false)
  }
}

/// The place from which on two curves differ.
package struct CurveParting: Sendable, Equatable, Codable {
  /// The first sample that may differ, and the last one: the same where each sample has a hash of its own. From 1.
  package var sample: Int
  package var until: Int
  package var launch: Int
  package var phase: String
  package var commit: Int
  /// The size of all files of head there.
  package var headBytes: Int
  /// Head has the samples of the base up to its last one, and the base has more.
  package var endsEarly: Bool

  package var sentence: String {
    if endsEarly {
      return "head ends after sample \(sample), at commit \(grouped(commit)); the base goes on"
    }
    let which = sample == until ? "sample \(sample)" : "one of samples \(sample) to \(until)"
    return
      "the curves part at \(which): launch \(launch), phase \(phase), commit \(grouped(commit)), "
      + "where head has \(headBytes) B"
  }
}
