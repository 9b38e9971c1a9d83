// Writes the page and the table of an agreement, for `agreement` and `merge`.
import Analysis
import ArgumentParser
import ReportRendering
import RunJournal
import SystemIO

struct AgreementPages {
  private let reference: String
  private let agreements: [Agreement]

  init(_ options: ShardContent.Agreement, _ analyses: [ScenarioAnalysis]) {
    reference = options.reference
    let sorted = analyses.sorted { $0.record.scenario.name < $1.record.scenario.name }
    agreements = options.engines.flatMap { id in
      sorted.map { Agreement($0, engine: id, reference: options.reference, size: options.size) }
    }.filter { !$0.rows.isEmpty || !$0.exclusions.isEmpty }
  }

  /// Writes both files and prints the summary; throws the exit code where the engines do not agree.
  func write(to output: String) throws {
    let pages = AgreementMarkdown.pages(agreements)
    let file = FilePath(output).appending(AgreementMarkdown.fileName)
    let text = "# Agreement with `\(reference)`\n\n" + pages.map(\.text).joined(separator: "\n")
    do {
      try FileSystem.makeFolders(FilePath(output))
      try FileSystem.write(text: text, to: file)
      try FileSystem.write(
        text: AgreementCSV.text(agreements), to: FilePath(output).appending(AgreementCSV.fileName))
    } catch { throw couldNotRun("\(error)") }
    for page in pages { Console.print("\(page.title)\n\(page.summary)") }
    Console.print("page: \(file)")
    if pages.isEmpty || !pages.allSatisfy(\.agrees) { throw ExitCode.differs }
  }
}
