// `explain` describes what a run does: the same commits in each phase of each launch, by the run's record.
import Foundation
import RecordModel
import ScenarioModel
import ScenarioRendering
import SystemIO
import Testing

@Suite("Explaining a scenario")
struct ExplainTests {
  static let scenarios: [String] = {
    let folder = BuiltCommand.root.appending("Scenarios")
    let paths = (try? FileManager.default.subpathsOfDirectory(atPath: folder.string)) ?? []
    return paths.filter { $0.hasSuffix(".yml") }.sorted()
  }()

  /// Other processes, savepoints, keys, limits and logs need an engine that stores something; all else runs on one that
  /// does nothing, in no time.
  private static let engines = [
    "compaction/killed": "native", "processes/compaction-skipped": "native",
    "processes/dead-reader": "native", "pins/savepoint": "native", "modes/changed-key": "native",
    "modes/encrypted-twin": "native", "limits/address-space": "native",
    "log/rollback-journal": "sqlite", "interference/reads-while-compacting": "native",
  ]

  /// The record of one stepped run of a shipped scenario without compaction.
  static func record(of scenario: String, in folder: FilePath) async throws -> RunRecord {
    let name = String(scenario.dropLast(4))
    let output = folder.appending("out")
    _ = try await BuiltCommand.run([
      "run", "Scenarios/\(scenario)", "--engine", engines[name] ?? "null",
      "--policy", "never", "--schedule", "stepped", "--repetitions", "1", "--record-only",
      "--output", output.string,
    ])
    let file = output.appending(name.split(separator: "/").last.map(String.init) ?? name)
      .appending("record.json")
    return try RunRecord(json: Data(try FileSystem.read(file)), name: file.string)
  }

  @Test("there are scenarios to explain")
  func count() { #expect(Self.scenarios.count >= 30) }

  @Test("each phase has the commits that a run records", arguments: scenarios)
  func phases(_ scenario: String) async throws {
    try await BuiltCommand.withFolder { folder in
      let record = try await Self.record(of: scenario, in: folder)
      var compared = 0
      for cell in record.cells {
        guard let phases = cell.repetitions.first?.phases else { continue }
        let arm = try #require(record.scenario.arms.first { $0.name == cell.key.arm })
        let plan = ScenarioTimeline(record.scenario, arm).stretches.map(\.commits)
        guard !plan.contains(where: \.isLimited) else {
          // Transactions, and the openings of whole launches, may be refused.
          for span in phases {
            let planned = plan.first { $0.launch == span.launch && $0.phase.name == span.phase }
            #expect(span.lastCommit <= planned?.end.upperBound ?? 0, "\(cell.key.arm), \(span)")
          }
          compared += 1
          continue
        }
        #expect(phases.map(\.phase) == plan.map(\.phase.name))
        #expect(phases.map(\.launch) == plan.map(\.launch))
        for (span, planned) in zip(phases, plan) {
          #expect(span.firstCommit...span.firstCommit == planned.before, "\(cell.key.arm), \(span)")
          #expect(span.lastCommit...span.lastCommit == planned.end, "\(cell.key.arm), \(span)")
        }
        compared += 1
      }
      // A limited disk cannot be mounted in every container: cells that need one are then unavailable, for a reason.
      let unavailable = record.cells.filter {
        if case .unavailable = $0.status { true } else { false }
      }
      #expect(compared > 0 || unavailable.count == record.cells.count)
    }
  }

  @Test("the text and the picture have the numbers of the run, a deletion's commits among them")
  func texts() async throws {
    try await BuiltCommand.withFolder { folder in
      let record = try await Self.record(of: "dispatch-queue-pinning.yml", in: folder)
      let svg = folder.appending("plan.svg")
      let explained = try await BuiltCommand.run([
        "explain", "Scenarios/dispatch-queue-pinning.yml", "--svg", svg.string,
      ])
      #expect(explained.code == 0, "\(explained.errors)")
      let picture = try FileSystem.readText(svg)
      let cell = try #require(record.cells.first { $0.key.arm == "late-drain" })
      let phases = try #require(cell.repetitions.first?.phases)
      for phase in phases {
        #expect(explained.output.contains(" to \(Self.grouped(phase.lastCommit))"))
        #expect(picture.contains(">\(Self.grouped(phase.firstCommit))</text>"))
      }
      let trim = try #require(phases.first { $0.phase == "trim" })
      #expect(trim.lastCommit > trim.firstCommit)
      #expect(
        explained.output.contains(
          "rows a transaction: commits \(Self.grouped(trim.firstCommit + 1)) to "
            + "\(Self.grouped(trim.lastCommit))"))
      let last = try #require(phases.last).lastCommit
      #expect(
        picture.contains("dispatch-queue-pinning: \(Self.grouped(last)) commits in 4 launches"))
    }
  }

  private static func grouped(_ number: Int) -> String {
    number < 1000 ? "\(number)" : "\(number / 1000),\(String(number % 1000 + 1000).dropFirst())"
  }
}
