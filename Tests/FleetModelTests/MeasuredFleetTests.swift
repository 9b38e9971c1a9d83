// Fleets whose curves the real engine gave. For nights, since the curves take a minute:
// compaction-lab fleet measure Benchmarks/fleet.yml --max-data "8 MB" --output out, and then
// FLEET_CURVES=out/benchmark-fleet swift test --filter MeasuredFleetTests, with FLEET_DEVICES=1000000 for more devices.
import Foundation
import Policies
import Testing

@testable import FleetModel

private let environment = ProcessInfo.processInfo.environment

@Suite("Fleets of measured curves") struct MeasuredFleetTests {
  private static let folder = environment["FLEET_CURVES"]
  private static let devices = environment["FLEET_DEVICES"].flatMap(Int.init) ?? 100_000

  /// What of fleet.json is needed here.
  private struct Record: Decodable {
    let curves: FleetCurves
  }

  private static func measured() throws -> FleetCurves {
    let file = URL(filePath: folder ?? "").appending(path: "fleet.json")
    return try JSONDecoder().decode(Record.self, from: try Data(contentsOf: file)).curves
  }

  /// One kind of use, two, and three of which one grows much; values as in the measured groups.
  private static func populations(_ curves: FleetCurves) -> [Population] {
    func group(
      _ base: Int, _ name: String, _ share: Double, data: Double, growth: Double, commits: Double,
      launches: Double, sigma: Double = 0.5
    ) -> DeviceGroup {
      var group = curves.population.groups[base]
      (group.name, group.share) = (name, share)
      group.data = .logNormal(median: data, sigma: sigma, activity: 0.5)
      group.growth =
        growth > 0 ? .logNormal(median: growth, sigma: 0.5, activity: 0.5) : .fixed(0)
      group.commits = .logNormal(median: commits, sigma: 0.4, activity: 0.6)
      group.launches = .logNormal(median: launches, sigma: 0.3)
      return group
    }
    return [
      Population(
        name: "one", seed: 41,
        groups: [
          group(0, "all", 1, data: 3e6, growth: 3000, commits: 200, launches: 6, sigma: 0.8)
        ]),
      Population(
        name: "two", seed: 42,
        groups: [
          group(0, "light", 0.75, data: 1.5e6, growth: 0, commits: 100, launches: 4),
          group(1, "heavy", 0.25, data: 7e6, growth: 0, commits: 300, launches: 10),
        ]),
      Population(
        name: "three", seed: 43,
        groups: [
          group(0, "light", 0.6, data: 1e6, growth: 1500, commits: 80, launches: 5),
          group(1, "heavy", 0.3, data: 6e6, growth: 2e4, commits: 250, launches: 8),
          group(1, "importers", 0.1, data: 3e6, growth: 1e5, commits: 600, launches: 3),
        ]),
    ]
  }

  private static func shared(_ curves: FleetCurves, by population: Population) -> FleetCurves {
    FleetCurves(
      population: population, stratification: curves.stratification,
      groups: population.groups.map { group in
        curves.groups[group.value == curves.population.groups[0].value ? 0 : 1]
      })
  }

  private static func sizes(_ curves: FleetCurves, devices: Int) throws -> QuantileSketch {
    let policy = try Policy(
      parsing: "on-launch: totalBytes > 2 MB && usedBytes / totalBytes < 85 %")
    let simulation = try FleetSimulation(curves, policies: [policy], years: 0.5)
    return simulation.tallies(of: 0..<devices)[0].sketch(of: .finalSize)
  }

  @Test(
    "60 days without a fifth of the launches predict p50 and p99 under another policy",
    .enabled(if: folder != nil), arguments: [0, 1, 2]) func known(_ index: Int) throws
  {
    let measured = try Self.measured()
    let truth = Self.shared(measured, by: Self.populations(measured)[index])
    var simulation = LogSimulation(curves: truth, devices: 2000)
    (simulation.limit, simulation.usedShare) = (3e6, 0.75)
    var options = FitOptions(
      template: measured.population.groups[0], name: "fitted", source: "a log")
    options.kinds = zip(measured.groups, measured.population.groups).compactMap { curves, own in
      MeasuredSpace(curves, of: own).map { AppKind(template: own, model: $0) }
    }
    let fitted = try FleetFit.fit(try simulation.log(), options)
    let expected = try Self.sizes(truth, devices: 20_000)
    let found = try Self.sizes(
      Self.shared(measured, by: fitted.roundedPopulation), devices: 20_000)
    let sample = try Self.sizes(truth, devices: 2000)
    for share in [0.5, 0.99] {
      let size = try #require(expected.quantile(share))
      let error = try #require(found.quantile(share)) / size - 1
      let interval = try #require(sample.interval(of: share))
      let twoErrors = (interval.upperBound - interval.lowerBound) / 1.96 / size
      print(
        "population \(index), p\(share * 100): error \(error), two standard errors \(twoErrors)")
      #expect(abs(error) <= max(0.1, twoErrors), "p\(share * 100) is off by \(error)")
    }
    print(fitted.summary.joined(separator: "\n"))
  }

  @Test(
    "a quantile of a sketch is that of all devices, sorted, to half a bin",
    .enabled(if: folder != nil))
  func sorted() throws {
    let policies = [
      Policy.never,
      try Policy(parsing: "on-launch: totalBytes > 5 MB && usedBytes / totalBytes < 75 %"),
    ]
    let simulation = try FleetSimulation(try Self.measured(), policies: policies, years: 0.1)
    var walk = simulation.walk
    for test in simulation.tests {
      var sketch = QuantileSketch()
      let sizes = (0..<Self.devices).map { number in
        walk.load(simulation.curves.population.device(number))
        return walk.run(test).largestBytes
      }
      for size in sizes { sketch.add(size) }
      let sorted = sizes.sorted()
      for share in [0.5, 0.9, 0.99, 0.999] {
        let exact = sorted[Int((share * Double(Self.devices)).rounded(.up)) - 1]
        let bias = try #require(sketch.quantile(share)) / exact - 1
        print("\(Self.devices) devices, \(test.policy.name), p\(share * 100): bias \(bias)")
        #expect(abs(bias) <= QuantileSketch.maxError)
      }
    }
  }
}
