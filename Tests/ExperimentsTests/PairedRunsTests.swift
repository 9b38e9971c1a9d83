// The protocol of a comparison with invented figures: the order of runs, the interim analyses, the end.
import Analysis
import Experiments
import Generators
import SystemIO
import Testing

/// Costs that are made up: an effect on head, drift from block to block, noise.
private final class MadeUpBuild {
  var ran: [BuildArm] = []
  var effect = 1.0
  var noise = 0.01
  var controlEffect = 1.0
  var warm = 0
  private var stream = RandomStream(seed: 11)

  func measure(_ arm: BuildArm) -> [Double] {
    ran.append(arm)
    warm += 1
    let cold = warm < 4 ? 5.0 - Double(warm) : 1
    let wiggle = 1 + noise * Double(stream.next(in: -1000...1000)) / 1000
    let factor = arm == .head ? effect : arm == .control ? controlEffect : 1
    return [1e6 * cold * factor * wiggle, 5e6 * wiggle]
  }
}

@Suite("The protocol for two builds")
struct PairedRunsTests {
  private func run(_ build: MadeUpBuild) throws -> PairedRuns.Outcome {
    let runs = PairedRuns(
      rules: ComparisonRules(), deciding: [PairedSeries(name: "time", unit: .nanoseconds)],
      shown: [PairedSeries(name: "memory", unit: .bytes)])
    return try runs.run(progress: { _, _ in }, measure: { build.measure($0) })
  }

  @Test("the first look decides what is plain, and each block runs each arm once")
  func plain() throws {
    let build = MadeUpBuild()
    build.effect = 1.2
    let outcome = try run(build)
    #expect(outcome.blocks == 30)
    #expect(outcome.comparisons.map(\.verdict) == [.regressed])
    #expect(outcome.shown.map(\.verdict) == [.equivalent])
    #expect(outcome.isEnvironmentValid)
    let blocks = build.ran.dropFirst(outcome.warmUps)
    #expect(blocks.count == 90)
    for start in stride(from: blocks.startIndex, to: blocks.endIndex, by: 3) {
      #expect(Set(blocks[start..<start + 3]).count == 3)
    }
    #expect(Set(stride(from: 0, to: 90, by: 3).map { blocks[blocks.startIndex + $0] }).count == 3)
  }

  @Test("cold runs come first and count for nothing")
  func warmUp() throws {
    let build = MadeUpBuild()
    let outcome = try run(build)
    #expect(outcome.warmUps == 5)
    #expect(build.ran.prefix(5).allSatisfy { $0 == .base })
    #expect(outcome.series[0].base.allSatisfy { $0 < 1.1e6 })
  }

  @Test("noise asks for more blocks, and the same result ends as the same")
  func planned() throws {
    let build = MadeUpBuild()
    build.noise = 0.08
    let outcome = try run(build)
    #expect(outcome.planned > 30)
    #expect(outcome.comparisons.map(\.verdict) == [.equivalent])
    let wild = MadeUpBuild()
    wild.noise = 0.9
    let inconclusive = try run(wild)
    #expect(inconclusive.planned == 120 && inconclusive.blocks == 120)
    #expect(inconclusive.comparisons.map(\.verdict) == [.inconclusive])
    #expect(!inconclusive.isEnvironmentValid)
  }

  @Test("a machine on which base differs from base is invalid, and no more blocks are run")
  func invalid() throws {
    let build = MadeUpBuild()
    build.controlEffect = 1.1
    let outcome = try run(build)
    #expect(!outcome.isEnvironmentValid)
    #expect(outcome.blocks == 30)
  }

  @Test("a command that fails ends the comparison with what it said")
  func failing() throws {
    let work = try FileSystem.makeTemporaryFolder(prefix: "compare-test")
    defer { try? FileSystem.removeTree(work) }
    let comparison = BuildComparison(
      base: "true", head: "echo the disk is gone >&2; exit 3", prepared: nil,
      deciding: BuildComparison.defaultDeciding)
    #expect {
      try comparison.run(rules: ComparisonRules(), work: work, progress: { _, _ in })
    } throws: { error in
      "\(error)".contains("exit status 3") && "\(error)".contains("the disk is gone")
    }
    #expect(try FileSystem.list(work).isEmpty)
  }

  @Test("each run begins with a fresh copy of the folder that was prepared")
  func prepared() throws {
    let work = try FileSystem.makeTemporaryFolder(prefix: "compare-test")
    defer { try? FileSystem.removeTree(work) }
    let prepared = work.appending("prepared")
    try FileSystem.makeFolders(prepared.appending("data"))
    try FileSystem.write(text: "x", to: prepared.appending("data/file"))
    // A second run in the same folder would find what the first one left, and fail.
    let command = "test -f data/file && test ! -e left && touch left"
    let comparison = BuildComparison(
      base: command, head: command, prepared: prepared, deciding: ["wall_ns"])
    let report = try comparison.run(
      rules: ComparisonRules(tolerance: 0.9), work: work, progress: { _, _ in })
    #expect(report.outcome.blocks >= 30)
    #expect(report.exactFigures == 0)
    #expect(try FileSystem.list(work) == ["prepared"])
  }

  @Test("a figure that neither command gives is refused with those that they give")
  func unknownFigure() throws {
    let work = try FileSystem.makeTemporaryFolder(prefix: "compare-test")
    defer { try? FileSystem.removeTree(work) }
    let comparison = BuildComparison(
      base: "true", head: "true", prepared: nil, deciding: ["commit_p50_ns"])
    #expect {
      try comparison.run(rules: ComparisonRules(), work: work, progress: { _, _ in })
    } throws: { "\($0)".contains("they report peak_memory_bytes, processor_time_ns, wall_ns") }
  }
}
