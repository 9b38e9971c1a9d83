import Foundation
import MetricModel
import RecordModel
import SystemIO
import Testing

/// The shipped scenarios, run once: do they give the policies something to decide? On SQLite, whose library is optimized
/// also in a debug build; the first one on the native engine too.
@Suite("What the shipped scenarios show of the policies")
struct PolicyCoverageTests {
  private struct Run {
    var record: RunRecord
    var samples: [CellRows<Sample>]
  }

  /// Runs the arm that is crossed with every policy; the others are mitigations, not policies.
  private func run(_ scenario: String, arm: String, engines: [String]) async throws -> Run {
    try await BuiltCommand.withFolder { folder in
      let outcome = try await BuiltCommand.run(
        [
          "run", "Scenarios/\(scenario).yml", "--arm", arm, "--schedule", "stepped",
          "--repetitions", "1", "--output",
          folder.string,
        ] + engines.flatMap { ["--engine", $0] })
      #expect(outcome.code == 0, "\(outcome.errors)\(outcome.output)")
      let output = folder.appending(scenario)
      return Run(
        record: try RunRecord(
          json: Data(try FileSystem.read(output.appending(RunRecord.fileName)))),
        samples: try SampleCSV.read(
          try FileSystem.readText(output.appending(SampleCSV.fileName))))
    }
  }

  @Test("every policy compacts in one cell and holds back in another, each with its reason")
  func coverage() async throws {
    var compacted: Set<String> = []
    var heldBack: Set<String> = []
    var unlikeNever: Set<String> = []
    var policies: Set<String> = []
    let arms = [
      "long-reader": "blocked", "dispatch-queue-pinning": "late-drain",
      "frozen-objects": "window-10",
    ]
    for (scenario, arm) in arms {
      let run = try await run(
        scenario, arm: arm,
        engines: scenario == "long-reader" ? ["native", "sqlite"] : ["sqlite"])
      // The labels differ between scenarios where the limits do; the rule is what counts.
      let rules = Dictionary(
        uniqueKeysWithValues: run.record.scenario.policies.map { ($0.name, Self.kind($0.name)) })
      policies.formUnion(rules.values)
      for cell in run.record.cells {
        let events = cell.repetitions.flatMap(\.events).map(\.event)
        for event in events {
          #expect(!event.reason.isEmpty, "\(cell.key): an event without a reason")
          switch event.outcome {
          case .finished: compacted.insert(rules[cell.key.policy]!)
          case .declined, .skipped, .abandoned, .delayed, .waiting:
            heldBack.insert(rules[cell.key.policy]!)
          case .started, .resumed, .shortened: break
          }
        }
      }
      for cell in run.samples where cell.key.policy != "never" {
        let never = run.samples.first {
          $0.key
            == CellKey(engine: cell.key.engine, policy: "never", arm: cell.key.arm)
        }
        if let never, never.rows != cell.rows { unlikeNever.insert(rules[cell.key.policy]!) }
      }
    }
    policies.remove("never")
    #expect(!policies.isEmpty)
    #expect(compacted == policies)
    #expect(heldBack == policies)
    #expect(unlikeNever == policies)
  }

  private static func kind(_ policy: String) -> String {
    policy.hasPrefix("automatic-and") ? "automatic and a condition" : policy
  }
}
