// The whole protocol for two builds beside a second implementation of it, in SciPy and NumPy, on data that is stored with
// what that one calls: eight kinds of noise, each with no change, a change of just the tolerance, and one of a tenth.
// `Reference/protocol.py` says how.
import Analysis
import Experiments
import Foundation
import Testing

private struct ProtocolReference: Decodable {
  struct Case: Decodable, CustomTestStringConvertible {
    var noise, change: String
    var base, head, control: [Double]
    var call, certificate: PairedComparison.Verdict
    var blocks, planned: Int
    var testDescription: String { "\(noise) and \(change)" }
  }
  struct Simulated: Decodable {
    var noise, change: String
    var comparisons: Int
    var certified, told: Double
  }
  var cases: [Case]
  var simulated: [Simulated]

  static func load() throws -> Self {
    let file = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "Reference/protocol.json")
    return try JSONDecoder().decode(Self.self, from: Data(contentsOf: file))
  }
}

/// Gives each arm its stored runs, one after the other.
private final class StoredRuns {
  private let runs: [BuildArm: [Double]]
  private var next: [BuildArm: Int] = [:]
  private var warmUps = 2

  init(_ stored: ProtocolReference.Case) {
    runs = [.base: stored.base, .head: stored.head, .control: stored.control]
  }

  func measure(_ arm: BuildArm) -> [Double] {
    guard warmUps == 0 else {
      warmUps -= 1
      return [1]
    }
    defer { next[arm, default: 0] += 1 }
    return [runs[arm]?[next[arm, default: 0]] ?? 0]
  }
}

@Suite("The protocol beside SciPy")
struct ProtocolReferenceTests {
  @Test("a comparison ends where a second implementation ends it, with the same calls")
  func calls() throws {
    let reference = try ProtocolReference.load()
    #expect(reference.cases.count == 24)
    for stored in reference.cases {
      let build = StoredRuns(stored)
      let outcome = try PairedRuns(
        rules: ComparisonRules(), deciding: [PairedSeries(name: "time", unit: .nanoseconds)]
      ).run(progress: { _, _ in }, measure: { build.measure($0) })
      #expect(outcome.comparisons.map(\.verdict) == [stored.call], "\(stored.testDescription)")
      #expect(outcome.aaCheck.map(\.verdict) == [stored.certificate], "\(stored.testDescription)")
      #expect(outcome.blocks == stored.blocks, "\(stored.testDescription)")
      #expect(outcome.planned == stored.planned, "\(stored.testDescription)")
    }
  }

  @Test(
    "simulated, a change of just the tolerance is told in at most 5 of 100, and none is in none")
  func falseAlarms() throws {
    for row in try ProtocolReference.load().simulated {
      #expect(row.comparisons >= 10_000)
      if row.change == "none" { #expect(row.told <= 0.001, "\(row.noise)") }
      if row.change == "the tolerance" { #expect(row.told <= 0.05, "\(row.noise)") }
    }
  }
}
