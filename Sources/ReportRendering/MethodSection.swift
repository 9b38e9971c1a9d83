// Engines, method and provenance: how exact the figures are, and how to reproduce them.
import Analysis
import MetricModel
import RecordModel

struct MethodSection {
  private let analysis: ScenarioAnalysis
  private var provenance: Provenance { analysis.record.provenance }

  init(_ analysis: ScenarioAnalysis) { self.analysis = analysis }

  var parts: [String] {
    ["## Engines", engines, "## Method", method, "## Reproduce", reproduce, files]
  }

  private var engines: String {
    analysis.engines.map { engine in
      let version = provenance.engineVersions[engine].map { " \($0)" } ?? ""
      guard let note = provenance.engineNotes[engine] else { return "- **\(engine)**\(version)" }
      let accounting =
        note.isExact
        ? "Exact accounting: every byte of its files is counted once."
        : "Partial accounting: \(note.accounting)."
      let mechanisms = note.mechanisms.sorted { $0.key < $1.key }
        .map { " `\($0.key)`: \($0.value)." }.joined()
      return "- **\(engine)**\(version), \(note.summary). \(accounting)\(mechanisms)"
    }.joined(separator: "\n")
  }

  private var method: String {
    let schedule =
      switch provenance.schedule {
      case .both:
        "Both schedules: byte counts, decisions and expectations are of stepped runs, in which one thread runs the clients"
          + " step by step, in a seeded order on a virtual clock, so that they are reproducible. Latencies, time blocked at"
          + " launch, processor time and memory are of runs on real threads and the wall clock, in randomized blocks."
      case .stepped:
        "Stepped schedule: one thread runs the clients step by step, in a seeded order on a virtual clock, so that byte"
          + " counts are reproducible. Times are not."
      case .threads:
        "Threads schedule: real threads on the wall clock, so that byte counts vary too and all figures are medians."
      }
    return """
      \(schedule) \(analysis.determinism.sentence.asMarkdown)

      Times are medians with a distribution-free confidence interval between order statistics. The coverage that it
      really has is in the title of the column; six runs are the minimum for 95 %. Ratios are of runs paired by their
      number: the Hodges–Lehmann estimate of their logarithms, with the interval that inverts the signed-rank test.

      How a policy is recommended: \(Recommendation.rules)
      """
  }

  private var reproduce: String {
    let machine = [
      provenance.operatingSystem, provenance.processor, counted(provenance.cores, "core"),
      "\(provenance.memory) of memory", provenance.fileSystem,
    ].filter { !$0.isEmpty }.joined(separator: ", ")
    return """
      \(provenance.command.asCodeBlock)

      | | |
      |---|---|
      | seed | \(provenance.seed) |
      | runs of each cell | \(runs)\(provenance.interrupted ? " (interrupted)" : "") |
      | started | \(provenance.startedAt) |
      | program | compaction-lab \(provenance.toolVersion) |
      | machine | \(machine.asMarkdown.replacing("|", with: "\\|")) |
      """
  }

  private var runs: String {
    guard provenance.schedule == .both else { return "\(provenance.repetitions)" }
    let stepped = analysis.record.cells.map(\.repetitions.count).max() ?? 0
    return "\(stepped) stepped, \(provenance.repetitions) on real threads"
  }

  private var files: String {
    let pictures = Pictures.all(analysis).map { "- `\(Pictures.folder)/\($0.file)`" }
    let lines =
      [
        "- `\(ReportHTML.fileName)`: this report as a self-contained page, with all values of a curve under the pointer",
        "- `\(RunRecord.fileName)`: scenario, provenance and summaries, from which the report can be rendered again",
        "- `\(SampleCSV.fileName)`: the exact samples;"
          + " `\(TimingCSV.fileName)`: the samples of times and memory",
        "- `\(EventCSV.fileName)`: all launch decisions and compactions",
        "- `\(SummaryCSV.fileName)`: all figures of all cells, with their intervals; `\(RepetitionCSV.fileName)`: all"
          + " figures of all repetitions; `\(CurveCSV.fileName)`: the figures of each phase of each curve",
      ] + pictures
    return "Files in the same folder:\n\n" + lines.joined(separator: "\n")
  }
}
