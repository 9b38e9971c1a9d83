// The figures of runs that a history records.
import Analysis
import MetricModel
import RecordModel

extension HistoryFile {
  package static func entries(_ measured: [MeasuredScenario], commit: String) -> [HistoryEntry] {
    measured.flatMap { entries($0.runs, commit: commit) + entries($0.optima, commit: commit) }
  }

  private static func entries(_ optima: [MeasuredOptimum], commit: String) -> [HistoryEntry] {
    optima.flatMap { optimum in
      optimum.cells.flatMap { cell in
        cell.figures.sorted { $0.key < $1.key }.map { figure, value in
          HistoryEntry(
            commit: commit,
            series: HistorySeriesKey(
              scenario: optimum.record.scenario.name, cell: cell.key.cell, seed: cell.key.seed,
              figure: figure, machine: ""), value: value)
        }
      }
    }
  }

  package static func entries(_ runs: [MeasuredRun], commit: String) -> [HistoryEntry] {
    runs.flatMap { run in
      let isStepped = run.record.provenance.schedule.hasExactFigures
      let machine = machine(run.record.provenance)
      return run.measured.flatMap { cell in
        SummaryMetric.allCases.compactMap { metric -> HistoryEntry? in
          let repetitions = metric.isTimed ? cell.timedRepetitions : cell.repetitions
          let values = repetitions.compactMap(metric.value).sorted()
          guard !values.isEmpty else { return nil }
          let isExact = metric.metric.comparison(isStepped: isStepped, seeds: 1) == .exact
          return HistoryEntry(
            commit: commit,
            series: HistorySeriesKey(
              scenario: run.record.scenario.name, cell: cell.key, seed: run.record.provenance.seed,
              figure: metric.column, machine: isExact ? "" : machine),
            value: values[(values.count - 1) / 2])
        }
      }
    }
  }

  /// Returns eight hexadecimal digits for the facts that times depend on.
  private static func machine(_ provenance: Provenance) -> String {
    var digest = SampleDigest()
    for fact in Fingerprint(provenance).ofTimes { digest.feed("\(fact.name)=\(fact.value)\n".utf8) }
    return String(digest.hex.suffix(8))
  }
}
