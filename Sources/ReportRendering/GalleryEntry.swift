// One scenario in the gallery: its exact results as CSV, a picture, and a paragraph. It has no times, so that the same
// engines in the same versions give the same bytes, and any difference is a finding.
import Analysis
import MetricModel
package import RecordModel

package struct GalleryEntry: Sendable {
  package let name: String
  private let analysis: ScenarioAnalysis

  private static let figures = SummaryMetric.allCases.filter { !$0.isTimed }
  private static let keyColumns = ["scenario", "engine", "policy", "arm"]
  /// The key of a cell, the version of its engine, whether it was measured and if not why, the exact figures, and the digest
  /// of its rows in samples.csv.
  package static let columns =
    keyColumns + ["engine_version", "status", "reason"] + figures.map(\.column) + [
      "samples_fnv1a_128"
    ]

  /// Uses the stepped runs of a record alone.
  ///
  /// - Returns: nil unless the record is complete and has stepped runs: all others are not reproducible.
  package init?(record: RunRecord, samples: [CellRows<Sample>]) {
    guard record.provenance.schedule.hasExactFigures, !record.provenance.interrupted else {
      return nil
    }
    name = record.scenario.name
    analysis = ScenarioAnalysis(
      record: record.steppedPart, samples: record.rowsOfBytes(samples))
    if case .differs = analysis.determinism.finding { return nil }
  }

  package var csvFile: String { "\(name).csv" }
  package var pictureFile: String { "\(name).svg" }

  package var csv: String {
    var line = CSVLine()
    for column in Self.columns { line.append(column) }
    line.endRow()
    for cell in analysis.record.cells {
      for field in [name, cell.key.engine, cell.key.policy, cell.key.arm] { line.append(field) }
      line.append(analysis.record.provenance.engineVersions[cell.key.engine] ?? "")
      let (status, reason) = Self.words(cell)
      line.append(status)
      line.append(reason)
      let first = cell.repetitions.first
      for figure in Self.figures {
        line.append(first.flatMap(figure.value).map(SummaryCSV.number) ?? "")
      }
      line.append(first?.exact.samplesDigest ?? "")
      line.endRow()
    }
    return line.text
  }

  /// The status of a cell that the machine cannot run.
  static let unavailable = "absent"

  private static func words(_ cell: CellRecord) -> (String, String) {
    switch cell.status {
    case .measured: ("measured", "")
    // Not "n/a": pandas reads that as a field that is empty.
    case .notApplicable(let reason): ("not applicable", reason)
    case .unavailable(let reason): (unavailable, reason)
    case .failed(let reason): ("failed", reason)
    }
  }

  /// With fewer points than that of the report, since it is under version control.
  package var picture: String? {
    let maxPoints = 96
    if let multiples = MultiplesPicture.svg(analysis, maxPoints: maxPoints) { return multiples }
    if let (_, panels) = Pictures.armPanels(analysis, maxPoints: maxPoints) {
      return StackedPicture.svg(panels, titles: Pictures.armTitles(analysis))
    }
    let titles = analysis.record.scenario.policies.map { analysis.labels[$0.name] }
    return StackedPicture.svg(Pictures.panels(analysis, maxPoints: maxPoints), titles: titles)
  }

  /// The scenario's part of the gallery's page.
  package var section: String {
    let scenario = analysis.record.scenario
    let counts = analysis.expectations.isEmpty ? "" : ExpectationCounts(analysis).sentence
    var parts = [
      "## \(name)", "*\(scenario.question.asMarkdown)* \(scenario.description.asMarkdown)",
      analysis.recommendation.pins ?? "", counts, table,
    ]
    if picture != nil {
      parts.append("![size of all files](\(pictureFile))")
    }
    parts.append("Every cell: [\(csvFile)](\(csvFile)).")
    return parts.filter { !$0.isEmpty }.map { $0.hasSuffix("\n") ? $0 : $0 + "\n" }
      .joined(separator: "\n")
  }

  /// The main arm under each policy: high-water mark and final size.
  private var table: String {
    let policies = analysis.record.scenario.policies
    var table = MarkdownTable(
      [("high-water mark → final", .left)]
        + policies.map { (title: analysis.labels[$0.name].asMarkdown, alignment: .right) })
    for engine in analysis.engines {
      table.add(
        [engine]
          + policies.map { policy in
            guard let cell = analysis.cell(engine, policy.name, analysis.mainArm), cell.isMeasured,
              let high = cell.value(.highWater), let final = cell.value(.final)
            else { return "n/a" }
            return "\(FigureText.words(high, .bytes)) → \(FigureText.words(final, .bytes))"
          })
    }
    return table.text
  }
}

/// The gallery's page.
package enum GalleryPage {
  package static let fileName = "README.md"

  package static func text(_ entries: [GalleryEntry], versions: [String: String]) -> String {
    let engines = versions.sorted { $0.key < $1.key }.map { "`\($0.key)` \($0.value)" }
    let contents = entries.map { "- [\($0.name)](#\($0.name))" }.joined(separator: "\n")
    return """
      # Gallery

      \(introduction(engines.joined(separator: ", "), hasOurs: versions["native"] != nil))

      \(contents)

      \(entries.map(\.section).joined(separator: "\n"))
      """
  }

  /// The gallery of the engines that every machine has is checked for reproduction; that of other engines is not.
  private static func introduction(_ engines: String, hasOurs: Bool) -> String {
    hasOurs
      ? """
      The exact results of every scenario in `Scenarios` on all engines: \(engines).
      `.ci/gallery` makes this folder; `.ci/run` checks that the results reproduce, to the byte. Cells that a machine
      cannot run, and cells of an engine in another version, are left out of that check. Nothing here is a time.
      """
      : """
      The exact results of scenarios in `Scenarios` on \(engines), whose library not every machine has.
      `.ci/peers` makes this folder. Nothing here is a time.
      """
  }
}
