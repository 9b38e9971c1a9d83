// Populations read from files, and the devices drawn from them.
import FleetModel
import Generators
import ScenarioParser
import Testing

@Suite struct PopulationTests {
  static let text = """
    population: my-app
    seed: 7
    groups:
      light:
        share: 75 %
        data: log-normal 20 MB sigma 1.1 activity 0.5 up to 2 GB
        value: 256 B
        growth: log-normal 4 kB sigma 0.5 activity 0.9
        commits: log-normal 200 sigma 0.5 activity 0.9
        writes: 4
        replaced: 25 %
        launches: 4 to 12
        pins: { take-every: 50 commits, lifetime: exponential 200 commits }
      heavy:
        share: 25 %
        engine: lmdb
        data: 100 MB
        value: 1 kB
        commits: 1_000
        launches: 10
        available: 4 GB
    """

  private func parse(_ text: String) throws -> Population {
    try PopulationParser.parse(text, file: "p.yml") { _ in "" }
  }

  private func mistakes(_ text: String) -> [String] {
    do {
      _ = try parse(text)
      return []
    } catch let error as ScenarioProblems {
      return error.problems.map(\.summary)
    } catch { return ["\(error)"] }
  }

  @Test("a file is read as it is written") func read() throws {
    let population = try parse(Self.text)
    #expect(population.name == "my-app" && population.seed == 7)
    #expect(population.groups.map(\.name) == ["light", "heavy"])
    let light = population.groups[0]
    #expect(
      light.data == .logNormal(median: 20_000_000, sigma: 1.1, activity: 0.5, greatest: 2e9))
    #expect(light.launches == .uniform(low: 4, high: 12))
    #expect(light.replaced == 0.25 && light.writes == 4)
    #expect(light.pins == PinPattern(takeEveryCommits: 50, lifetime: .exponential(mean: 200)))
    #expect(population.groups[1].engine == "lmdb")
    #expect(population.groups[1].available == .fixed(4e9))
    #expect(population.groups[1].growth == .fixed(0))
  }

  @Test(
    "a mistake is reported with its line and what to write",
    arguments: [
      ("data: 100 MB", "data: -3 MB", "p.yml:17:11: groups.heavy.data: expected 20 MB"),
      ("sigma 1.1", "sigma 11", "p.yml:6:11: groups.light.data: sigma is out of range"),
      ("4 to 12", "12 to 4", "p.yml:12:15: groups.light.launches: the first is larger"),
      ("engine: lmdb", "engine: lmbd", "p.yml:16:13: groups.heavy.engine: expected"),
      ("commits: 1_000", "commits: 0", "p.yml:19:14: groups.heavy.commits: no device can have 0"),
      ("replaced:", "replace:", "p.yml:11:5: groups.light: unknown key \"replace\""),
      ("    value: 1 kB\n", "", "key \"value\" is missing"),
      ("population: my-app", "population: My App", "is no name in kebab-case"),
      ("growth: log-normal 4 kB", "growth: log-normal 4 MB", "would grow by more than all"),
      ("activity 0.5", "activity 2", "the correlation with activity is out of range"),
    ]) func mistake(_ old: String, _ new: String, _ message: String)
  {
    let text = Self.text.replacing(old, with: new)
    #expect(text != Self.text)
    let found = mistakes(text)
    #expect(found.contains { $0.contains(message) }, "\(found)")
  }

  @Test("a population without groups is refused") func empty() {
    #expect(mistakes("population: a\ngroups: {}").contains { $0.contains("there is no group") })
  }

  @Test("a device depends on its number and the seed alone") func devices() throws {
    let population = try parse(Self.text)
    let forward = (0..<50).map(population.device)
    let backward = (0..<50).reversed().map(population.device)
    #expect(forward == backward.reversed())
    var other = population
    other.seed = 8
    #expect((0..<50).map(other.device) != forward)
  }

  @Test("drawn devices have the shares, medians and correlation that the file states")
  func distributions() throws {
    let population = try parse(Self.text)
    let devices = (0..<20_000).map(population.device)
    let light = devices.filter { $0.group == 0 }
    // 75 % with a standard error of 0.3 %.
    #expect(abs(Double(light.count) / 20_000 - 0.75) < 0.015)
    let data = light.map(\.data).sorted()
    #expect(abs(data[data.count / 2] / 20_000_000 - 1) < 0.06)
    // One deviation above the median: 84.13 % of the devices are below e^1.1 times the median.
    let below = data.count { $0 < 20_000_000 * 3.004166 }
    #expect(abs(Double(below) / Double(data.count) - 0.8413) < 0.015)
    #expect(data.allSatisfy { $0 <= 2e9 })
    let median = light.map(\.commitsPerDay).sorted()[light.count / 2]
    let busy = light.filter { $0.commitsPerDay > median }
    let grown = busy.count { $0.growth > 4000 }
    // Both have the correlation 0.81: asin(0.81) / π + 1/2 = 80 % of the busy ones grow faster than the median.
    #expect(abs(Double(grown) / Double(busy.count) - 0.8004) < 0.02)
    #expect(light.allSatisfy { (4...12).contains($0.launchesPerDay) })
    #expect(devices.allSatisfy { $0.group == 0 || $0.available == 4e9 })
  }
}
