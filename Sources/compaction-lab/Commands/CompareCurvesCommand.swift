// Compares the curves of two runs of one scenario: where they diverge, or how far apart they are.
import Analysis
import ArgumentParser
import MetricModel

struct CompareCurvesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "compare-curves",
    abstract: "Compares the growth curves of two runs of a scenario, cell by cell.",
    discussion: """
      Under the stepped schedule curves are exact: the output names the first row that differs, and the widest gap. \
      Under real threads the widest gap between the mean curves is compared with that of other divisions of the same \
      runs into two groups (a permutation test with Holm's correction).

      Exit codes: 0 no difference, 1 a curve differs, 2 could not run, 64 usage.
      """)

  @Argument(help: "The output folder of the base run.")
  var base: String

  @Argument(help: "The output folder of the head run, which is judged.")
  var head: String

  @Option(name: .long, help: "Under real threads: the probability of a false alarm in any cell.")
  var level: Double = 0.05

  func validate() throws {
    guard level > 0, level < 1 else { throw ValidationError("--level is above 0 and below 1") }
  }

  func run() throws {
    let (before, after) = (try RecordFolder.load(base), try RecordFolder.load(head))
    RecordFolder.note([before, after])
    let comparisons = CurveComparison.all(
      base: before.analysis, baseRows: before.samples, head: after.analysis,
      headRows: after.samples)
    var differs = false
    for (comparison, p) in zip(comparisons, CurveComparison.holm(comparisons)) {
      let cell = "\(comparison.key.engine) · \(comparison.key.policy) · \(comparison.key.arm)"
      switch comparison.finding {
      case .same(let samples):
        Console.print(
          "\(cell): the same at \(samples == 1 ? "the only sample" : "all \(counted(samples, "sample"))")"
        )
      case .diverges(let divergence):
        differs = true
        Console.print("\(cell): \(Self.describe(divergence))")
      case .gap(let gap, let commit, let base, let head):
        let p = p ?? 1
        differs = differs || p <= level
        let divisions = gap.isExhaustive ? "all \(gap.permutations)" : "\(gap.permutations) random"
        Console.print(
          "\(cell): the means of \(base) and \(head) runs are at most"
            + " \(Self.signed(ByteCount(Int(gap.gap.rounded())))) apart, at commit \(grouped(commit));"
            + " p = \(p.threeDecimals) (\(divisions) divisions)")
      case .notCompared(let reason): Console.print("\(cell): not compared, \(reason)")
      }
    }
    if differs { throw ExitCode.differs }
    if comparisons.allSatisfy(\.isUncompared) {
      throw couldNotRun("\(base) and \(head) have no cell in common: nothing was compared")
    }
  }

  private static func describe(_ divergence: CurveComparison.Divergence) -> String {
    let position =
      "launch \(divergence.launch), phase \(divergence.phase), commit \(grouped(divergence.commit))"
    let sizes =
      divergence.base == divergence.head
      ? "files alike there (\(divergence.head.bytes) B), another column differs"
      : "\(divergence.base.bytes) B → \(divergence.head.bytes) B (\(signed(divergence.head - divergence.base)))"
    return "diverges at \(position): \(sizes); largest gap \(signed(divergence.maxGap))"
      + " at commit \(grouped(divergence.maxGapCommit))"
  }

  private static func signed(_ bytes: ByteCount) -> String {
    bytes > .zero ? "+\(bytes)" : bytes.description
  }
}

extension CurveComparison {
  fileprivate var isUncompared: Bool {
    if case .notCompared = finding { true } else { false }
  }
}

extension Double {
  fileprivate var threeDecimals: String { "\((self * 1000).rounded() / 1000)" }
}
