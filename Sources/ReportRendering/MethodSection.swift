// Engines, method and provenance: what the numbers are worth and how to get them again.
import Analysis
import MetricModel
import RecordModel

struct MethodSection {
  private let analysis: ScenarioAnalysis
  private var provenance: Provenance { analysis.record.provenance }

  init(_ analysis: ScenarioAnalysis) { self.analysis = analysis }

  var parts: [String] { ["## Engines", engines, "## Method", method, "## Again", again, files] }

  private var engines: String {
    analysis.engines.map { engine in
      let version = provenance.engineVersions[engine].map { " \($0)" } ?? ""
      guard let note = provenance.engineNotes[engine] else { return "- **\(engine)**\(version)" }
      let accounting =
        note.isExact
        ? "Accounting exact: every byte of its files is counted once."
        : "Accounting partial: \(note.accounting)."
      let mechanisms = note.mechanisms.sorted { $0.key < $1.key }
        .map { " `\($0.key)`: \($0.value)." }.joined()
      return "- **\(engine)**\(version), \(note.summary). \(accounting)\(mechanisms)"
    }.joined(separator: "\n")
  }

  private var method: String {
    let schedule =
      provenance.schedule == .stepped
      ? "Stepped schedule: one thread steps all clients in a seeded order on a virtual clock, so byte counts repeat"
        + " and times are noise."
      : "Threads schedule: real threads on the wall clock, so byte counts vary too and all figures are medians."
    return """
      \(schedule) \(analysis.determinism.sentence.asMarkdown)

      Times are medians with an interval between order statistics (the binomial distribution of ranks; no shape is
      assumed). Its real coverage stands under the column's title; six runs are the fewest that reach 95 %. Ratios
      are of runs paired by their number: the Hodges–Lehmann center of their logarithms, with the interval that
      inverts the signed-rank test.

      How the verdict chooses: \(Recommendation.rules)
      """
  }

  private var again: String {
    let machine = [
      provenance.operatingSystem, provenance.processor, counted(provenance.cores, "core"),
      "\(provenance.memory) of memory", provenance.fileSystem,
    ].filter { !$0.isEmpty }.joined(separator: ", ")
    return """
      \(provenance.command.asCodeBlock)

      | | |
      |---|---|
      | seed | \(provenance.seed) |
      | runs of each cell | \(provenance.repetitions)\(provenance.interrupted ? " (interrupted)" : "") |
      | begun | \(provenance.startedAt) |
      | program | compaction-lab \(provenance.toolVersion) |
      | machine | \(machine.asMarkdown.replacing("|", with: "\\|")) |
      """
  }

  private var files: String {
    let pictures = Pictures.all(analysis).map { "- `\(Pictures.folder)/\($0.file)`" }
    let lines =
      [
        "- `\(ReportHTML.fileName)`: this report as one page by itself, with every value under the pointer",
        "- `\(RunRecord.fileName)`: scenario, provenance and summaries; renders this report again",
        "- `\(SampleCSV.fileName)`: everything exact, row by row;"
          + " `\(TimingCSV.fileName)`: what the wall clock showed",
        "- `\(EventCSV.fileName)`: every launch decision and compaction",
        "- `\(SummaryCSV.fileName)`: every figure of every cell, with its interval; `\(RepetitionCSV.fileName)`: every"
          + " figure of every repetition; `\(CurveCSV.fileName)`: what each phase of each curve comes to",
      ] + pictures
    return "Files beside this one:\n\n" + lines.joined(separator: "\n")
  }
}
