// Carries out `tune`: the launch matrices of the training seeds, the search, then the finalists, the vendors' rules and the
// scenario's own policies on the held-out seeds.
import ArgumentParser
import EngineInterface
import Engines
import Experiments
import LaunchSchedules
import MetricModel
import Objective
import Policies
import RecordModel
import ReportRendering
import RunJournal
import ScenarioModel
import SystemIO

struct TuneExecution {
  let scenarios: [Scenario]
  let objective: Objective
  let families: [PolicyFamily]
  let seeds: TuneSeeds
  let folder: OutputFolder
  let running: UnsharedOptions
  let besideAutomatic: Bool

  static let folderSuffix = "-tune"

  /// Runs all that is missing, writes the files, prints the results, and returns the exit code.
  func carryOut(_ cancellation: Cancellation) throws -> ExitCode {
    let progress = TuneProgress(
      total: runsOfSeeds(seeds.training) + runsOfSeeds(seeds.heldOut),
      isQuiet: running.quiet.isQuiet)
    defer { progress.finish() }
    announce()
    var engines: [TunedEngine] = []
    var provenance: Provenance?
    for engine in engineNames {
      guard let found = try tune(engine, cancellation, progress, &provenance) else {
        progress.finish()
        Console.error(
          "interrupted: what has ended is in \(folder.path); the same command runs the rest")
        return .interrupted
      }
      engines.append(found)
    }
    progress.finish()
    guard let provenance else { throw couldNotRun("none of the engines is on this machine") }
    let record = TuneRecord(
      provenance: provenance, objective: objective, scenarios: scenarios, engines: engines)
    let files = TuneFiles(TuneAnalysis(record))
    do { try folder.whileLocked { try files.write(to: folder) } } catch {
      throw couldNotRun(
        "\(error)\nthe runs are in \(folder.path); the same command writes the files")
    }
    Console.print(TuneText.text(files.analysis, isBrief: running.quiet.isQuiet))
    Console.print("\n  report: \(folder.path.appending(TuneMarkdown.fileName))\n")
    return engines.contains { $0.absence == nil } ? .success : .couldNotRun
  }

  private func announce() {
    let done = [OutputFolder.trainingFolder, OutputFolder.heldOutFolder].flatMap {
      part -> [FilePath] in
      let path = folder.path.appending(part)
      return ((try? FileSystem.list(path)) ?? []).map { path.appending($0) }
    }.count { FileSystem.exists($0.appending(OptimumRecord.fileName)) }
    if done > 0, running.resumption.resume != false {
      Console.error(
        "\(folder.path): \(counted(done, "seed")) of an earlier run are used where nothing changed")
    }
  }

  /// In the order of the first scenario that has each.
  private var engineNames: [String] {
    scenarios.flatMap(\.engines).reduce(into: []) { names, engine in
      if !names.contains(engine) { names.append(engine) }
    }
  }

  private func runsOfSeeds(_ count: (String) -> Int) -> Int {
    engineNames.reduce(0) { sum, engine in
      sum + count(engine) * scenarios.count { $0.engines.contains(engine) }
    }
  }

  /// nil where it was interrupted.
  private func tune(
    _ engine: String, _ cancellation: Cancellation, _ progress: TuneProgress,
    _ provenance: inout Provenance?
  ) throws -> TunedEngine? {
    if case .unavailable(_, let reason)? = EngineCatalog.named(engine) {
      return TunedEngine(engine: engine, absence: reason)
    }
    var result = TunedEngine(engine: engine)
    result.trainingSeeds = seeds.trainingSeeds(engine, first: scenarios[0].seed)
    result.heldOutSeeds = seeds.heldOutSeeds(engine, first: scenarios[0].seed)
    guard
      let training = try measure(
        engine, result.trainingSeeds, [], OutputFolder.trainingFolder, cancellation, progress,
        &provenance)
    else { return nil }
    result.workloads = Self.workloads(training)
    let search: TuningSearch
    do throws(TuningError) {
      search = try TuningSearch(training.map(\.run), objective)
    } catch { return TunedEngine(engine: engine, absence: "\(error)") }
    result.families = search.best(of: families).map { result, regret in
      TunedFamily(
        family: result.rule.family.rawValue, hasMemory: result.rule.family.hasMemory,
        policy: result.rule.policy, thresholds: result.rule.thresholds,
        candidates: result.candidates, trainingRegret: regret, violations: result.score.violations)
    }
    let policies = try TuneContenders.policies(result.families, scenarios)
    guard
      let heldOut = try measure(
        engine, result.heldOutSeeds, policies, OutputFolder.heldOutFolder, cancellation, progress,
        &provenance)
    else { return nil }
    do throws(TuningError) {
      for item in heldOut { result.runs += try item.run.heldOut(objective) }
    } catch { return TunedEngine(engine: engine, absence: "\(error)") }
    return result
  }

  /// A run with the names of its workload.
  private struct MeasuredRun {
    let scenario: String
    let run: TuningRun
  }

