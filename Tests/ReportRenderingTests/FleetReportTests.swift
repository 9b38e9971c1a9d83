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
        turnover: $0, data: 1e6, totalBytes: 1.5e6 + 1e6 * $0 / 8, usedBytes: 1.2e6)
    }
    let axes = ClassAxes(values: [256], addShares: [0], rates: [25], data: [1e6])
    let item = ClassCurves(
      name: "all/256 B", parameters: axes.parameters(0),
      curves: [RenewalCurve(data: 1e6, points: points, rewrittenPerCompacted: 1)])
    let curves = FleetCurves(
      population: Population(name: "tiny", groups: [group]), stratification: Stratification(),
      groups: [
        GroupCurves(
          group: "all", engine: "native", engineVersion: "9", axes: axes, classes: [item])
      ])
    let model = StallModel(
      constant: 1e6, perWrittenByte: 1, perTotalByte: 0, nineInTenFactor: 1.625)
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
    #expect(text.contains("<summary>never</summary>"))
    #expect(text.contains("<summary>half-used</summary>"))
    for picture in FleetPicture.all(try Self.summary()) {
      #expect(text.contains("(plots/\(picture.name))"))
    }
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
    #expect(
      text.contains("nine in ten single compactions take between 1 ÷ 1.63 and 1.63 times as long"))
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
    let pictures = FleetPicture.all(try Self.summary())
    #expect(pictures.map(\.name) == FleetPicture.names)
    for svg in pictures.map(\.svg) {
      #expect(svg.hasPrefix("<svg") && svg.contains("half-used") && svg.contains("never"))
      #expect(svg.contains("curve s0") && svg.contains("curve s1"))
      #expect(!svg.contains("nan") && !svg.contains("inf"))
    }
    // A panel for each figure but stalls, which are not known, and a fan for each policy.
    #expect(pictures[0].svg.ranges(of: "font-weight=\"600\"").count == 1 + 3)
    #expect(pictures[1].svg.ranges(of: "font-weight=\"600\"").count == 1 + 2)
    #expect(pictures[0].svg.contains("0 under never") && pictures[0].svg.contains(">10 MB<"))
  }

  @Test("the page names nothing outside of itself, and has every section and both pictures")
  func html() throws {
    var summary = try Self.summary()
    let odd = "</script><b>&\"'"
    (summary.policies[1].name, summary.population) = (odd, odd)
    let page = FleetHTML.text(summary, repeatedBy: "compaction-lab fleet simulate")
    for part in ["http:", "https:", "src=", "url(", "@import", "<link", "<img", "<b>&"] {
      #expect(!page.contains(part), "\(part)")
    }
    #expect(page.ranges(of: "</script>").count == 2)
    #expect(page.ranges(of: "<div class=\"panel\">").count == 2)
    #expect(page.ranges(of: "data-series=").count == 2)
    for title in ["All figures", "What the figures are worth", "Method"] {
      #expect(page.contains("<h2>\(title)</h2>"))
    }
  }

  @Test("the verdict names the policy with the smallest files, and what it costs")
  func verdict() throws {
    var summary = try Self.summary()
    func size(_ policy: Int, _ bytes: Double, rewritten: Double) {
      for index in summary.policies[policy].figures.indices {
        let figure = summary.policies[policy].figures[index].figure
        if figure == .largestSize {
          summary.policies[policy].figures[index].quantiles[2].value = bytes
        }
        if figure == .rewritten { summary.policies[policy].figures[index].mean = rewritten }
      }
      summary.policies[policy].aboveSizes = [bytes / 1e9]
    }
    size(0, 8e7, rewritten: 0)
    size(1, 6e7, rewritten: 5e8)
    #expect(
      FleetVerdict.sentence(summary)
        == "half-used has the smallest files: p99 of the largest size is 60.0 MB, 25.0 % less than under never, and 6.00 % "
        + "of devices in place of 8.00 % exceed 10.0 MB; compactions write 500 MB a year on a device in the mean."
    )
    size(1, 7.95e7, rewritten: 5e8)
    #expect(
      FleetVerdict.sentence(summary)
        == "No policy has smaller files than never without more rewriting: p99 of the largest size is 80.0 MB, and 8.00 % "
        + "of devices exceed 10.0 MB; no compaction is made.")
    size(0, 8e7, rewritten: 9e9)
    #expect(
      FleetVerdict.sentence(summary)
        == "half-used has files as small as never (p99 of the largest size 79.5 MB); compactions write 500 MB a year on a "
        + "device in the mean, in place of 9.00 GB.")
    summary.policies.removeLast()
    #expect(
      FleetVerdict.sentence(summary)
        == "Under never p99 of the largest size is 80.0 MB, and 8.00 % of devices exceed 10.0 MB.")
  }

  @Test("an interval is there where the devices are enough") func intervals() throws {
    let figure = try #require(Self.summary().policies[0].figure(.largestSize))
    let median = try #require(figure.value(0.5))
    #expect(try #require(median.low) < median.value && median.value < #require(median.high))
    #expect(figure.value(0.999)?.low == nil)
    #expect(figure.worst >= figure.value(0.999)?.value ?? .infinity)
  }

  @Test("the page of a comparison has errors beside their bars, quantiles, and what is outside")
  func agreement() throws {
    let population = Population(
      name: "tiny",
      groups: [
        DeviceGroup(
          name: "all", data: .fixed(4e6), value: .fixed(256), commits: .fixed(100),
          launches: .fixed(4))
      ])
    let pairs = (0..<10).map { number in
      var (simulated, real) = (DeviceOutcome(), DeviceOutcome())
      (simulated.finalBytes, real.finalBytes) = (4.4e6, 4e6)
      (simulated.largestBytes, real.largestBytes) = (5e6, 5e6)
      return DevicePair(
        device: DeviceTraits(population.device(number)), group: 0, policy: 0,
        simulated: simulated, real: real)
    }
    let agreement = FleetAgreement(
      population: "tiny", seed: 1, days: 90, maxData: 8e6, passedOver: 3,
      groups: [GroupSummary(name: "all", engine: "native", engineVersion: "9")],
      policies: [.init(name: "never", rule: "never")], pairs: pairs)
    let text = FleetAgreementMarkdown.text(agreement, repeatedBy: "compaction-lab fleet agreement")
    #expect(text.contains("- native, final size: the error is larger\n"))
    #expect(text.contains("| +10.0 % |") && text.contains("≤ 3.00 %, ≤ 10.0 %"))
    #expect(text.contains("4.40 MB / 4.00 MB, +10.0 %"))
    #expect(text.contains("(3 larger ones were passed over)"))
    #expect(text.contains("Command: `compaction-lab fleet agreement`"))
    let rows = String(decoding: FleetAgreementCSV.text(agreement), as: UTF8.self)
    #expect(rows.split(separator: "\r\n").count == 11)
    #expect(FleetAgreementText.text(agreement, isBrief: true).contains("bias +10.0 %"))
  }
}
