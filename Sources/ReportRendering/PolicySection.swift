// The tables policy × engine: file sizes, bytes rewritten, and times.
import Analysis
import MetricModel
import Policies
import RecordModel
import ScenarioModel

struct PolicySection {
  private let analysis: ScenarioAnalysis
  private let cells: [CellAnalysis]

  init(_ analysis: ScenarioAnalysis) {
    self.analysis = analysis
    let policies = analysis.record.scenario.policies
    cells = analysis.engines.flatMap { engine in
      policies.compactMap { analysis.cell(engine, $0.name, analysis.mainArm) }
    }
  }

  var parts: [String] {
    guard !cells.isEmpty else { return [] }
    return [
      "## Policies", introduction, legend, main, multiples,
      MarkdownFold.text("More sizes and times", [more]),
      MarkdownFold.text("Memory", [memory]),
    ]
  }

  private var multiples: String {
    Pictures.multiples(analysis).map(ReportMarkdown.picture) ?? ""
  }

  private var introduction: String {
    let arm = analysis.record.scenario.arms.first
    let summary = arm.map { $0.summary.isEmpty ? "" : " (\($0.summary.asMarkdown))" } ?? ""
    let added = analysis.record.scenario.addedComparator.map {
      " \($0.asCode) was added as the comparator; `--comparator none` leaves it out."
    }
    return
      "Main arm: \(analysis.mainArm.asCode)\(summary). The recommended policy of each engine is in bold."
      + (added ?? "") + schedules
  }

  /// Which runs the figures come from, where there are two kinds.
  private var schedules: String {
    guard analysis.record.provenance.schedule == .both else { return "" }
    let peaks = analysis.record.provenance.peakDiskAbsence.map {
      " The space needed at worst was not measured: \($0.asMarkdown)."
    }
    return " Byte counts are exact: each cell ran stepped. Times are medians of"
      + " \(counted(analysis.record.provenance.repetitions, "run")) of each cell on real threads."
      + (peaks ?? "")
  }

  private static let mainColumns: [(SummaryMetric, String)] = [
    (.timeWeighted, "time-weighted"), (.highWater, "high-water mark"), (.final, "final"),
    (.amplification, "space amp."), (.rewritten, "rewritten"),
    (.blockedAtLaunchTotal, "blocked at launch"), (.commitP99, "commit p99"),
  ]
  private static let moreColumns: [(SummaryMetric, String)] = [
    (.timeWeightedOpen, "while open"), (.blockedAtLaunchMax, "longest launch"),
    (.commitP50, "commit p50"), (.commitMax, "commit max"), (.processorTime, "processor time"),
  ]
  private static let memoryColumns: [(SummaryMetric, String)] = [
    (.peakMemory, "peak memory"), (.peakAnonymousMemory, "peak anonymous"),
    (.peakFileMemory, "peak mapped files"),
  ]

  private var main: String {
    table(
      Self.mainColumns, lastTitle: "saved", needs: spaceNeeded,
      after: """
        Sizes are of all files of the database. Time-weighted: the mean over virtual time, including the time between
        launches; saved: of it, compared with `never`. High-water mark: the maximum. Space amp. (space amplification): final
        bytes per live byte. Rewritten: bytes that compactions wrote again. Blocked at launch: the time for which
        opening holds up the launching thread, summed over all launches.
        """
    ) { cell in saved(cell) }
  }

  private var more: String {
    table(
      Self.moreColumns, lastTitle: "launches vs `never`<br>*\(ratioKind)*",
      after: """
        While open: the time-weighted size without the time between launches. Compare times only within this run: they depend
        on the machine and on its load. The last column is the ratio of paired runs with its confidence interval.
        """
    ) { cell in
      guard let comparison = comparison(cell), let ratio = comparison.blockedAtLaunchRatio else {
        return "–"
      }
      let interval = ratio.interval.map { " [\($0.low.threeDigits), \($0.high.threeDigits)]" }
      return "\(ratio.ratio.threeDigits)×\(interval ?? "")"
    }
  }

  private var memory: String {
    table(
      Self.memoryColumns,
      after: """
        Of the cell's process, the harness included. Peak anonymous and peak mapped files: the parts that belong to no file and
        that are pages of files, each at the worst moment of all readings.
        """)
  }

  private var ratioKind: String {
    let coverages = analysis.comparisons.compactMap { $0.blockedAtLaunchRatio?.interval?.coverage }
    return coverages.min().map { "ratio [\(percent($0))]" } ?? "ratio"
  }

