// The report of a simulated fleet: figures with their intervals, what is not known said so, names shown as they are.
import FleetModel
import Policies
import Testing

@testable import ReportRendering

@Suite struct FleetReportTests {
  private static func summary(costs: String? = nil) throws -> FleetSummary {
    let group = DeviceGroup(
      name: "all", data: .logNormal(median: 4e6, sigma: 0.8), value: .fixed(256),
      commits: .fixed(100), writes: 4, launches: .fixed(4))
    let points = [0.0, 1, 8].map {
      CurvePoint(
        turnover: $0, data: 1e6, totalBytes: 1.5e6 + 1e6 * $0 / 8, usedBytes: 1.2e6,
        peakBytes: 3e6)
    }
    let axes = ClassAxes(values: [256], addShares: [0], rates: [25], data: [1e6])
    let item = ClassCurves(
      name: "all/256 B", parameters: axes.parameters(0),
      curves: [RenewalCurve(data: 1e6, points: points, rewrittenPerUsed: 1)])
    let curves = FleetCurves(
      population: Population(name: "tiny", groups: [group]), stratification: Stratification(),
      groups: [
        GroupCurves(
          group: "all", engine: "native", engineVersion: "9", axes: axes, classes: [item])
      ])
    let model = StallModel(
      constant: 1e6, perUsedByte: 1, perTotalByte: 0, relativeDeviation: 0.125)
    let simulation = try FleetSimulation(
      curves,
      policies: [
        .never, try Policy(parsing: "half-used = on-launch: usedBytes / totalBytes < 70 %"),
      ],
      years: 0.5, moments: 4, stalls: costs == nil ? nil : [model])
    return simulation.summary(
      simulation.tallies(of: 0..<400), devices: 400, sizeLimits: [1e7],
      stallLimits: costs == nil ? [] : [5e6], costs: costs)
  }

  @Test("the page has each policy with its rule, intervals, and the command") func page() throws {
    let text = FleetMarkdown.text(
      try Self.summary(), repeatedBy: "compaction-lab fleet simulate", pictureFolder: "plots")
    #expect(text.contains("## never\n") && text.contains("## half-used\n"))
    #expect(text.contains("`on-launch: usedBytes / totalBytes < 70 %`"))
    #expect(text.contains("| largest size "))
    #expect(text.contains("above 10.0 MB"))
    #expect(text.contains("stalls are not known: no calibration was given"))
    #expect(!text.contains("longest stall"))
    #expect(text.contains("Command: `compaction-lab fleet simulate`"))
  }

  @Test("with costs stalls are there, and called estimates with their spread") func stalls() throws
  {
    let summary = try Self.summary(costs: "calibration.json of May")
    let text = FleetText.simulation(summary, isBrief: false)
    #expect(text.contains("longest stall p99.9") && text.contains("above 5.00 ms"))
    #expect(text.contains("stalls are estimates by calibration.json of May"))
    #expect(text.contains("deviates from them by 12"))
  }

  @Test("the table has a row for each policy, figure and quantile") func table() throws {
    let summary = try Self.summary()
    let lines = String(decoding: FleetCSV.text(summary), as: UTF8.self).split(separator: "\r\n")
    // Six figures without times, four quantiles and the worst each.
    #expect(lines.count == 1 + 2 * 6 * 5)
    let rows = String(decoding: FleetCSV.text(summary), as: UTF8.self)
    #expect(rows.contains("never,compactions a year,count,0.5,0"))
  }

  @Test("both pictures have a curve for each policy") func pictures() throws {
    let summary = try Self.summary()
    for svg in [FleetPicture.fan(summary), FleetPicture.distribution(summary)] {
      #expect(svg.hasPrefix("<svg") && svg.contains("half-used") && svg.contains("never"))
      #expect(svg.contains("curve s0") && svg.contains("curve s1"))
      #expect(!svg.contains("nan") && !svg.contains("inf"))
    }
  }

  @Test("an interval is there where the devices are enough") func intervals() throws {
    let figure = try #require(Self.summary().policies[0].figure(.largestSize))
    let median = try #require(figure.value(0.5))
    #expect(try #require(median.low) < median.value && median.value < #require(median.high))
    #expect(figure.value(0.999)?.low == nil)
    #expect(figure.worst >= figure.value(0.999)?.value ?? .infinity)
  }
}
