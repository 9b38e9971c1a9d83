// The words of a simulated fleet, in the terminal and on the page.
import Analysis
import FleetModel
import MetricModel

enum FleetWords {
  static func size(_ bytes: Double) -> String { "\(ByteCount(Int(bytes.rounded())))" }

  static func value(_ value: Double, _ unit: FleetFigure.Unit) -> String {
    switch unit {
    case .bytes: size(value)
    case .nanoseconds: Nanoseconds.words(value)
    case .ratio: "\(value.threeDigits)×"
    case .count: value == 0 ? "0" : value.threeDigits
    }
  }

  /// A value at an axis or a line, as short as it can be: `200 MB`, `50 ms`, `1.4×`.
  static func tick(_ value: Double, _ unit: FleetFigure.Unit) -> String {
    shortened(self.value(value, unit))
  }

  /// Returns the text without zeros at the end of a fraction: `1.50 GB` becomes `1.5 GB`.
  static func shortened(_ text: String) -> String {
    let number = text.prefix { $0.isNumber || $0 == "." || $0 == "," }
    guard number.contains(".") else { return text }
    let short = number.reversed().drop { $0 == "0" }.drop { $0 == "." }.reversed()
    return String(short) + text.dropFirst(number.count)
  }

  /// A share in percent, with digits enough for few devices in a million.
  static func share(_ share: Double) -> String {
    if share == 0 { return "0 %" }
    return share < 0.0001 ? "\((share * 1e6).threeDigits) in 10⁶" : "\((share * 100).threeDigits) %"
  }

  /// `p99.9` for any share.
  static func percentile(_ share: Double) -> String {
    let tenths = Int((share * 1000).rounded())
    return tenths.isMultiple(of: 10) ? "p\(tenths / 10)" : "p\(tenths / 10).\(tenths % 10)"
  }

  static func head(_ summary: FleetSummary) -> String {
    "\(summary.population.visible) · \(grouped(summary.devices)) devices over \(years(summary.years)), seed "
      + "\(summary.seed)"
  }

  private static func years(_ years: Double) -> String {
    years == 1 ? "1 year" : "\(shortened(years.threeDigits)) years"
  }

  /// The columns of the table, the policy first.
  static func titles(_ summary: FleetSummary) -> [String] {
    ["", "largest size p50", "p99", "p99.9"] + summary.sizeLimits.map { "above \(size($0))" }
      + (summary.costs == nil ? [] : ["longest stall p99.9"])
      + summary.stallLimits.map { "above \(Nanoseconds.words($0))" }
      + ["compactions a year p50", "rewritten a year p99"]
  }

  static func row(_ policy: PolicySummary, _ summary: FleetSummary) -> [String] {
    func figure(_ figure: FleetFigure, _ share: Double) -> String {
      policy.figure(figure)?.value(share).map { value($0.value, figure.unit) } ?? "n/a"
    }
    return [policy.name.visible]
      + [0.5, 0.99, 0.999].map { figure(.largestSize, $0) } + policy.aboveSizes.map(share)
      + (summary.costs == nil ? [] : [figure(.longestStall, 0.999)])
      + policy.aboveStalls.map(share)
      + [figure(.compactions, 0.5), figure(.rewritten, 0.99)]
  }

  static func errors(_ errors: InterpolationErrors?) -> String {
    guard let errors else { return "no device was left out to compare the curves with" }
    return
      "at \(grouped(errors.count)) launches of devices that were left out, the curves miss the file's size by "
      + "\(percent(errors.medianTotal)) in the median and \(percent(errors.p90Total)) in nine of ten, used bytes by "
      + "\(percent(errors.medianUsed)) and \(percent(errors.p90Used))"
  }

  /// What must be known to judge the figures.
  static func notes(_ summary: FleetSummary) -> [String] {
    var notes = summary.groups.map { group in
      "\(group.name.visible), \(group.engine) \(group.engineVersion): \(errors(group.errors))"
    }
    if let costs = summary.costs {
      let factor = summary.groups.compactMap(\.stallFactor).max()
      notes.append(
        "stalls are estimates by \(costs.visible)"
          + (factor.map {
            "; nine in ten single compactions take between 1 ÷ \($0.threeDigits) and \($0.threeDigits) times as long"
          } ?? "")
      )
      for group in summary.groups where group.stallFactor == nil {
        notes.append(
          "\(group.name.visible): the calibration has no times of \(group.engine), so stalls count as 0"
        )
      }
    } else {
      notes.append("stalls are not known: no calibration was given (--calibration)")
    }
    for policy in summary.policies where policy.shareBeyondCurves > 0 {
      notes.append(
        "\(policy.name.visible): \(share(policy.shareBeyondCurves)) of launches are longer after a compaction than was "
          + "measured; their files count as no larger, relative to their data")
    }
    notes.append(
      "quantiles are of bins: off by at most \(percent(QuantileSketch.maxError)); shares of devices by whole bins"
    )
    return notes
  }
}
