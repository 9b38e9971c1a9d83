// The record of an optimum of four launches with figures that can be checked by hand.
import MetricModel
import Objective
import Policies
package import RecordModel
import ScenarioModel

package enum OptimumFixture {
  /// A launch lasts eight hours, so that by the default prices a byte of waste costs as much as one that is written again.
  private static let launch = VirtualTime(seconds: 8 * 3600)

  /// A policy's sizes in MB in the four launches, and what it rewrites at all but the first. At 100 MB it has compacted.
  package struct Outcome {
    package var policy: String
    package var sizes: [Int]
    package var rewritten: [Int?]

    package init(_ policy: String, _ sizes: [Int], rewritten: [Int?]) {
      (self.policy, self.sizes, self.rewritten) = (policy, sizes, rewritten)
    }
  }

  /// Each launch without a compaction adds 100 MB to 100 MB, and a compaction writes `rewriting` MB. By default the optimum
  /// compacts at launches 2, 3 and 4, which costs as much as 120 MB of waste for eight hours: 0.12 points.
  package static func cell(
    rewriting: Int = 40, _ outcomes: [Outcome], engine: String = "native", arm: String = "usual"
  ) -> OptimumCell {
    let matrix = [
      run("at no launch", .matrix, [100, 200, 300, 400], [0, 0, 0]),
      run("at launch 2", .matrix, [100, 100, 200, 300], [rewriting, 0, 0]),
      run("at launch 3", .matrix, [100, 200, 100, 200], [0, rewriting, 0]),
      run("at launch 4", .matrix, [100, 200, 300, 100], [0, 0, rewriting]),
      run("at every launch", .matrix, [100, 100, 100, 100], [rewriting, rewriting, rewriting]),
    ]
    return OptimumCell(
      engine: engine, arm: arm,
      runs: matrix + outcomes.map { run($0.policy, .policy, $0.sizes, $0.rewritten) },
      renewal: RenewalFinding(runs: 1, schedules: 1, rows: 3))
  }

  private static func run(
    _ policy: String, _ purpose: ScheduleRun.Purpose, _ sizes: [Int], _ rewritten: [Int?]
  ) -> ScheduleRun {
    let launches = zip(1..., zip(sizes, [0] + rewritten)).map { number, values in
      let (size, written) = (ByteCount(values.0 * 1_000_000), values.1)
      var figures = LaunchFigures(launch: number)
      figures.area = ByteTime(size, for: launch)
      figures.time = launch
      figures.highWater = size
      figures.rewritten = written.map { ByteCount($0 * 1_000_000) }
      if number > 1 {
        figures.compaction = values.0 == 100 ? .finished : .declined
        (figures.before, figures.after) = (size, size)
      }
      return figures
    }
    let reasons = Dictionary(
      uniqueKeysWithValues: launches.dropFirst().map { ($0.launch, "totalBytes \($0.highWater)") })
    return ScheduleRun(
      policy: policy, purpose: purpose, isAutomatic: false, launches: launches,
      reasons: purpose == .policy ? reasons : [:])
  }

  /// A record with these policies.
  package static func record(_ cells: [OptimumCell], policies: [String]) -> OptimumRecord {
    let scenario = Scenario(
      name: "small", question: "Which?", tables: [], arms: [ArmSpec(name: "usual", clients: [])],
      phases: [PhaseSpec(name: "work")], launches: 4, engines: ["native"],
      policies: policies.map { Policy(name: $0, automatic: false, onLaunch: .never) })
    return OptimumRecord(
      provenance: Provenance(
        toolVersion: "0", command: "optimum", schedule: .stepped, seed: 1, repetitions: 1,
        startedAt: "", operatingSystem: "", processor: "", cores: 2, memory: .zero, fileSystem: "",
        engineVersions: [:]),
      scenario: scenario, cells: cells)
  }
}
