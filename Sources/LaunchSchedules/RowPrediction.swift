// Rows of a run, put together from rows of others: in each launch those of the run that was compacted at the same last launch
// and at no other. If compactions forget what was before them, they equal those of the run itself.
package import MetricModel
package import RecordModel

package struct RowPrediction: Sendable {
  /// The rows of the runs with one compaction, by its launch; 0 for the run with none.
  private let runs: [Int: DividedRows]
  private let openings: Openings

  package init(_ runs: [Int: [Sample]], _ openings: Openings) {
    self.openings = openings
    self.runs = runs.mapValues { DividedRows($0, openings) }
  }

  /// Compares the rows of a run with the predicted ones, up to the first difference that changes a cost; nil if a run that
  /// the prediction needs is missing.
  ///
  /// The text of events is not compared, since it names the policy; nor are the bytes handed to the operating system, which
  /// cover both the closing before a compaction and the opening with it, and which no objective prices.
  package func compare(
    _ rows: [Sample], of schedule: LaunchSchedule, policy: String
  ) -> RowComparison? {
    let measured = DividedRows(rows, openings)
    var sums = Sums()
    var comparison = RowComparison()
    for launch in 1...openings.count {
      guard let source = runs[schedule.lastCompaction(atOrBefore: launch)] else { return nil }
      let (predicted, own) = (source.rows[launch - 1], measured.rows[launch - 1])
      let base = source.sums[launch - 1]
      for index in 0..<max(predicted.count, own.count) {
        let expected = index < predicted.count ? sums.moved(predicted[index], from: base) : nil
        let found = index < own.count ? own[index].comparable : nil
        let differences = Self.differences(expected, found, schedule, policy)
        comparison.difference = comparison.difference ?? differences.first
        if let priced = differences.first(where: Self.isPriced) {
          comparison.pricedDifference = priced
          return comparison
        }
        if comparison.difference == nil { comparison.rows += 1 }
      }
      if let last = predicted.last { sums = sums.advanced(by: last, from: base) }
    }
    return comparison
  }

  /// Stands for a column where a row is missing.
  private static let wholeRow = "row"

  /// Whether costs are made of the column.
  private static func isPriced(_ difference: RowDifference) -> Bool {
    difference.column == wholeRow || SampleCSV.pricedColumns.contains(difference.column)
  }

  private static func differences(
    _ predicted: Sample?, _ measured: Sample?, _ schedule: LaunchSchedule, _ policy: String
  ) -> [RowDifference] {
    guard let row = measured ?? predicted else { return [] }
    func difference(_ column: String, _ predicted: String, _ measured: String) -> RowDifference {
      RowDifference(
        policy: policy, schedule: schedule.launches, launch: row.observation.launch,
        phase: row.phase, commit: row.observation.commits, column: column, predicted: predicted,
        measured: measured)
    }
    guard let predicted, let measured else {
      return [
        predicted == nil
          ? difference(wholeRow, "none", "a row") : difference(wholeRow, "a row", "none")
      ]
    }
    if predicted.phase != measured.phase {
      return [difference("phase", predicted.phase, measured.phase)]
    }
    return SampleCSV.differences(predicted, measured).map { difference($0.column, $0.a, $0.b) }
  }
}

/// The rows of a run by opening, and the sums that it had before each.
private struct DividedRows: Sendable {
  let rows: [[Sample]]
  let sums: [Sums]

  init(_ samples: [Sample], _ openings: Openings) {
    var rows = Array(repeating: [Sample](), count: openings.count)
    for sample in samples {
      let number = openings.number(launch: sample.observation.launch, phase: sample.phase)
      rows[number - 1].append(sample)
    }
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
