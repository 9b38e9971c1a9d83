import FleetModel
// Populations from logs: known ones are found again, and predict sizes under a policy that was not logged.
import Generators
import Policies
import ScenarioParser
import Testing

@Suite("Fitting a fleet") struct FleetFitTests {
  private static let template = SyntheticFleet.group

  private static func group(
    _ name: String, share: Double, data: QuantityDistribution, growth: QuantityDistribution,
    commits: QuantityDistribution, launches: QuantityDistribution
  ) -> DeviceGroup {
    var group = template
    (group.name, group.share, group.data) = (name, share, data)
    (group.growth, group.commits, group.launches) = (growth, commits, launches)
    return group
  }

  /// One kind of use; light and heavy ones; and importers with much growth beside two others.
  static let populations = [
    Population(
      name: "one", seed: 21,
      groups: [
        group(
          "all", share: 1, data: .logNormal(median: 6e6, sigma: 1, activity: 0.6),
          growth: .logNormal(median: 3000, sigma: 0.6, activity: 0.7),
          commits: .logNormal(median: 300, sigma: 0.5, activity: 0.8),
          launches: .logNormal(median: 6, sigma: 0.4, activity: 0.5))
      ]),
    Population(
      name: "two", seed: 22,
      groups: [
        group(
          "light", share: 0.75, data: .logNormal(median: 2e6, sigma: 0.5, activity: 0.3),
          growth: .fixed(0), commits: .logNormal(median: 100, sigma: 0.4, activity: 0.5),
          launches: .logNormal(median: 4, sigma: 0.3)),
        group(
          "heavy", share: 0.25, data: .logNormal(median: 3e7, sigma: 0.6, activity: 0.5),
          growth: .fixed(0), commits: .logNormal(median: 3000, sigma: 0.5, activity: 0.5),
          launches: .logNormal(median: 10, sigma: 0.3)),
      ]),
    Population(
      name: "three", seed: 23,
      groups: [
        group(
          "light", share: 0.7, data: .logNormal(median: 3e6, sigma: 0.6, activity: 0.4),
          growth: .logNormal(median: 2000, sigma: 0.4, activity: 0.4),
          commits: .logNormal(median: 150, sigma: 0.4, activity: 0.6),
          launches: .logNormal(median: 5, sigma: 0.3)),
        group(
          "heavy", share: 0.25, data: .logNormal(median: 2.5e7, sigma: 0.5, activity: 0.4),
          growth: .logNormal(median: 3e4, sigma: 0.5, activity: 0.5),
          commits: .logNormal(median: 1200, sigma: 0.4, activity: 0.6),
          launches: .logNormal(median: 8, sigma: 0.3)),
        group(
          "importers", share: 0.05, data: .logNormal(median: 1e7, sigma: 0.4, activity: 0.4),
          growth: .logNormal(median: 4e5, sigma: 0.3, activity: 0.5),
          commits: .logNormal(median: 2500, sigma: 0.3, activity: 0.5),
          launches: .logNormal(median: 3, sigma: 0.3)),
      ]),
  ]

  private static func curves(_ population: Population) -> FleetCurves {
    SyntheticFleet.curves().shared(by: population)
  }

  private static func options(_ curves: FleetCurves) -> FitOptions {
    var options = FitOptions(template: template, name: "fitted", source: "a log")
    options.model = MeasuredSpace(curves.groups[0], of: template)
    return options
  }

  /// The sketch of final sizes under the policy, half a year on.
  private static func sizes(_ curves: FleetCurves, devices: Int) throws -> QuantileSketch {
    let policy = try Policy(
      parsing: "on-launch: totalBytes > 3 MB && usedBytes / totalBytes < 70 %")
    let simulation = try FleetSimulation(curves, policies: [policy], years: 0.5)
    return simulation.tallies(of: 0..<devices)[0].sketch(of: .finalSize)
  }

  @Test("logs of the simulation are those of the core's walk")
  func simulated() throws {
    let curves = Self.curves(Self.populations[2])
    let simulation = LogSimulation(curves: curves, devices: 0)
    var walk = DeviceWalk(
      curves, days: 60, moments: 1, stalls: curves.groups.map { _ in nil })
    let test = try LaunchTest(
      try Policy(parsing: "on-launch: totalBytes > 6 MB && usedBytes / totalBytes < 60 %"))
    var tables = DeviceCurves(curves)
    for number in 0..<30 {
      walk.load(curves.population.device(number))
      let outcome = walk.run(test)
      let final = simulation.walk(number, &tables) { _, _ in }
      #expect(abs(outcome.finalBytes / final - 1) < 1e-12)
    }
  }

