// How long opening took on logged devices. A population has no times, so that they are reported beside it: to compare with what
// a calibration predicts.
import Statistics

package struct LoggedStalls: Sendable, Hashable {
  /// The quantiles of some launches, in milliseconds.
  package struct Quantities: Sendable, Hashable {
    package var count: Int
    package var median: Double
    package var p99: Double

    init?(_ stalls: [Double]) {
      guard !stalls.isEmpty else { return nil }
      let sorted = stalls.sorted()
      count = sorted.count
      median = sorted[sorted.count / 2]
      p99 = sorted[min(sorted.count - 1, sorted.count * 99 / 100)]
    }
  }

  /// Launches that compacted, and all others; nil where there are none.
  package var compacting: Quantities?
  package var others: Quantities?
  /// Milliseconds, and milliseconds for each byte used and each of the file, of launches that compacted; nil where they are too
  /// few, or too much alike.
  package var coefficients: [Double]?
  /// Nine in ten of those launches are within this share of them.
  package var nineInTen: Double?

  private static let minFitted = 30

  /// - Returns: nil for a log without stalls.
  init?(_ devices: [DeviceHistory]) {
    let rows = devices.lazy.flatMap(\.rows).filter { $0.stall > 0 }
    let compacted = Array(rows.filter { $0.compacted == .yes })
    compacting = Quantities(compacted.map { Double($0.stall) })
    others = Quantities(rows.filter { $0.compacted != .yes }.map { Double($0.stall) })
    guard compacting != nil || others != nil else { return nil }
    let measured = compacted.map { Double($0.stall) }
    guard measured.count >= Self.minFitted else { return }
    let terms = compacted.map { [1, Double($0.usedBytes), Double($0.totalBytes)] }
    guard let fit = NonnegativeFit(rows: terms, measured: measured) else { return }
    coefficients = fit.coefficients
    let errors = zip(terms, measured).map { abs(fit.value(at: $0) - $1) / $1 }.sorted()
    nineInTen = errors[min(errors.count - 1, errors.count * 9 / 10)]
  }

  /// In one line each: what was logged, and why it is not in the population.
  package var words: [String] {
    func text(_ name: String, _ own: Quantities?) -> String? {
      own.map {
        "\(QuantityWords.grouped($0.count)) launches that \(name) took \($0.median.shortText) ms (p50), "
          + "\($0.p99.shortText) ms (p99)"
      }
    }
    var lines = [
      "stalls: "
        + [text("compacted", compacting), text("did not", others)].compactMap(\.self)
        .joined(separator: ", ")
        + "; a population has no times: compare with those of fleet simulate --calibration"
    ]
    if let coefficients, let nineInTen {
      let perMB = coefficients.dropFirst().map { ($0 * 1e6).shortText }
      lines.append(
        "stalls of compactions: \(coefficients[0].shortText) ms + \(perMB[0]) ms for each MB used "
          + "+ \(perMB[1]) ms for each MB of the file; nine in ten are within \(QuantityWords.percent(nineInTen)) of that"
      )
    }
    return lines
  }
}
