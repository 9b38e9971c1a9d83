// The throughput of lookups by their number of threads, where arms differ in nothing else.
import Analysis
import MetricModel
import RecordModel

struct LookupScalingTable {
  private let analysis: ScenarioAnalysis
  private let rows: [LookupScaling]

  init(_ analysis: ScenarioAnalysis) {
    self.analysis = analysis
    rows = analysis.record.lookupScaling
  }

  var parts: [String] {
    guard !rows.isEmpty else { return [] }
    let coverage = rows.compactMap { $0.throughput.interval?.coverage }.min()
    var table = MarkdownTable([
      ("engine", .left), ("policy", .left), ("client", .left), ("threads", .left),
      ("arms", .left),
      ("throughput<br>*\(coverage.map { "ratio [\(percent($0))]" } ?? "ratio")*", .right),
    ])
    for row in rows {
      table.add([
        row.engine.asMarkdown, analysis.labels[row.policy].asMarkdown, row.client.asMarkdown,
        "\(row.threads) ÷ \(row.baseThreads)",
        "\(row.arm.asMarkdown) ÷ \(row.baseArm.asMarkdown)", words(row),
      ])
    }
    return [sentences, table.text]
  }

  /// A sentence for each client, on the arm with the most threads.
  private var sentences: String {
    let clients = rows.map(\.client).reduce(into: [String]()) {
      if !$0.contains($1) { $0.append($1) }
    }
    return clients.compactMap { client in
      let own = rows.filter { $0.client == client }
      guard let most = own.max(by: { $0.threads < $1.threads }) else { return nil }
      return sentence(
        own.filter { ($0.threads, $0.baseThreads) == (most.threads, most.baseThreads) })
    }.joined(separator: " ")
  }

  /// `16 threads of reads made 0.981× (sqlite, never) to 2.10× (native, never) as many transactions per second as 1.`
  private func sentence(_ rows: [LookupScaling]) -> String? {
    let sorted = rows.sorted { $0.throughput.ratio < $1.throughput.ratio }
    guard let low = sorted.first, let high = sorted.last else { return nil }
    let ratios = [low, high].map { "\($0.throughput.ratio.threeDigits)×" }
    let names = [low, high].map {
      "(\($0.engine.asMarkdown), \(analysis.labels[$0.policy].asCode))"
    }
    let gains =
      ratios[0] == ratios[1]
      ? ratios[0] : "\(ratios[0]) \(names[0]) to \(ratios[1]) \(names[1])"
    return "\(counted(low.threads, "thread")) of \(low.client.asCode) made"
      + " \(gains) as many transactions per second as"
      + " \(low.baseThreads), in arms that differ in nothing else."
  }

  private func words(_ row: LookupScaling) -> String {
    let ratio = row.throughput
    let interval = ratio.interval.map { " [\($0.low.threeDigits), \($0.high.threeDigits)]" }
    return "\(ratio.ratio.threeDigits)×\(interval ?? "")"
  }
}
