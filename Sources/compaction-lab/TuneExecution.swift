// Carries out `tune`: the launch matrices of the training seeds, the search, then the finalists, the vendors' rules and the
// scenario's own policies on the held-out seeds, and the shipped rule where the scenario's amounts are varied.
import ArgumentParser
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
  /// The same scenarios, to be varied.
  let varied: [VariedScenario]
  let objective: Objective
  /// How much each scenario counts.
  let mixture: WorkloadMixture
  /// What times are predicted by; nil where they are not.
  let calibration: ChosenCalibration?
  let families: [PolicyFamily]
  let seeds: TuneSeeds
  let folder: OutputFolder
  let running: UnsharedOptions
  let besideAutomatic: Bool
  /// Whether policies may start programs.
  let allowsPrograms: Bool

  static let folderSuffix = "-tune"

  /// Runs all that is missing, writes the files, prints the results, and returns the exit code.
  func carryOut(_ cancellation: Cancellation) throws -> ExitCode {
    let progress = TuneProgress(
      total: runsOfSeeds(seeds.training) + runsOfSeeds(seeds.heldOut)
        + runsOfSeeds(seeds.points), isQuiet: running.quiet.isQuiet)
    defer { progress.finish() }
    announce()
    let runs = TuneRuns(self, cancellation, progress)
    var engines: [TunedEngine] = []
    for engine in engineNames {
      guard let found = try tune(engine, runs) else {
        progress.finish()
        Console.error(
          "interrupted: what has ended is in \(folder.path); the same command runs the rest")
        return .interrupted
      }
      engines.append(found)
    }
    progress.finish()
    guard let provenance = runs.provenance else {
      throw couldNotRun("none of the engines is on this machine")
    }
    var record = TuneRecord(
      provenance: provenance, objective: objective, mixture: mixture, scenarios: scenarios,
      engines: engines)
    record.calibration = calibration?.source
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
    let done = OutputFolder.tuneParts.flatMap { part -> [FilePath] in
      let path = folder.path.appending(part)
      return ((try? FileSystem.list(path)) ?? []).map { path.appending($0) }
    }.count { FileSystem.exists($0.appending(OptimumRecord.fileName)) }
    if done > 0, running.resumption.resume != false {
      Console.error(
        "\(folder.path): \(counted(done, "launch matrix", "launch matrices")) of an earlier run are used where nothing changed"
      )
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
  private func tune(_ engine: String, _ runs: TuneRuns) throws -> TunedEngine? {
    if case .unavailable(_, let reason)? = EngineCatalog.named(engine) {
      return TunedEngine(engine: engine, absence: reason)
    }
    var result = TunedEngine(engine: engine)
    result.trainingSeeds = seeds.trainingSeeds(engine, first: scenarios[0].seed)
    result.heldOutSeeds = seeds.heldOutSeeds(engine, first: scenarios[0].seed)
    guard
      let training = try measure(
        engine, result.trainingSeeds, [], OutputFolder.trainingFolder, runs)
    else { return nil }
    result.workloads = Self.workloads(training)
    let weights = mixture.weights(of: result.workloads)
    let search: TuningSearch
    do throws(TuningError) {
      search = try TuningSearch(training.map(\.run), objective, weights: weights)
    } catch { return TunedEngine(engine: engine, absence: "\(error)") }
    result.families = search.best(of: families).map { result in
      TunedFamily(
        family: result.rule.family.rawValue, hasMemory: result.rule.family.hasMemory,
        policy: result.rule.policy, thresholds: result.rule.thresholds,
        candidates: result.candidates, trainingRegret: search.regret(result.score),
        validatedRegret: result.validation.flatMap(search.regret),
        violations: result.score.violations)
    }
    let policies = try TuneContenders.policies(
      result.families, scenarios, vendors: VendorDefault.all(of: engine))
    guard
      let heldOut = try measure(
        engine, result.heldOutSeeds, policies, OutputFolder.heldOutFolder, runs)
    else { return nil }
    do throws(TuningError) {
      for item in heldOut { result.runs += try item.run.heldOut(objective) }
      let search = try TuningSearch(heldOut.map(\.run), objective, weights: weights)
      for index in result.families.indices {
        result.families[index].hindsightRegret =
          PolicyFamily(rawValue: result.families[index].family).flatMap(search.minRegret)
      }
    } catch { return TunedEngine(engine: engine, absence: "\(error)") }
    guard seeds.points(engine) > 0 else { return result }
    guard let varied = try vary(result, runs) else { return nil }
    result.robustness = varied
    return result
  }

  /// A run with the name of its scenario.
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
        let difference = item.run.pricedDifference
      else { continue }
      workloads[item.run.workload].difference = TuneText.difference(difference, item.run.seed)
    }
    return workloads
  }

  /// Runs the launch matrices of all scenarios and seeds, with the policies beside them; nil where it was interrupted.
  private func measure(
    _ engine: String, _ seeds: [UInt64], _ policies: [Policy], _ part: String, _ runs: TuneRuns
  ) throws -> [MeasuredRun]? {
    var measured: [MeasuredRun] = []
    var first = 0
    for scenario in scenarios where scenario.engines.contains(engine) {
      for seed in seeds {
        let request = TuneRuns.Request(
          scenario: scenario, engine: engine, seed: seed, policies: policies, part: part,
          name: "seed \(seed)")
        guard let cells = try runs.cells(request) else { return nil }
        measured += cells.enumerated().map { index, cell in
          MeasuredRun(
            scenario: scenario.name,
            run: TuningRun(workload: first + index, seed: seed, cell: cell))
        }
      }
      first += scenario.arms.count
    }
    return measured
  }
}
