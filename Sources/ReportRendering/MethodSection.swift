// Engines, method and provenance: how exact the figures are, and how to reproduce them.
import Analysis
import MetricModel
import RecordModel

struct MethodSection {
  private let analysis: ScenarioAnalysis
  private var provenance: Provenance { analysis.record.provenance }

  init(_ analysis: ScenarioAnalysis) { self.analysis = analysis }

  var parts: [String] {
    [
      "## Engines, method and machine",
      MarkdownFold.text("Engines: versions, accounting and mechanisms", [engines]),
      MarkdownFold.text("Method: how exact the figures are", [method]),
      MarkdownFold.text("Reproduce: command, machine and files", [reproduce, files]),
    ]
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

      \(timesOfMachines)Times are medians with a distribution-free confidence interval between order statistics. The \
      coverage that it
      really has is in the title of the column; six runs are the minimum for 95 %. Ratios are of runs paired by their
      number: the Hodges–Lehmann estimate of their logarithms, with the interval that inverts the signed-rank test.

      How a policy is recommended: \(Recommendation.rules)
      """
  }

  /// What to compare if times are of several machines.
  private var timesOfMachines: String {
    let timed = (provenance.shards ?? []).filter { !$0.blocks.isEmpty }
    let count = Set(timed.map { [$0.host, $0.machine] }).count
    guard count > 1 else { return "" }
    return
      "Times are of \(count) machines. All cells of one run have one machine, so ratios of paired runs compare policies on "
      + "the same machine; medians do not.\n\n"
  }

  private var reproduce: String {
    return """
      \(provenance.command.asCodeBlock)

      | | |
      |---|---|
      | seed | \(provenance.seed) |
      | runs of each cell | \(runs)\(provenance.interrupted ? " (interrupted)" : "") |
      | started | \(provenance.startedAt) |
      | program | compaction-lab \(provenance.toolVersion) |
      \(provenance.machineRows.map { "| \($0.cell) | \($1.cell) |" }.joined(separator: "\n"))\(fileSystems)\(conditions)
      """
  }

  /// The file systems of the database files and of the report, with what they are mounted with, a row each.
  private var fileSystems: String {
    let inMemory = analysis.record.cells.contains { cell in
      cell.repetitions.contains { $0.exact.peakDisk != nil }
    }
    let files = provenance.platform?.databaseMount.map {
      $0 + (inMemory ? "; of stepped runs in memory" : "")
    }
    let rows = [
      ("database files on", files), ("report on", provenance.platform?.outputMount),
    ]
    return rows.compactMap { name, text in
      text.map { "\n| \(name) | \($0.asMarkdown.replacing("|", with: "\\|")) |" }
    }.joined()
  }

  /// The machine while times were measured, a row each.
  private var conditions: String {
    guard let seen = provenance.conditions else { return "" }
    var rows: [(String, String)] = []
    if let begin = seen.loadAtBegin, let most = seen.maxLoad {
      rows.append(
        (
          "load",
          "\(begin.threeDigits) at the beginning of the timed part, \(most.threeDigits) at most"
        ))
    }
    if let others = seen.others { rows.append(("other processes", percent(others))) }
    if let steal = seen.steal { rows.append(("steal", percent(steal))) }
    let stopped = seen.throttledMilliseconds.map { "stopped by a quota for \(grouped($0)) ms" }
    let heat = seen.heatThrottles.map { "slowed down by heat \(grouped($0)) times" }
    rows.append(
      ("throttling", [stopped, heat].compactMap { $0 }.joined(separator: ", ")))
    if let begin = seen.cachedAtBegin, let end = seen.cachedAtEnd {
      let dirty = seen.maxDirty.map { "; at most \($0) to be written" } ?? ""
      let writeback = seen.maxWriteback.map { ", \($0) being written" } ?? ""
      rows.append(
        ("page cache", "\(begin) at the beginning, \(end) at the end\(dirty)\(writeback)"))
    }
    return rows.map { "\n| \($0) | \($1.isEmpty ? "not known" : $1) |" }.joined()
  }

  private var runs: String {
    guard provenance.schedule == .both else { return "\(provenance.repetitions)" }
    let stepped = analysis.record.cells.map(\.repetitions.count).max() ?? 0
    return "\(stepped) stepped, \(provenance.repetitions) on real threads"
  }

  private var files: String {
    let pictures = Pictures.all(analysis).map { "- `\(Pictures.folder)/\($0.file)`" }
    let interference =
      InterferenceCSV.isWritten(analysis.record)
      ? ["- `\(InterferenceCSV.fileName)`: what each event did to each role, by stage"] : []
    let lookups =
      LookupCSV.isWritten(analysis.record)
      ? ["- `\(LookupCSV.fileName)`: the lookups of each thread in each repetition"] : []
    let lines =
      [
        "- `\(ReportHTML.fileName)`: this report as a self-contained page, with all values of a curve under the pointer",
        "- `\(RunRecord.fileName)`: scenario, provenance and summaries, from which the report can be rendered again",
        "- `\(SampleCSV.fileName)`: the exact samples;"
          + " `\(TimingCSV.fileName)`: the samples of times and memory",
        "- `\(EventCSV.fileName)`: all launch decisions and compactions",
        "- `\(SummaryCSV.fileName)`: all figures of all cells, with their intervals; `\(RepetitionCSV.fileName)`: all"
          + " figures of all repetitions; `\(CurveCSV.fileName)`: the figures of each phase of each curve",
      ] + interference + lookups + pictures
    return "Files in the same folder:\n\n" + lines.joined(separator: "\n")
  }
}

extension String {
  /// The text as a cell of a table.
  var cell: String { asMarkdown.replacing("|", with: "\\|") }
}
