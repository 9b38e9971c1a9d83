// What all parts of a cell's run share: the job resolved to an engine, a policy and an arm, its tables, and its streams of
// random numbers.
import EngineInterface
import Generators
import Policies
import RecordModel
import ScenarioModel
import SystemIO

struct CellSetup {
  let job: CellJob
  let engine: any Engine
  let policy: Policy
  let arm: ArmSpec
  let folder: FilePath
  let tables: [TableState]
  let recorder: Recorder
  /// This program, which serves as another process by a command of its own; nil if it cannot.
  let program: OtherProgram?

  var scenario: Scenario { job.scenario }

  func table(_ name: String) -> TableState {
    guard let table = tables.first(where: { $0.spec.name == name }) else {
      preconditionFailure("a client names table \(name), which the scenario does not have")
    }
    return table
  }

  /// Returns the job of another process, which opens the database as this arm does.
  func processJob(_ name: String, _ spec: ProcessSpec, _ table: TableSpec, stream: String)
    -> ProcessJob
  {
    var job = ProcessJob(
      engine: engine.id, folder: folder.string, tables: tables.map(\.spec.name),
      table: table, isDurable: scenario.isDurable, automatic: policy.automatic,
      preset: policy.preset, name: name, spec: spec, seed: self.job.seed, stream: stream)
    job.thresholds = policy.thresholds
    job.takeSettings(of: arm)
    return job
  }
}

extension CellSetup {
  /// Returns what draws the parts of rows; nil for a table without a shape.
  func parts(
    _ table: TableState, _ parts: [any CustomStringConvertible], keys: KeyDistribution = .uniform
  ) -> PartsChooser? {
    guard let shape = table.shaped?.shape else { return nil }
    return PartsChooser(
      shape, targets: KeyChooser(keys, stream: stream(["links"] + parts)),
      numbers: stream(["columns"] + parts), nodes: values(table, ["nodes"] + parts))
  }

  /// Returns a stream of its own for each purpose: the draws of one client never shift those of another.
  func stream(_ parts: any CustomStringConvertible...) -> RandomStream { stream(parts) }

  func stream(_ parts: [any CustomStringConvertible]) -> RandomStream {
    RandomStream(seed: job.seed, label: Self.label(parts))
  }

  func values(_ table: TableState, _ parts: any CustomStringConvertible...) -> ValueWriter {
    values(table, parts)
  }

  func values(
    _ table: TableState, _ parts: [any CustomStringConvertible], sizes: SizeDistribution? = nil
  ) -> ValueWriter {
    ValueWriter(
      sizes ?? table.spec.valueSize, seed: job.seed, label: Self.label([table.spec.name] + parts))
  }

  private static func label(_ parts: [any CustomStringConvertible]) -> String {
    parts.map(\.description).joined(separator: "/")
  }
}
