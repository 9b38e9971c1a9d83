// Lookups: how many read transactions, how fast, and how long each took; before, during and after a compaction. Beside them
// how long writers waited for each other.
import Analysis
import MetricModel
import RecordModel

struct LookupSection {
  private let analysis: ScenarioAnalysis

  init(_ analysis: ScenarioAnalysis) { self.analysis = analysis }

  var parts: [String] {
    guard !rows.isEmpty else { return lockWaits }
    return [
      "## Lookups",
      "Read transactions of clients of lookups. Service latency counts from the beginning of a transaction, intended latency"
        + " from the time at which an open loop scheduled it. A snapshot's life is the number of commits made while it was"
        + " read. First run of each cell.",
      summary.text,
    ] + stages + lockWaits
  }

  private var rows: [(cell: CellAnalysis, figures: LookupFigures)] {
    analysis.cells.flatMap { cell in (cell.first?.lookups ?? []).map { (cell, $0) } }
  }

  private var summary: MarkdownTable {
    var table = MarkdownTable(
      Self.keyColumns + [
        ("threads", .right), ("transactions", .right), ("per s", .right),
        ("service p50", .right), ("p99", .right), ("p99.9", .right), ("max", .right),
        ("slowest thread p99", .right), ("intended p50", .right), ("p99", .right),
        ("p99.9", .right), ("max", .right), ("longest life, commits", .right),
      ])
    for (cell, figures) in rows {
      let together = figures.together
      let slowest = figures.threads.map(\.service.p99).max() ?? 0
      table.add(
        key(cell, figures)
          + [
            grouped(figures.threads.count), grouped(together.transactions),
            together.perSecond?.threeDigits ?? "–",
          ] + words(together.service) + [Nanoseconds.words(Double(slowest))]
          + words(together.intended) + [grouped(figures.snapshotCommits.max)])
    }
    return table
  }

  /// The table of what a compaction does to lookups; nothing where none was going on beside them.
  private var stages: [String] {
    var table = MarkdownTable(
      Self.keyColumns + [
        ("began", .left), ("transactions", .right), ("service p50", .right), ("p99", .right),
        ("p99.9", .right), ("max", .right), ("intended p99", .right), ("max", .right),
      ])
    var isEmpty = true
    for (cell, figures) in rows {
      let spans = [
        ("before a compaction", figures.beforeCompaction), ("during one", figures.duringCompaction),
        ("after one", figures.afterCompaction),
      ]
      for case (let name, let span?) in spans {
        isEmpty = false
        let intended = words(span.intended)
        table.add(
          key(cell, figures) + [name, grouped(span.transactions)] + words(span.service)
            + [intended[1], intended[3]])
      }
    }
    return isEmpty
      ? [] : ["Lookups by when they began, as the compactions of their phase go:", table.text]
  }

  /// The waits for the write lock; nothing where no phase has several writers.
  private var lockWaits: [String] {
    var table = MarkdownTable([
      ("engine", .left), ("policy", .left), ("arm", .left), ("waits", .right), ("p50", .right),
      ("p99", .right), ("p99.9", .right), ("max", .right),
    ])
    var isEmpty = true
    for cell in analysis.cells {
      guard let wait = cell.first?.timing.lockWait else { continue }
      isEmpty = false
      table.add(
        [cell.key.engine, analysis.labels[cell.key.policy].asMarkdown, cell.key.arm.asMarkdown]
          + [grouped(wait.count)] + words(wait))
    }
    return isEmpty
      ? []
      : [
        "## Waits for the write lock",
        "How long transactions waited in phases of several writers. First run of each cell.",
        table.text,
      ]
  }

  private static let keyColumns: [(String, MarkdownTable.Alignment)] = [
    ("engine", .left), ("policy", .left), ("arm", .left), ("client", .left),
  ]

  private func key(_ cell: CellAnalysis, _ figures: LookupFigures) -> [String] {
    [
      cell.key.engine, analysis.labels[cell.key.policy].asMarkdown, cell.key.arm.asMarkdown,
      figures.client.asMarkdown,
    ]
  }

  private func words(_ latency: LatencyPercentiles) -> [String] {
    [latency.p50, latency.p99, latency.p999, latency.max].map {
      latency.count == 0 ? "–" : Nanoseconds.words(Double($0))
    }
  }
}
