// The scenario that measures a curve: a database that begins as a compacted copy, launches that are short at first and longer
// later, a compaction, and some launches after it.
import FleetModel
import Generators
import MetricModel
import Policies
import ScenarioModel

/// The launches of a curve's run, and the commits of each.
struct CurveDesign {
  /// Launches of equal length, whose commits are of three kinds.
  struct Tier {
    var launches: ClosedRange<Int>
    var updates: Int
    var replacements: Int
    var additions: Int

    var commits: Int { updates + replacements + additions }
  }

  /// Launches of a tier, after which the next has twice as many commits.
  private static let launchesOfTier = 6
  /// Launches after the compaction.
  private static let launchesAfter = 6
  /// There are no more launches as long as the device's.
  private static let maxLaunches = 200

  let group: DeviceGroup
  let parameters: ClassParameters
  /// Rows of the compacted copy.
  let rows: Int
  let tiers: [Tier]
  /// The launch that compacts, from 1.
  let compactedLaunch: Int

  var launches: Int { compactedLaunch + Self.launchesAfter - 1 }
  private var value: Int { Int(parameters.value) }
  var bytes: Double { Double(rows * value) }

  init(_ group: DeviceGroup, _ parameters: ClassParameters, data: Double, maxTurnover: Double) {
    self.group = group
    self.parameters = parameters
    rows = max(1, Int((data / parameters.value).rounded()))
    let writtenPerCommit = Double(group.writes) * parameters.value
    let data = Double(rows) * parameters.value
    let needed = max(1, maxTurnover * data / writtenPerCommit)
    let length = max(1, Int(parameters.commitsPerLaunch.rounded()))
    var commits = length
    var tiers: [Tier] = []
    if group.pins == nil {
      // Short enough to show what happens right after a compaction, long enough for all kinds of commits; then as long as the
      // device's, since closing cuts the files of some engines; and longer for what is left.
      commits = min(commits, max(8, Int(needed / 512)))
      var (first, done) = (1, 0)
      while Double(done) < needed {
        let left = Int(((needed - Double(done)) / Double(commits)).rounded(.up))
        let count = commits == length ? min(Self.maxLaunches, left) : Self.launchesOfTier
        tiers.append(Self.tier(commits, first, count, group, parameters))
        done += commits * count
        first += count
        commits = commits < length ? min(length, 2 * commits) : 2 * commits
      }
    } else {
      let count = min(Self.maxLaunches, Int((needed / Double(commits)).rounded(.up)))
      tiers.append(Self.tier(commits, 1, max(3, count), group, parameters))
    }
    self.tiers = tiers
    compactedLaunch = (tiers.last?.launches.upperBound ?? 0) + 1
  }

  private static func tier(
    _ commits: Int, _ first: Int, _ count: Int, _ group: DeviceGroup, _ parameters: ClassParameters
  ) -> Tier {
    let additions = Int((Double(commits) * parameters.addShare).rounded())
    let replacements = Int((Double(commits - additions) * group.replaced).rounded())
    return Tier(
      launches: first...(first + count - 1), updates: commits - additions - replacements,
      replacements: replacements, additions: additions)
  }

  /// Bytes of values written, and of all values, when a launch begins.
  func written(before launch: Int) -> (bytes: Double, data: Double) {
    var (bytes, added) = (0, 0)
    for tier in tiers {
      let count = max(0, min(launch - 1, tier.launches.upperBound) - tier.launches.lowerBound + 1)
      bytes += count * tier.commits
      added += count * tier.additions
    }
    // After the compaction the first tier begins again.
    let after = max(0, launch - compactedLaunch)
    bytes += after * (tiers.first?.commits ?? 0)
    added += after * (tiers.first?.additions ?? 0)
    let unit = Double(group.writes * value)
    return (Double(bytes) * unit, self.bytes + Double(added) * unit)
  }

  /// The run without another compaction than that at the end.
  static let single = "compacted once"
  /// The run with an earlier one as well.
  static let twice = "compacted twice"

  /// The scenario, of which a name tells it from others.
  func scenario(name: String, seed: UInt64, checksRenewal: Bool) -> Scenario {
    var scenario = Scenario(
      name: name, question: "How does the file grow after a compaction?", seed: seed,
      tables: [TableSpec(name: DeviceClients.table, rows: rows, valueSize: .fixed(value))],
      arms: [ArmSpec(name: "default", clients: DeviceClients.all(of: group))], phases: phases,
      launches: launches,
      engines: [group.engine],
      policies: [policy(Self.single, [compactedLaunch])]
        + (checksRenewal ? [policy(Self.twice, [earlyLaunch, compactedLaunch])] : []),
      sampling: SamplingSpec(everyCommits: max(50, (tiers.last?.commits ?? 1) / 4)))
    scenario.lifecycle.isSeeded = true
    return scenario
  }

  /// Where the check of renewal compacts first.
  private var earlyLaunch: Int { max(2, compactedLaunch / 3) }

  private func policy(_ name: String, _ launches: [Int]) -> Policy {
    let condition = launches.map { "launch == \($0)" }.joined(separator: " || ")
    guard var policy = try? Policy(parsing: "on-launch: \(condition)") else {
      preconditionFailure("launches by their numbers are a predicate")
    }
    policy.name = name
    return policy
  }

  private var phases: [PhaseSpec] {
    let after = compactedLaunch...launches
    return tiers.enumerated().flatMap { index, tier in
      let launches = Array(tier.launches) + (index == 0 ? Array(after) : [])
      let commits: [(kind: DeviceClients.Kind, count: Int)] = [
        (.update, tier.updates), (.replace, tier.replacements), (.add, tier.additions),
      ]
      return commits.filter { $0.count > 0 }.map { kind, count in
        PhaseSpec(
          name: "\(kind) \(index + 1)", commits: count, onlyInLaunches: launches,
          clients: DeviceClients.names(kind, group))
      }
    }
  }
}
