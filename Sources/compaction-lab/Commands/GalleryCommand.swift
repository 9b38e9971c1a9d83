// The exact results of many scenarios as a gallery that is kept under version control; or whether they reproduce it.
import ArgumentParser
import Experiments
import MetricModel
import RecordModel
import ReportRendering
import SystemIO

struct GalleryCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "gallery",
    abstract: "Makes a gallery of the exact results of runs, or checks that it reproduces.",
    discussion: """
      Takes the folders that stepped runs left. With --check nothing is written: each cell of the gallery whose engine \
      has the same version must have the same bytes in every exact figure, and the pictures and the page must be the \
      same where all versions are.

      Exit codes: 0 done, 1 the gallery differs, 2 could not run, 64 usage.
      """)

  @Argument(help: "Folders below which runs left their records.")
  var records: [String]

  @Option(name: .long, help: "The gallery's folder.")
  var output: String = "Reports/Gallery"

  @Flag(help: "Compares with the gallery that is there, and writes nothing.")
  var check = false

  func run() throws {
    var entries: [GalleryEntry] = []
    var versions: [String: String] = [:]
    let all = try RecordFolder.find(records).map { try RecordFolder.load($0.string) }
    RecordFolder.note(all)
    for loaded in all {
      guard let entry = GalleryEntry(record: loaded.record, samples: loaded.samples) else {
        throw couldNotRun(
          "\(loaded.folder): a gallery holds whole, exact runs of the stepped schedule only")
      }
      entries.append(entry)
      versions.merge(loaded.record.provenance.engineVersions) { first, _ in first }
    }
    entries.sort { $0.name < $1.name }
    if let name = Choice.repeated(entries.map(\.name)) {
      throw couldNotRun("two runs are of the scenario \"\(name)\"; leave one out")
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
      // Only what a gallery has: a scenario that is gone goes from it too.
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

  private func compare(
    _ entries: [GalleryEntry], _ files: [(name: String, text: String)]
  ) throws {
    var (differences, notes, compared): ([String], [String], Int) = ([], [], 0)
    let kept = ((try? FileSystem.list(FilePath(output))) ?? []).filter { $0.hasSuffix(".csv") }
    for file in kept.sorted() where !entries.contains(where: { $0.csvFile == file }) {
      differences.append("\(file): in the gallery, and no run of it was given")
    }
    for entry in entries {
      let path = FilePath(output).appending(entry.csvFile)
      guard FileSystem.exists(path) else {
        differences.append("\(entry.name): not in the gallery")
        continue
      }
      do {
        let comparison = try GalleryComparison(
          kept: try FileSystem.readText(path), made: entry.csv, name: path.string)
        differences += comparison.differences
        notes += comparison.notes
        compared += comparison.compared
      } catch { throw couldNotRun("\(error)") }
    }
    if differences.isEmpty, notes.isEmpty {
      differences += files.filter { file in
        (try? FileSystem.readText(FilePath(output).appending(file.name))) != file.text
      }.map { "\($0.name): not what these runs make" }
    }
    for note in notes { Console.error("not compared: \(note)") }
    for difference in differences { Console.error("differs: \(difference)") }
    guard differences.isEmpty else {
      Console.error("make the gallery anew with .ci/gallery, and review what changed")
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
