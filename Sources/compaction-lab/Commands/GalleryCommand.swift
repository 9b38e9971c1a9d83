// Writes the exact results of many scenarios as a gallery for version control, or compares runs with it.
import ArgumentParser
import Experiments
import MetricModel
import RecordModel
import ReportRendering
import SystemIO

struct GalleryCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "gallery",
    abstract: "Writes a gallery of the exact results of runs, or checks that runs reproduce it.",
    discussion: """
      The runs must be stepped ones. With --check nothing is written: each cell of the gallery must have the same bytes in \
      every exact figure, except cells that this machine cannot run, and cells of an engine in another version. The \
      pictures and the page must be the same if all cells were compared.

      Exit codes: 0 done, 1 the gallery differs, 2 could not run, 64 usage.
      """)

  @Argument(help: "Folders with the records of runs.")
  var records: [String]

  @Option(name: .long, help: "The gallery's folder.")
  var output: String = "Reports/Gallery"

  @Flag(help: "Compares with the existing gallery and writes nothing.")
  var check = false

  func run() throws {
    var entries: [GalleryEntry] = []
    var versions: [String: String] = [:]
    let all = try RecordFolder.find(records).map { try RecordFolder.load($0.string) }
    RecordFolder.note(all)
    for loaded in all {
      guard let entry = GalleryEntry(record: loaded.record, samples: loaded.samples) else {
        throw couldNotRun(
          "\(loaded.folder): a gallery contains only complete, exact runs of the stepped schedule")
      }
      entries.append(entry)
      versions.merge(loaded.record.provenance.engineVersions) { first, _ in first }
    }
    entries.sort { $0.name < $1.name }
    if let name = Choice.firstDuplicate(in: entries.map(\.name)) {
      throw couldNotRun("two runs belong to the scenario \"\(name)\"; leave one out")
    }
    let files = Self.files(entries, versions)
    if check { try compare(entries, files) } else { try write(files, entries.count) }
  }

  private static func files(
    _ entries: [GalleryEntry], _ versions: [String: String]
  ) -> [(name: String, text: String)] {
    [(GalleryPage.fileName, GalleryPage.text(entries, versions: versions))]
      + entries.flatMap { entry in
        [(entry.csvFile, entry.csv)] + (entry.picture.map { [(entry.pictureFile, $0)] } ?? [])
      }
  }

  private func write(_ files: [(name: String, text: String)], _ scenarios: Int) throws {
    do {
      let folder = FilePath(output)
      try FileSystem.makeFolders(folder)
      // Files of scenarios that no longer exist are removed; other files are left alone.
      for old in try FileSystem.list(folder)
      where (old.hasSuffix(".csv") || old.hasSuffix(".svg"))
        && !files.contains(where: { $0.name == old })
      {
        try FileSystem.removeFile(folder.appending(old))
      }
      for file in files { try FileSystem.write(text: file.text, to: folder.appending(file.name)) }
    } catch { throw couldNotRun("\(error)") }
    Console.print("gallery: \(counted(scenarios, "scenario")) in \(output)")
  }

  /// The skipped cells of all scenarios by reason, in the order of the reasons' first appearance.
  private static func byReason(
    _ skipped: [GalleryComparison.Skipped]
  ) -> [(reason: String, cells: [String])] {
    skipped.reduce(into: []) { groups, next in
      if let index = groups.firstIndex(where: { $0.reason == next.reason }) {
        groups[index].cells += next.cells
      } else {
        groups.append((next.reason, next.cells))
      }
    }
  }

  private func compare(
    _ entries: [GalleryEntry], _ files: [(name: String, text: String)]
  ) throws {
    var (differences, compared): ([String], Int) = ([], 0)
    var skipped: [GalleryComparison.Skipped] = []
    let kept = ((try? FileSystem.list(FilePath(output))) ?? []).filter { $0.hasSuffix(".csv") }
    for file in kept.sorted() where !entries.contains(where: { $0.csvFile == file }) {
      differences.append("\(file): in the gallery, but not among the given runs")
    }
    for entry in entries {
      let path = FilePath(output).appending(entry.csvFile)
      guard FileSystem.exists(path) else {
        differences.append("\(entry.name): not in the gallery")
        continue
      }
      do {
        let comparison = try GalleryComparison(
          stored: try FileSystem.readText(path), measured: entry.csv, name: path.string)
        differences += comparison.differences
        skipped += comparison.skipped
        compared += comparison.compared
      } catch { throw couldNotRun("\(error)") }
    }
    if differences.isEmpty, skipped.isEmpty {
      differences += files.filter { file in
        (try? FileSystem.readText(FilePath(output).appending(file.name))) != file.text
      }.map { "\($0.name): these runs give another file" }
    }
    for (reason, cells) in Self.byReason(skipped) {
      Console.error("not compared: \(counted(cells.count, "cell")), since \(reason)")
    }
    for difference in differences { Console.error("differs: \(difference)") }
    guard differences.isEmpty else {
      Console.error("write the gallery again with .ci/gallery, and review the changes")
      throw ExitCode.differs
    }
    guard compared > 0 else {
      throw couldNotRun("no cell of \(output) could be compared: nothing was checked")
    }
    Console.print(
      "gallery: \(counted(compared, "cell")) of \(counted(entries.count, "scenario")) "
        + "\(compared == 1 ? "reproduces" : "reproduce"), to the byte")
  }
}
