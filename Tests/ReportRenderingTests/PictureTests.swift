// The plots, drawn by gnuplot where it is installed: scripts that gnuplot takes without a word, and the same bytes
// twice.
import Analysis
import Foundation
import RecordFixtures
import ReportRendering
import Testing

private let gnuplot = ["/usr/bin/gnuplot", "/usr/local/bin/gnuplot", "/opt/homebrew/bin/gnuplot"]
  .first { FileManager.default.isExecutableFile(atPath: $0) }

@Suite("Pictures by gnuplot", .enabled(if: gnuplot != nil, "gnuplot is not installed"))
struct PictureTests {
  /// Draws into a new folder and answers what gnuplot said and drew.
  private func draw(_ plot: Plot) throws -> (complaints: String, picture: Data) {
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "pictures-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try Data(plot.script.utf8).write(to: folder.appending(path: plot.scriptFile))
    try Data(plot.data.utf8).write(to: folder.appending(path: plot.dataFile))
    let process = Process()
    process.executableURL = URL(filePath: try #require(gnuplot))
    process.arguments = [plot.scriptFile]
    process.currentDirectoryURL = folder
    let pipe = Pipe()
    process.standardError = pipe
    try process.run()
    let complaints = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    return (
      String(decoding: complaints, as: UTF8.self),
      try Data(contentsOf: folder.appending(path: plot.pictureFile))
    )
  }

  @Test("gnuplot draws every plot without complaint, and the same bytes each time")
  func pictures() throws {
    let (record, samples) = try SyntheticRecord.make(repetitions: 2)
    let plots = Plots.plots(for: ScenarioAnalysis(record: record, samples: samples))
    #expect(plots.count == 2)
    for plot in plots {
      let first = try draw(plot)
      #expect(first.complaints.isEmpty, "\(plot.name)")
      #expect(first.picture == (try draw(plot)).picture, "\(plot.name)")
      let text = String(decoding: first.picture, as: UTF8.self)
      #expect(text.hasSuffix("</svg>\n") || text.hasSuffix("</svg>\n\n"))
      #expect(text.contains("launch 3") && text.contains("native (MB)"))
    }
  }
}
