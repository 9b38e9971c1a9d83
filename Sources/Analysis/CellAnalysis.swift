// One cell of the matrix, summarized over its repetitions.
package import RecordModel
import Statistics

package struct CellAnalysis: Sendable {
  package let record: CellRecord
  /// The rows of the first repetition that has some: the source of curves and expectations.
  package let samples: [Sample]
  /// The curves of the runs on real threads beside the exact one; nil under one schedule, or without such runs.
  package let threadCurves: ThreadCurves?
  /// Whether all repetitions under the stepped schedule gave the same bytes.
  package let repeats: Bool
  private let measures: [SummaryMetric: Measure]
  /// Why the run did not measure the peak of disk use; nil where it did, or does not say.
  private let peakDiskAbsence: String?

  package var key: CellKey { record.key }
  package var isMeasured: Bool { record.status == .measured && !record.repetitions.isEmpty }
  /// The run that decisions and other particulars are shown of.
  package var first: RepetitionRecord? { record.repetitions.first }
  /// The same for particulars that are times.
  package var firstTimed: RepetitionRecord? { record.timedRepetitions.first }

  /// Why the cell was not measured; nil if it was.
  package var absence: String? {
    switch record.status {
    case .measured: record.repetitions.isEmpty ? "interrupted before its first run ended" : nil
    case .notApplicable(let reason): reason
    case .unavailable(let reason): "not available on this machine: \(reason)"
    case .failed(let reason): "failed: \(reason)"
    }
  }

  package func measure(_ metric: SummaryMetric) -> Measure {
    measures[metric]
      ?? .absent(
        reason: absence ?? timedAbsence(metric)
          ?? (metric == .peakDisk ? peakDiskAbsence : nil) ?? metric.absence)
  }

  package func value(_ metric: SummaryMetric) -> Double? { measure(metric).value }

  private func timedAbsence(_ metric: SummaryMetric) -> String? {
    metric.isTimed && record.timedRepetitions.isEmpty
      ? "interrupted before its first run on real threads ended" : nil
  }

  /// - Parameters:
  ///   - threads: the rows of the runs on real threads beside stepped ones.
  ///   - peakDiskAbsence: why the run did not measure the peak of disk use.
  init(
    _ record: CellRecord, samples: [Sample], threads: [[Sample]] = [], schedule: RunSchedule,
    peakDiskAbsence: String? = nil
  ) {
    self.record = record
    self.peakDiskAbsence = peakDiskAbsence
    self.samples = samples
    threadCurves = ThreadCurves(exact: samples, runs: threads)
    let repetitions = record.repetitions
    let repeats =
      schedule.hasExactFigures && repetitions.allSatisfy { $0.exact == repetitions[0].exact }
    self.repeats = repeats
    var measures: [SummaryMetric: Measure] = [:]
    if record.status == .measured {
      for metric in SummaryMetric.allCases {
        let runs = metric.isTimed ? record.timedRepetitions : repetitions
        measures[metric] = Self.measure(metric, runs, repeats: repeats)
      }
    }
    self.measures = measures
  }

  private static func measure(
    _ metric: SummaryMetric, _ repetitions: [RepetitionRecord], repeats: Bool
  ) -> Measure? {
    let values = repetitions.compactMap(metric.value)
    if repeats, !metric.isTimed, let value = values.first {
      return .exact(value, runs: repetitions.count)
    }
    return MedianEstimate(values).map(Measure.estimate)
  }
}