  @Test(
    "a population fitted to 60 days of a log without a fifth of the launches predicts p50 and p99 under another policy",
    arguments: [0, 1, 2]) func known(_ index: Int) throws
  {
    let truth = Self.curves(Self.populations[index])
    let log = try LogSimulation(curves: truth, devices: 2000).log()
    let fitted = try FleetFit.fit(log, Self.options(truth))
    #expect(abs(fitted.missing.share - 0.2) < max(0.03, 2 * fitted.missing.standardError))
    let expected = try Self.sizes(truth, devices: 20_000)
    let found = try Self.sizes(
      truth.shared(by: fitted.roundedPopulation), devices: 20_000)
    // The devices of the log are a sample: the error of their own quantile is that of any fit.
    let sample = try Self.sizes(truth, devices: 2000)
    for share in [0.5, 0.99] {
      let size = try #require(expected.quantile(share))
      let error = try #require(found.quantile(share)) / size - 1
      let interval = try #require(sample.interval(of: share))
      // The interval is of 95 %, 1.96 standard errors to each side.
      let twoErrors = (interval.upperBound - interval.lowerBound) / 1.96 / size
      #expect(abs(error) <= max(0.1, twoErrors), "p\(share * 100) is off by \(error)")
    }
    if index == 0 {
      let group = fitted.population.groups[0]
      let quantities = [group.data, group.growth, group.commits, group.launches]
      for (quantity, activity) in zip(quantities, [0.6, 0.7, 0.8, 0.5]) {
        guard case .logNormal(_, _, let found, _) = quantity else {
          Issue.record("\(quantity) is not log-normal")
          continue
        }
        #expect(abs(found - activity) < 0.1, "\(quantity)")
      }
    }
    // A file reads back as the population whose figures were compared.
    let read = try PopulationParser.parse(fitted.text, file: "p.yml") { _ in "" }
    #expect(read.groups == fitted.roundedPopulation.groups)
    let heldOut = try #require(fitted.heldOut)
    #expect(abs(Double(heldOut.devices) / 400 - 1) < 0.15)
    let median = try #require(heldOut.comparisons.first)
    #expect(median.agrees, "\(heldOut.words)")
  }
}

@Suite("What logs tell of devices") struct LogEvidenceTests {
  private static let day = 86_400_000.0

  /// Launches every quarter of a day; a compaction every ten days.
  private func rows(days: Int, growth: Double, commits: Double, flags: Bool) -> [LaunchRow] {
    let space = SaturatingSpace(bytesPerCommit: 5000, plateau: 4)
    return (0..<(days * 4)).map { index in
      let time = Double(index) / 4
      let since = time.truncatingRemainder(dividingBy: 10)
      let compactedUsed = 1e6 + growth * (time - since)
      let used = 1e6 + growth * time
      // The launch that compacts sees the sizes before.
      let isCompacting = index > 0 && since == 0
      let age = isCompacting ? 10 : since
      let base = isCompacting ? compactedUsed - growth * 10 : compactedUsed
      let free = used * space.freeShare(data: base, commits: commits * age)
      var row = LaunchRow(
        time: Int64(1.7e12 + time * Self.day), totalBytes: Int64(used + free),
        usedBytes: Int64(used))
      if flags { row.compacted = isCompacting ? .yes : .no }
      return row
    }
  }

  private func log(_ devices: [[LaunchRow]], columns: String = ",compacted") throws -> LaunchLog {
    var reader = LogReader()
    try reader.read(Array("device,time,totalBytes,usedBytes\(columns)".utf8))
    for (number, rows) in devices.enumerated() {
      for row in rows {
        let flag = columns.isEmpty ? "" : ",\(row.compacted == .yes)"
        let text = "d\(number),\(row.time),\(row.totalBytes),\(row.usedBytes)\(flag)"
        try reader.read(Array(text.utf8))
      }
    }
    return try reader.finish()
  }

