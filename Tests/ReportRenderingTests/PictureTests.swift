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

  @Test("the legend leaves the labels of launches free, with few policies as with many")
  func legend() throws {
    for count in 1...5 {
      var (record, samples) = try SyntheticRecord.make(repetitions: 1)
      let kept = Array(record.scenario.policies.prefix(count))
      record.scenario.policies = kept
      let names = Set(kept.map(\.name))
      record.cells.removeAll { !names.contains($0.key.policy) }
      samples.removeAll { !names.contains($0.key.policy) }
      let plots = Plots.plots(for: ScenarioAnalysis(record: record, samples: samples))
      let plot = try #require(plots.first { $0.name == "growth" })
      let picture = String(decoding: try draw(plot).picture, as: UTF8.self)
      let skipped = try #require(Self.height(of: "skipped or given up", in: picture))
      let launch = try #require(Self.height(of: "launch 3", in: picture))
      #expect(skipped + 10 < launch, "\(kept.count) policies")
    }
  }

  /// Where a text stands, from above: gnuplot places each by a `translate` before it.
  private static func height(of text: String, in picture: String) -> Double? {
    guard let place = picture.range(of: text),
      let move = picture[..<place.lowerBound].range(of: "translate(", options: .backwards),
      let end = picture[move.upperBound...].firstIndex(of: ")")
    else { return nil }
    return picture[move.upperBound..<end].split(separator: ",").last.flatMap { Double($0) }
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
