// The words of a comparison of simulated and really run devices, in the terminal and on the page; its table of devices.
import Analysis
package import FleetModel
import MetricModel
import RecordModel

enum FleetAgreementWords {
  static let launches =
    "Both begin with a fresh file and have the same launches; what is written between two launches is in proportion to the "
    + "time."

  static let twins =
    "Devices of these engines were really run twice, with the same launches and commits, and with rows in another order. No "
    + "simulation can be closer that is not given the rows, so that where two real runs are further apart than the bar, they "
    + "are the bar. Errors and orders are those of the second run, relative to the first."

  static func head(_ agreement: FleetAgreement) -> String {
    let engines = agreement.engines.map { "\(grouped(agreement.devices(of: $0))) of \($0)" }
    return "\(agreement.population.visible) · devices: \(engines.joined(separator: ", ")) · "
      + "\(agreement.days.threeDigits) days, seed \(agreement.seed), data of at most "
      + "\(FleetWords.size(agreement.maxData)) on the first day "
      + "(\(grouped(agreement.passedOver)) larger ones were passed over)"
  }

  static func signed(_ share: Double) -> String { (share > 0 ? "+" : "") + percent(share) }

  static func bar(_ bar: AgreementBar?) -> String {
    guard let bar else { return "" }
    return "≤ \(percent(bar.maxMedian))" + (bar.maxP90.map { ", ≤ \(percent($0))" } ?? "")
  }

  /// `0.98 (1,204)`.
  static func order(_ order: PolicyOrder?) -> String {
    order.map { "\($0.tau.threeDigits) (\(grouped($0.pairs)))" } ?? "n/a"
  }

  /// `4.10 MB / 4.08 MB, +0.5 %`.
  static func quantile(
    _ quantile: (simulated: Double, real: Double), _ unit: FleetFigure.Unit
  ) -> String {
    let both =
      "\(FleetWords.value(quantile.simulated, unit)) / \(FleetWords.value(quantile.real, unit))"
    return quantile.real == 0 ? both : both + ", \(signed(quantile.simulated / quantile.real - 1))"
  }
}

package enum FleetAgreementText {
  /// A line for each engine and figure that has a bar, and what is outside of its bar.
  package static func text(_ agreement: FleetAgreement, isBrief: Bool) -> String {
    var lines = isBrief ? [] : [FleetAgreementWords.head(agreement), ""]
    for engine in agreement.engines {
      let pairs = agreement.pairs(of: engine)
      for bar in AgreementBar.all {
        guard let errors = agreement.errors(bar.figure, in: pairs) else { continue }
        let order = [
          agreement.orderByQuantiles(bar.figure, of: engine),
          agreement.orderOnDevices(bar.figure, of: engine),
        ].map(FleetAgreementWords.order)
        lines.append(
          "  \(engine), \(bar.figure.rawValue): off by \(percent(errors.median)) in the median, "
            + "\(percent(errors.p90)) for nine of ten, bias "
            + "\(FleetAgreementWords.signed(errors.bias)), τ of policies by quantiles \(order[0]), on devices \(order[1])"
        )
      }
    }
    if let twins = agreement.twins {
      for engine in twins.engines {
        for bar in AgreementBar.all {
          guard let errors = twins.errors(bar.figure, in: twins.pairs(of: engine)) else { continue }
          let order = FleetAgreementWords.order(twins.orderOnDevices(bar.figure, of: engine))
          lines.append(
            "  two real runs of \(engine), \(bar.figure.rawValue): \(percent(errors.median)) apart in the median, "
              + "\(percent(errors.p90)) for nine of ten, τ of policies on devices \(order)")
        }
      }
    }
    let misses = agreement.misses.map { "  outside of its bar: \($0)" }
    return (lines + misses).joined(separator: "\n")
  }
}

/// fleet-agreement.csv: one row for each device and policy.
package enum FleetAgreementCSV {
  package static let fileName = "fleet-agreement.csv"

  package static func text(_ agreement: FleetAgreement) -> [UInt8] {
    var line = CSVLine()
    let columns = [
      "device", "group", "engine", "data (bytes)", "value (bytes)", "growth a day (bytes)",
      "commits a day", "launches a day", "policy", "launches",
    ]
    for column in columns { line.append(column) }
    let years = agreement.days / FleetSimulation.daysPerYear
    for figure in agreement.figures {
      line.append("\(figure.rawValue) simulated (\(figure.unit))")
      line.append("\(figure.rawValue) real (\(figure.unit))")
    }
    line.endRow()
    for pair in agreement.pairs {
      let group = agreement.groups[pair.group]
      let device = pair.device
      line.append("\(device.number)")
      line.append(group.name)
      line.append(group.engine)
      for value in [
        device.data, device.value, device.growth, device.commitsPerDay, device.launchesPerDay,
      ] {
        line.append(SummaryCSV.number(value))
      }
      line.append(agreement.policies[pair.policy].name)
      line.append("\(pair.real.launches)")
      for figure in agreement.figures {
        line.append(SummaryCSV.number(figure.value(pair.simulated, years: years)))
        line.append(SummaryCSV.number(figure.value(pair.real, years: years)))
      }
      line.endRow()
    }
    return line.bytes
  }
}