  private let space = SaturatingSpace(bytesPerCommit: 5000, plateau: 4)

  @Test("growth and commits are those of the device, also without a fifth of the launches")
  func rates() throws {
    for commits in [10.0, 40, 100] {
      let all = rows(days: 60, growth: 3000, commits: commits, flags: true)
      var stream = RandomStream(seed: 4, label: "missing", index: Int(commits))
      let some = all.filter { _ in stream.next(below: 5) > 0 }
      for rows in [all, some] {
        let log = try log([rows])
        let rates = try #require(DeviceRates(log.devices[0], model: space))
        #expect(abs(rates.growth / 3000 - 1) < 0.01)
        let found = try #require(rates.commitsPerDay)
        #expect(abs(found / commits - 1) < 0.03, "\(commits): \(found)")
        #expect(!rates.isCommitsLowerBound)
      }
    }
  }

  @Test("compactions are seen by the column, and without it where totalBytes falls")
  func compactions() throws {
    let flagged = rows(days: 60, growth: 0, commits: 40, flags: true)
    let seen = try #require(DeviceRates(try log([flagged]).devices[0], model: space))
    #expect(seen.compactions == 5 && seen.loggedFalls == 5 && seen.unloggedFalls == 0)
    let plain = try log([flagged], columns: "")
    let fallen = try #require(DeviceRates(plain.devices[0], model: space))
    #expect(fallen.compactions == 5 && fallen.loggedFalls == 0)
    // Of the launches that compact, the second is not in the log.
    let cut = flagged.enumerated().filter { $0.offset != 80 }.map(\.element)
    let missed = try #require(DeviceRates(try log([cut]).devices[0], model: space))
    #expect(missed.loggedFalls == 4 && missed.unloggedFalls == 1)
  }

  @Test("a log says what it lacks, and a fit of too few devices is refused")
  func advice() throws {
    func options() -> FitOptions {
      FitOptions(template: SyntheticFleet.group, name: "a", source: "a")
    }
    let devices = (0..<20).map { number in
      rows(days: 8, growth: 0, commits: Double(20 + number), flags: false)
    }
    let fitted = try FleetFit.fit(try log(devices, columns: ""), options())
    for words in ["more devices", "for longer", "commits,", "launch,", "compacted,"] {
      #expect(fitted.advice.contains { $0.hasPrefix(words) }, "\(words): \(fitted.advice)")
    }
    #expect(fitted.missing.evidence == .none)
    // Without measured curves, the shape of the log's own.
    #expect(fitted.model.hasSuffix("below 4 × used bytes"), "\(fitted.model)")
    var stated = options()
    stated.missingLaunches = 0.2
    let known = try FleetFit.fit(try log(devices, columns: ""), stated)
    #expect(known.missing.share == 0.2 && known.missing.evidence == .stated)
    #expect(
      abs(known.population.groups[0].launches.median / 5 - 1) < 0.05,
      "4 logged launches a day of 5")
    #expect {
      try FleetFit.fit(try log(Array(devices.prefix(3)), columns: ""), options())
    } throws: {
      "\($0)".hasPrefix("3 of 3 devices have 4 launches over a day or more; a fit needs 10")
    }
  }

  @Test("counted commits and launches are taken as they are")
  func counted() throws {
    var reader = LogReader()
    try reader.read(Array("device,time,totalBytes,usedBytes,commits,launch".utf8))
    for device in 0..<12 {
      for launch in 0..<40 where launch % 5 != 2 {
        let time = 1_700_000_000 + launch * 43_200
        let text = "d\(device),\(time),9000,5000,\(launch * (10 + device)),\(launch + 1)"
        try reader.read(Array(text.utf8))
      }
    }
    let log = try reader.finish()
    let fitted = try FleetFit.fit(
      log, FitOptions(template: SyntheticFleet.group, name: "a", source: "a"))
    #expect(fitted.missing.evidence == .counted)
    // 8 of 39 gaps' launches are missing.
    #expect(abs(fitted.missing.share - 8.0 / 39) < 1e-9)
    #expect(fitted.population.groups[0].launches.median > 1.95)
    let commits = fitted.population.groups[0].commits.median
    #expect((20.0...42).contains(commits))
    #expect(!fitted.advice.contains { $0.hasPrefix("commits,") })
  }
}