  private func comparison(_ cell: CellAnalysis) -> Comparison? {
    analysis.comparisons.first { $0.key == cell.key }
  }

  private func saved(_ cell: CellAnalysis) -> String {
    guard let comparison = comparison(cell) else { return "–" }
    let saved = comparison.savedTimeWeighted
    guard saved != .zero, let mine = cell.value(.timeWeighted) else { return "0 B" }
    return "\(saved) (\(percent(Double(saved.bytes) / (mine + Double(saved.bytes)))))"
  }

  private func table(
    _ columns: [(SummaryMetric, String)], lastTitle: String? = nil,
    needs: (String) -> String? = { _ in nil }, after: String,
    _ last: (CellAnalysis) -> String = { _ in "" }
  ) -> String {
    var notes = Footnotes()
    var titles: [(title: String, alignment: MarkdownTable.Alignment)] = [("policy", .left)]
    titles += columns.map { (title: $0.1, alignment: .right) }
    if let lastTitle { titles.append((lastTitle, .right)) }
    var table = EngineTables(titles)
    for engine in analysis.engines {
      for cell in cells where cell.key.engine == engine && !analysis.isEqualToNever(cell) {
        let figures = columns.map { metric, _ in figure(cell, metric, &notes) }
        let others = lastTitle == nil ? [] : [cell.isMeasured ? last(cell) : "–"]
        table.add(engine, [name(cell)] + figures + others)
      }
      if let line = analysis.equalToNever(on: engine) { table.add(lineAfter: line) }
      if let line = needs(engine) { table.add(lineAfter: line) }
    }
    return [table.text, notes.text, precision(columns), after].filter { !$0.isEmpty }
      .joined(separator: "\n\n").replacing("\n\n\n", with: "\n\n")
  }

  /// A line with the peak of disk use under each policy; nil where it was not measured.
  private func spaceNeeded(_ engine: String) -> String? {
    let peaks = cells.filter { $0.key.engine == engine && !analysis.isEqualToNever($0) }
      .compactMap { cell in
        cell.value(.peakDisk).map {
          "\(analysis.labels[cell.key.policy].asCode) \(FigureText.words($0, .bytes))"
        }
      }
    guard !peaks.isEmpty else { return nil }
    return "Space needed at worst, temporary and half-made files included: \(peaks.inWords)."
  }

  /// How precise the figures of each column are: once for all columns that are alike.
  private func precision(_ columns: [(SummaryMetric, String)]) -> String {
    var kinds: [(kind: String, titles: [String])] = []
    for (metric, title) in columns {
      let kind = kind(metric)
      if let index = kinds.firstIndex(where: { $0.kind == kind }) {
        kinds[index].titles.append(title)
      } else {
        kinds.append((kind, [title]))
      }
    }
    return kinds.map { "*\($0.kind)*: \($0.titles.joined(separator: ", "))" }
      .joined(separator: "; ") + "."
  }

  private func figure(
    _ cell: CellAnalysis, _ metric: SummaryMetric, _ notes: inout Footnotes
  ) -> String {
    let measure = cell.measure(metric)
    if case .absent(let reason) = measure { return notes.mark(reason) }
    let isMixed = kind(metric) == Self.mixed
    let text = FigureText.words(measure, metric.unit) + (isMixed && measure.isExact ? " =" : "")
    // Where byte counts vary too, all columns have intervals, and in one line they would not fit.
    return metric.isTimed ? text : text.replacing(" [", with: "<br>[")
  }

  private static let mixed = "exact where marked =, otherwise median"

  /// Whether the column's figures are exact or medians: stated once, under its title.
  private func kind(_ metric: SummaryMetric) -> String {
    let measures = cells.map { $0.measure(metric) }.filter { $0.value != nil }
    if measures.isEmpty { return "n/a" }
    if measures.allSatisfy(\.isExact) { return "exact" }
    if measures.contains(where: \.isExact) { return Self.mixed }
    let coverages = measures.compactMap { $0.interval?.coverage }
    return coverages.min().map { "median [\(percent($0))]" } ?? "one run"
  }

  private func name(_ cell: CellAnalysis) -> String {
    let label = analysis.labels[cell.key.policy].asMarkdown
    let isChosen = analysis.choices.contains { $0.cell?.key == cell.key }
    return isChosen ? "**\(label)**" : label
  }

  private var legend: String {
    analysis.labels.legend.map { "- **\($0.label.asMarkdown)** is \($0.rule.asCode)" }.joined(
      separator: "\n")
  }
}
