// Rows of a run, put together from rows of others: in each launch those of the run that was compacted at the same last launch
// and at no other. If compactions forget what was before them, they equal those of the run itself.
import MetricModel
package import RecordModel

package struct RowPrediction: Sendable {
  /// The rows of the runs with one compaction, by its launch; 0 for the run with none.
  private let runs: [Int: DividedRows]
  private let count: Int

  package init(_ runs: [Int: [Sample]], count: Int) {
    self.count = count
    self.runs = runs.mapValues { DividedRows($0, count: count) }
  }

  /// Compares the rows of a run with the predicted ones; nil if a run that the prediction needs is missing.
  ///
  /// The text of events is not compared, since it names the policy; nor are the bytes handed to the operating system, which
  /// cover both the closing before a compaction and the opening with it, and which no objective prices.
  package func compare(
    _ rows: [Sample], of schedule: LaunchSchedule, policy: String
  ) -> (rows: Int, difference: RowDifference?)? {
    let measured = DividedRows(rows, count: count)
    var sums = Sums()
    var compared = 0
    for launch in 1...count {
      guard let source = runs[schedule.lastCompaction(atOrBefore: launch)] else { return nil }
      let (predicted, own) = (source.rows[launch - 1], measured.rows[launch - 1])
      let base = source.sums[launch - 1]
      for index in 0..<max(predicted.count, own.count) {
        let expected = index < predicted.count ? sums.moved(predicted[index], from: base) : nil
        let found = index < own.count ? own[index].comparable : nil
        if let difference = Self.difference(expected, found, schedule, policy) {
          return (compared, difference)
        }
        compared += 1
      }
      if let last = predicted.last { sums = sums.advanced(by: last, from: base) }
    }
    return (compared, nil)
  }

  private static func difference(
    _ predicted: Sample?, _ measured: Sample?, _ schedule: LaunchSchedule, _ policy: String
  ) -> RowDifference? {
    guard let row = measured ?? predicted else { return nil }
    func difference(_ column: String, _ predicted: String, _ measured: String) -> RowDifference {
      RowDifference(
        policy: policy, schedule: schedule.launches, launch: row.observation.launch,
        phase: row.phase, commit: row.observation.commits, column: column, predicted: predicted,
        measured: measured)
    }
    guard let predicted, let measured else {
      return predicted == nil
        ? difference("row", "none", "a row") : difference("row", "a row", "none")
    }
    if predicted.phase != measured.phase {
      return difference("phase", predicted.phase, measured.phase)
    }
    return SampleCSV.firstDifference(predicted, measured).map { difference($0.column, $0.a, $0.b) }
  }
}

/// The rows of a run by launch, and the sums that it had before each.
private struct DividedRows: Sendable {
  let rows: [[Sample]]
  let sums: [Sums]

  init(_ samples: [Sample], count: Int) {
    var rows = Array(repeating: [Sample](), count: count)
    for sample in samples { rows[sample.observation.launch - 1].append(sample) }
    self.rows = rows
    var sums: [Sums] = []
    var now = Sums()
    for launch in rows {
      sums.append(now)
      if let last = launch.last { now = Sums(last) }
    }
    self.sums = sums
  }
}

/// What rows count since the run began.
private struct Sums: Sendable {
  var compactions = 0
  var refusals = 0
  var rewritten: ByteCount? = .zero

  init() {}

  init(_ sample: Sample) {
    compactions = sample.compactions
    refusals = sample.observation.refusals
    rewritten = sample.rewritten
  }

  /// Returns these sums and what was added to `base` until the sample.
  func advanced(by sample: Sample, from base: Sums) -> Sums {
    var sums = self
    sums.compactions += sample.compactions - base.compactions
    sums.refusals += sample.observation.refusals - base.refusals
    sums.rewritten = sample.rewritten.flatMap { now in
      base.rewritten.flatMap { before in rewritten.map { $0 + now - before } }
    }
    return sums
  }

  /// Returns the sample with these sums in place of `base`, without what is not compared.
  func moved(_ sample: Sample, from base: Sums) -> Sample {
    let sums = advanced(by: sample, from: base)
    var sample = sample.comparable
    sample.compactions = sums.compactions
    sample.observation.refusals = sums.refusals
    sample.rewritten = sums.rewritten
    return sample
  }
}

extension Sample {
  /// Without what is not compared.
  fileprivate var comparable: Sample {
    var sample = self
    (sample.written, sample.events) = (nil, "")
    return sample
  }
}
