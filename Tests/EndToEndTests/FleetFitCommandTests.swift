// `fleet fit`, as a user runs it: a log in, a population file out.
import FleetModel
import ScenarioParser
import SystemIO
import Testing

@Suite("The command fleet fit")
struct FleetFitCommandTests {
  /// Twelve devices with two launches a day for ten days; free bytes return after a compaction on the fifth.
  private static var log: String {
    var lines = ["device,time,totalBytes,usedBytes,compacted"]
    for device in 1...12 {
      for launch in 0..<20 {
        let since = launch > 10 ? launch - 10 : launch
        let used = 1_000_000 * device + 2000 * launch
        let total = used + 20_000 * (5 + device) * since
        let time = 1_772_360_430 + launch * 43_200
        lines.append("d\(device),\(time),\(total),\(used),\(launch == 10)")
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  @Test("a log becomes a population file, the same each time, with the evidence in comments")
  func fitted() async throws {
    try await BuiltCommand.withFolder { folder in
      let file = folder.appending("launches.csv")
      try FileSystem.write(text: Self.log, to: file)
      let outcome = try await BuiltCommand.run(["fleet", "fit", file.string, "--name", "my-app"])
      #expect(outcome.code == 0, "\(outcome.errors)")
      let population = try PopulationParser.parse(outcome.output, file: "p.yml") { _ in "" }
      #expect(population.name == "my-app")
      #expect(population.source == "launches.csv, 12 devices")
      #expect(outcome.output.contains("# To log: more devices: 12 have at most 0 beyond p99"))
      #expect(outcome.errors.contains("12 devices, 10 days, 240 launches; groups: all 100 %"))
      let again = try await BuiltCommand.run(["fleet", "fit", file.string, "--name", "my-app"])
      #expect(again.output == outcome.output)
    }
  }

  @Test(
    "a mistake in a log is reported with its file and line, and nothing is printed",
    arguments: [
      ("device,time,totalBytes,usedBytes\nd,1772360430,4,5\n", ":2: usedBytes 5 > totalBytes 4; "),
      ("device,time,totalBytes,usedBytes\n", ":1: there is no device in it; "),
      ("{}\n", ":1: this is no table with a header; "),
      ("device,time,totalBytes,usedBytes\nd,1772360430,5,4\n", ":2: each of 1 devices has one "),
    ])
  func mistakes(_ text: String, _ message: String) async throws {
    try await BuiltCommand.withFolder { folder in
      let file = folder.appending("launches.csv")
      try FileSystem.write(text: text, to: file)
      let outcome = try await BuiltCommand.run(["fleet", "fit", file.string])
      #expect(outcome.code == 2 && outcome.output.isEmpty)
      #expect(outcome.errors.contains("\(file)\(message)"), "\(outcome.errors)")
    }
  }

  @Test("wrong options are usage errors, and a file that is missing is named")
  func options() async throws {
    for words in [["--missing", "1"], ["--groups", "0"], ["--name", "My App"]] {
      let outcome = try await BuiltCommand.run(["fleet", "fit", "x.csv"] + words)
      #expect(outcome.code == 64, "\(words): \(outcome.errors)")
    }
    let outcome = try await BuiltCommand.run(["fleet", "fit", "nosuch.csv"])
    #expect(outcome.code == 2 && outcome.errors.contains("nosuch.csv"), "\(outcome.errors)")
  }
}
