// Lookups: how many read transactions, how fast, and how long each took; before, during and after a compaction; what more
// threads gain. Beside them how long writers waited for each other.
import Analysis
import MetricModel
import RecordModel

struct LookupSection {
  private let analysis: ScenarioAnalysis
  private let summaries: [LookupSummary]

  init(_ analysis: ScenarioAnalysis) {
    self.analysis = analysis
    summaries = analysis.record.lookupSummaries
  }

  var parts: [String] {
    guard !summaries.isEmpty else { return lockWaits }
    let runs = Self.caption(summaries.map { ($0.schedule, $0.runCount) })
    return [
      "## Lookups",
      "Read transactions of clients of lookups. Latency counts from the beginning of a transaction; in an open loop a"
        + " second line, *intended*, counts from the time at which it was scheduled. The longest life is the largest number"
        + " of commits made while a snapshot was read. \(runs)\(steppedNote)",
      summary,
    ] + LookupScalingTable(analysis).parts + stages + [threads] + lockWaits
  }

  private static let latencyTitle = "latency<br>*p50 · p90 · p99 · p99.9 · max*"

  private var summary: String {
    var table = EngineTables(
      Self.keyColumns + [
        ("threads", .right), ("transactions", .right), ("per s", .right),
        (Self.latencyTitle, .right), ("slowest thread<br>*p99*", .right),
        ("longest life<br>*commits*", .right),
      ])
    for lookups in summaries {
      table.add(
        lookups.key.engine,
        key(lookups) + [grouped(lookups.threads.count)] + Self.throughput(lookups.together) + [
          Self.latency(lookups.together),
          lookups.slowestThreadP99.map(Nanoseconds.words) ?? "–",
          Self.count(lookups.longestSnapshotCommits),
        ])
    }
    return table.text
  }

  /// The table of what a compaction does to lookups; nothing where none was going on beside them.
  private var stages: [String] {
    var table = EngineTables(
      Self.keyColumns + [
        ("began", .left), ("transactions", .right), (Self.latencyTitle, .right),
      ])
    for lookups in summaries {
      let spans = [
        ("before a compaction", lookups.beforeCompaction),
        ("during one", lookups.duringCompaction), ("after one", lookups.afterCompaction),
      ]
      for case (let name, let span?) in spans {
        table.add(
          lookups.key.engine,
          key(lookups) + [name, Self.count(span.transactions), Self.latency(span)])
      }
    }
    return table.isEmpty
      ? [] : ["Lookups by when they began, as the compactions of their phase go:", table.text]
  }

  /// A row for each thread of clients that have several.
  private var threads: String {
    var table = EngineTables(
      Self.keyColumns + [
        ("thread", .right), ("transactions", .right), ("per s", .right),
        (Self.latencyTitle, .right),
      ])
    for lookups in summaries where lookups.threads.count > 1 {
      for (number, span) in lookups.threads.enumerated() {
        table.add(
          lookups.key.engine,
          key(lookups) + [grouped(number)] + Self.throughput(span) + [Self.latency(span)])
      }
    }
    return table.isEmpty ? "" : MarkdownFold.text("Lookups of each thread", [table.text])
  }

  /// The waits for the write lock; nothing where no phase has several writers.
  private var lockWaits: [String] {
    var table = EngineTables([
      ("policy", .left), ("arm", .left), ("waits", .right),
      ("wait<br>*p50 · p90 · p99 · p99.9 · max*", .right),
    ])
    let waits = analysis.record.lockWaits
    for (key, _, wait) in waits {
      table.add(
        key.engine,
        [analysis.labels[key.policy].asMarkdown, key.arm.asMarkdown, Self.count(wait.count)]
          + [Self.words(wait)])
    }
    guard !table.isEmpty else { return [] }
    return [
      "## Waits for the write lock",
      "How long transactions waited in phases of several writers. "
        + Self.caption(waits.map { (.threads, $0.runCount) }), table.text,
    ]
  }

  /// Which runs the figures are of.
  private static func caption(_ runs: [(schedule: Schedule, count: Int)]) -> String {
    let threaded = runs.filter { $0.schedule == .threads }
    let isStepped = threaded.isEmpty
    let counts = Set((isStepped ? runs : threaded).map(\.count))
    let kind = isStepped ? "under the stepped schedule" : "on real threads"
    guard counts.count == 1, let count = counts.first else {
      return "Medians over the runs of each cell \(kind)."
    }
    return count == 1
      ? "Of one run of each cell \(kind)."
      : "Medians over \(grouped(count)) runs of each cell \(kind)."
  }

  /// What the stepped runs among runs on real threads are marked with.
  private var steppedNote: String {
    let isMixed = Set(summaries.map(\.schedule)).count > 1
    return isMixed ? " Where a cell has none, of its stepped run, marked *stepped*." : ""
  }

  private static let keyColumns: [(title: String, alignment: MarkdownTable.Alignment)] = [
    ("policy", .left), ("arm", .left), ("client", .left),
  ]

  private func key(_ lookups: LookupSummary) -> [String] {
    let isMarked = lookups.schedule == .stepped && !steppedNote.isEmpty
    return [
      analysis.labels[lookups.key.policy].asMarkdown, lookups.key.arm.asMarkdown,
      lookups.client.asMarkdown + (isMarked ? " *stepped*" : ""),
    ]
  }

  private static func throughput(_ span: LookupSummary.Span) -> [String] {
    [count(span.transactions), span.perSecond?.threeDigits ?? "–"]
  }

  private static func latency(_ span: LookupSummary.Span) -> String {
    let intended = span.intended.map { "<br>*intended* \(words($0))" } ?? ""
    return (span.service.map(words) ?? "–") + intended
  }

  private static func words(_ latency: MedianPercentiles) -> String {
    [latency.p50, latency.p90, latency.p99, latency.p999, latency.max].map(Nanoseconds.words)
      .joined(separator: " · ")
  }

  private static func count(_ median: Double) -> String { grouped(Int(median.rounded())) }
}