  private static func workloads(_ runs: [MeasuredRun]) -> [TunedWorkload] {
    var workloads: [TunedWorkload] = []
    for item in runs {
      if item.run.workload == workloads.count {
        workloads.append(TunedWorkload(scenario: item.scenario, arm: item.run.cell.arm))
      }
      guard workloads[item.run.workload].difference == nil,
        let difference = item.run.cell.renewal?.difference
      else { continue }
      workloads[item.run.workload].difference = TuneText.difference(difference, item.run.seed)
    }
    return workloads
  }

  /// Runs the launch matrices of all scenarios and seeds, with the policies beside them; nil where it was interrupted.
  private func measure(
    _ engine: String, _ seeds: [UInt64], _ policies: [Policy], _ part: String,
    _ cancellation: Cancellation, _ progress: TuneProgress, _ provenance: inout Provenance?
  ) throws -> [MeasuredRun]? {
    var runs: [MeasuredRun] = []
    var first = 0
    for scenario in scenarios where scenario.engines.contains(engine) {
      for seed in seeds {
        progress.begin("\(engine) · \(part) · \(scenario.name) · seed \(seed)")
        let execution = try execution(scenario, engine, seed, policies, part)
        guard let measured = try execution.measure(cancellation) else { return nil }
        if measured.hasFailed {
          let reason = measured.record.cells.compactMap(\.absence).first ?? "a run failed"
          throw couldNotRun("\(engine), \(scenario.name), seed \(seed): \(reason)")
        }
        provenance = provenance ?? measured.record.provenance
        for (index, cell) in measured.record.cells.enumerated() {
          runs.append(
            MeasuredRun(
              scenario: scenario.name,
              run: TuningRun(workload: first + index, seed: seed, cell: cell)))
        }
        progress.end()
      }
      first += scenario.arms.count
    }
    return runs
  }

  private func execution(
    _ scenario: Scenario, _ engine: String, _ seed: UInt64, _ policies: [Policy], _ part: String
  ) throws -> OptimumExecution {
    var scenario = scenario
    (scenario.seed, scenario.engines, scenario.policies) = (seed, [engine], policies)
    for index in scenario.arms.indices { scenario.arms[index].policies = nil }
    let plan = OptimumPlan(
      scenario, engines: [EngineCatalog.named(engine)].compactMap { $0 }, checks: 1,
      isAutomatic: besideAutomatic)
    let path = folder.path.appending(part)
    let seedFolder: OutputFolder
    do {
      seedFolder = try OutputFolder(below: path, ["\(engine)-\(scenario.name)-seed-\(seed)"])
    } catch { throw couldNotRun("\(error)") }
    var execution = OptimumExecution(
      plan: plan, objective: objective, folder: seedFolder, workFolder: running.workFolder,
      jobs: running.jobs ?? Machine.current().processorCount, resume: running.resumption.resume,
      isQuiet: true)
    execution.isPart = true
    return execution
  }
}

/// How many seeds are run, and which.
struct TuneSeeds {
  /// nil for as many as the engine has by default.
  let training: Int?
  let heldOut: Int?

  /// By default as many as fit into minutes: a run of the other engines takes longer.
  static let ofNative = 20
  static let ofOthers = 3

  private static func usual(_ engine: String) -> Int {
    let natives: [EngineIdentifier] = [.native, .nativeOldestReader, .nativeObjects]
    return EngineIdentifier(rawValue: engine).map(natives.contains) == true
      ? ofNative : ofOthers
  }

  func training(_ engine: String) -> Int { training ?? Self.usual(engine) }
  func heldOut(_ engine: String) -> Int { heldOut ?? Self.usual(engine) }

  func trainingSeeds(_ engine: String, first: UInt64) -> [UInt64] {
    (0..<training(engine)).map { first &+ UInt64($0) }
  }

  /// The seeds that follow those of training.
  func heldOutSeeds(_ engine: String, first: UInt64) -> [UInt64] {
    let first = first &+ UInt64(training(engine))
    return (0..<heldOut(engine)).map { first &+ UInt64($0) }
  }
}

/// The policies that are run on held-out seeds.
enum TuneContenders {
  /// Returns the best rule of each family, the scenarios' own policies and the vendors' rules, each rule once.
  static func policies(_ families: [TunedFamily], _ scenarios: [Scenario]) throws -> [Policy] {
    let tuned = try families.map { try Policy(parsing: $0.policy) }
    let vendors = try VendorDefault.all.map { try Policy(parsing: $0.text) }
    var all: [Policy] = []
    for policy in tuned + scenarios.flatMap(\.policies) + vendors {
      let isKnown = all.contains {
        $0.name == policy.name
          || ($0.onLaunch, $0.automatic, $0.preset)
            == (policy.onLaunch, policy.automatic, policy.preset)
      }
      if !isKnown { all.append(policy) }
    }
    return all
  }
}
