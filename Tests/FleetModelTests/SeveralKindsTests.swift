// Logs of devices whose files grow by curves of several measured groups, and what opening took on them.
import Generators
import Policies
import Testing

@testable import FleetModel

@Suite("Logs of several kinds of devices") struct SeveralKindsTests {
  /// Of the second group a commit writes four times as much, and files become larger.
  private static let curves: FleetCurves = {
    var light = SyntheticFleet.group
    (light.name, light.share) = ("light", 0.7)
    (light.data, light.growth) = (.logNormal(median: 2e6, sigma: 0.5, activity: 0.3), .fixed(0))
    (light.commits, light.launches) = (.logNormal(median: 150, sigma: 0.4), .fixed(6))
    var heavy = light
    (heavy.name, heavy.share, heavy.value) = ("heavy", 0.3, .fixed(1024))
    heavy.data = .logNormal(median: 3e7, sigma: 0.5, activity: 0.3)
    heavy.commits = .logNormal(median: 500, sigma: 0.4)
    var curves = SyntheticFleet.curves().shared(
      by: Population(name: "two", seed: 31, groups: [light, heavy]))
    (curves.groups[0].group, curves.groups[1].group) = ("light", "heavy")
    curves.groups[1].axes.values = [1024]
    for index in curves.groups[1].classes[0].curves.indices {
      let own = curves.groups[1].classes[0].curves[index]
      curves.groups[1].classes[0].curves[index].total = zip(own.total, own.used).map {
        $1 + ($0 - $1) * 2.5
      }
    }
    return curves
  }()

  private static var kinds: [AppKind] {
    zip(curves.groups, curves.population.groups).compactMap { measured, own in
      MeasuredSpace(measured, of: own).map { AppKind(template: own, model: $0) }
    }
  }

  @Test("each group has the curves that it is of, and predicts sizes under another policy")
  func found() throws {
    let log = try LogSimulation(curves: Self.curves, devices: 1000).log()
    var options = FitOptions(template: SyntheticFleet.group, name: "fitted", source: "a log")
    // In the other order than the groups of the log.
    options.kinds = Self.kinds.reversed()
    options.maxGroups = 2
    let fitted = try FleetFit.fit(log, options)
    try #require(fitted.groups.map(\.group.name) == ["light", "heavy"])
    #expect(fitted.groups.map(\.kind) == [1, 0])
    #expect(fitted.groups.map(\.group.value.median) == [256, 1024])
    #expect(abs(fitted.groups[0].group.share - 0.7) < 0.05)
    #expect(abs(fitted.groups[1].group.commits.median / 500 - 1) < 0.1)
    #expect(fitted.model.hasPrefix("light by the measured curves of light, heavy by"))
    let policy = try Policy(parsing: "on-launch: usedBytes / totalBytes < 45 %")
    func sizes(_ population: Population) throws -> QuantileSketch {
      var curves = Self.curves
      curves.population = population
      return try FleetSimulation(curves, policies: [policy], years: 0.5)
        .tallies(of: 0..<4000)[0].sketch(of: .finalSize)
    }
    let (truth, found) = (try sizes(Self.curves.population), try sizes(fitted.roundedPopulation))
    for share in [0.5, 0.9] {
      let error = try #require(found.quantile(share)) / #require(truth.quantile(share)) - 1
      #expect(abs(error) < 0.1, "p\(share * 100) is off by \(error)")
    }
  }

  @Test("logged stalls give the times that they were made of, and are no part of a population")
  func stalls() throws {
    var reader = LogReader()
    try reader.read(Array("device,time,totalBytes,usedBytes,compacted,stall".utf8))
    var stream = RandomStream(seed: 8, label: "stalls")
    for device in 0..<20 {
      for launch in 0..<20 {
        let compacts = launch % 5 == 4
        let used = (device + 1) * 500_000
        let total = used + launch * 300_000
        let noise = 1 + (Double(stream.next(below: 200)) - 100) / 1000
        let stall = compacts ? noise * (8 + Double(used) * 2e-6 + Double(total) * 1e-6) : 3
        let time = 1_772_360_430 + launch * 43_200
        let row = "d\(device),\(time),\(total),\(used),\(compacts),\(stall)"
        try reader.read(Array(row.utf8))
      }
    }
    let stalls = try #require(LoggedStalls(try reader.finish().devices))
    #expect(stalls.compacting?.count == 80 && stalls.others?.count == 320)
    #expect(stalls.others?.median == 3)
    let found = try #require(stalls.coefficients)
    for (value, expected) in zip(found, [8, 2e-6, 1e-6]) {
      #expect(abs(value / expected - 1) < 0.15, "\(value) for \(expected)")
    }
    // The noise is even, up to a tenth.
    #expect(try #require(stalls.nineInTen) > 0.07 && #require(stalls.nineInTen) < 0.11)
    #expect(stalls.words.count == 2 && stalls.words[0].contains("a population has no times"))
  }
}
