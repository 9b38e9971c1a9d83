// Compares two builds: each run of a command has a fresh folder with a fresh copy of the prepared files, and its cost is
// measured by the kernel. If the command is a run of this harness, it leaves records: the latencies of their cells are
// compared too, and their byte counts are compared exactly.
package import Analysis
import MetricModel
import RecordModel
package import SystemIO

import struct Foundation.Data

package struct BuildComparison: Sendable {
  package var base: String
  package var head: String
  /// The folder that is copied into the folder of every run; nil begins with an empty one.
  package var prepared: FilePath?
  /// The columns of `Reports/Metrics.md` that decide, for the whole command or for cells.
  package var deciding: [String]

  package init(base: String, head: String, prepared: FilePath?, deciding: [String]) {
    self.base = base
    self.head = head
    self.prepared = prepared
    self.deciding = deciding
  }

  /// The default deciding figures, both of the whole command.
  package static let defaultDeciding = ["processor_time_ns", "wall_ns"]

  package struct Report: Sendable, Equatable {
    package var outcome: PairedRuns.Outcome
    package var exactFigures: Int
    package var exactDifferences: [ExactDifference]
  }

  /// The figures of one run, by name.
  struct RunFigures {
    var noisy: [String: Double] = [:]
    var exact: [String: Double] = [:]
    var metrics: [String: Metric] = [:]
  }

  package func run(
    rules: ComparisonRules, work: FilePath, cancellation: Cancellation? = nil,
    progress: (_ block: Int, _ planned: Int) -> Void
  ) throws -> Report {
    let first = try measure(.base, work)
    let other = try measure(.head, work)
    let names = first.noisy.keys.filter { other.noisy[$0] != nil }.sorted()
    let chosen = names.filter { name in first.metrics[name].map { decides($0, name) } ?? false }
    guard !chosen.isEmpty else {
      throw ComparisonError(
        "none of the figures \(deciding.joined(separator: ", ")) is reported by both commands; they report "
          + names.joined(separator: ", "))
    }
    let rest = names.filter { !chosen.contains($0) }
    func series(_ names: [String]) -> [PairedSeries] {
      names.compactMap { name in
        first.metrics[name].map {
          PairedSeries(name: name, unit: $0.unit, polarity: $0.polarity)
        }
      }
    }
    let runs = PairedRuns(rules: rules, deciding: series(chosen), shown: series(rest))
    let outcome = try runs.run(cancellation: cancellation, progress: progress) { arm in
      let figures = try measure(arm, work)
      return (chosen + rest).map { figures.noisy[$0] ?? 0 }
    }
    let exact = first.exact.keys.filter { other.exact[$0] != nil }.sorted()
    return Report(
      outcome: outcome, exactFigures: exact.count,
      exactDifferences: exact.compactMap { name in
        guard let a = first.exact[name], let b = other.exact[name], a != b else { return nil }
        return ExactDifference(
          name: name, base: a, head: b, isBetter: first.metrics[name]?.isBetter(b, than: a) ?? false
        )
      })
  }

  /// Returns whether a figure decides. A column alone means the whole command, `*/column` every cell, and a full name one
  /// cell.
  private func decides(_ metric: Metric, _ name: String) -> Bool {
    deciding.contains(name) || (name != metric.column && deciding.contains("*/\(metric.column)"))
  }

  private func measure(_ arm: BuildArm, _ work: FilePath) throws -> RunFigures {
    let folder = try FileSystem.makeTemporaryFolder(prefix: "run", in: work)
    defer { try? FileSystem.removeTree(folder) }
    let inside = folder.appending("work")
    if let prepared {
      try FileSystem.copyTree(prepared, to: inside)
    } else {
      try FileSystem.makeFolders(inside)
    }
    let errors = folder.appending("errors.txt")
    let command = arm == .head ? head : base
    let cost = try MeasuredProcess(command: command, folder: inside)
      .run(output: folder.appending("output.txt"), errors: errors)
    guard cost.ending.isSuccess else {
      let lastLines = (try? FileSystem.readText(errors))?.split(separator: "\n").suffix(3) ?? []
      throw ComparisonError(
        "`\(command)` ended with \(cost.ending): \(lastLines.joined(separator: " "))")
    }
    var figures = try records(in: inside)
    figures.add("wall_ns", Double(cost.wallNanoseconds))
    figures.add("processor_time_ns", Double(cost.processorNanoseconds))
    figures.add("peak_memory_bytes", Double(cost.peakResidentBytes))
    return figures
  }

  private func records(in folder: FilePath) throws -> RunFigures {
    var figures = RunFigures()
    for file in try FileSystem.files(named: RunRecord.fileName, below: folder) {
      let record = try RunRecord(json: Data(try FileSystem.read(file)), name: file.string)
      for cell in record.cells {
        let name = [record.scenario.name, cell.key.engine, cell.key.policy, cell.key.arm]
          .joined(separator: "/")
        figures.add(cell, name, isStepped: record.provenance.schedule.hasExactFigures)
      }
    }
    return figures
  }
}

extension BuildComparison.RunFigures {
  fileprivate mutating func add(_ column: String, _ value: Double) {
    noisy[column] = value
    metrics[column] = Metric.of(column: column)
  }

  /// Adds the figures of the cell's last repetition, usually its only one in a command that is compared.
  fileprivate mutating func add(_ cell: CellRecord, _ name: String, isStepped: Bool) {
    for metric in SummaryMetric.allCases {
      let repetition = (metric.isTimed ? cell.timedRepetitions : cell.repetitions).last
      guard let value = repetition.flatMap(metric.value) else { continue }
      let full = "\(name)/\(metric.column)"
      metrics[full] = metric.metric
      if metric.isTimed || !isStepped { noisy[full] = value } else { exact[full] = value }
    }
  }
}
