// The tables of variables and metrics: complete, free of doubles, and printed as they are in the documents.
import Analysis
import Foundation
import MetricModel
import TestSupport
import Testing

@Suite("Tables")
struct TableTests {
  @Test("no two variables share a name, and each is found by all of its names")
  func variableNames() {
    #expect(Set(ObservedVariable.names).count == ObservedVariable.names.count)
    for variable in ObservedVariable.all {
      for name in [variable.name] + variable.aliases {
        #expect(ObservedVariable.named(name)?.name == variable.name)
      }
    }
    #expect(ObservedVariable.named("usedByte") == nil)
  }

  @Test("a variable that an engine does not report has no value; the file's length always has one")
  func untold() {
    let observation = Observation(space: SpaceUsage(file: ByteCount(4096)))
    let untold = ObservedVariable.all.filter { $0.value(observation) == nil }.map(\.name)
    #expect(
      untold == [
        "usedBytes", "liveBytes", "freeBytes", "pinnedBytes", "pendingBytes", "overheadBytes",
        "writtenBytes", "rewrittenBytes", "freeDiskBytes", "compactions", "liveVersions",
        "launchesSinceCompaction", "commitsSinceCompaction", "timeSinceCompaction",
        "rewrittenSinceCompaction", "wasteSinceCompaction", "peakPinnedBytes", "isIdle",
        "isCharging", "opening",
      ])
    #expect(ObservedVariable.named("realmFileSizeInBytes")?.value(observation) == 4096)
  }

  @Test("Reports/Variables.md is made from the table of variables")
  func variablesDocument() throws {
    let rows = ObservedVariable.all.map { variable in
      let names = ([variable.name] + variable.aliases).map { "`\($0)`" }.joined(separator: ", ")
      return "| \(names) | \(variable.unit.text) | \(variable.meaning) |"
    }
    let head = """
      # Variables

      What [predicates](../Docs/Predicates.md) may name. This page is made from the declarations of variables. A variable that
      an engine cannot report has no value there; *at launches* also means that expectations do not have it, as they
      do not have the last three.

      | name | unit | meaning |
      |---|---|---|

      """
    let made = head + rows.map { $0 + "\n" }.joined()
    let path = "Reports/Variables.md"
    if Repository.isUpdating { try Repository.write(made, to: path) }
    #expect(try Repository.text(path) == made, "UPDATE_GOLDEN=1 makes it anew.")
  }

  @Test("figures are exact for one seed under the stepped schedule; times never are")
  func comparisons() throws {
    for metric in Metric.all {
      let isTimed = metric.repeatability == .noisy
      #expect(metric.comparison(isStepped: true, seeds: 1) == (isTimed ? .noisy : .exact))
      #expect(metric.comparison(isStepped: true, seeds: 6) == (isTimed ? .noisy : .seedVarying))
      #expect(metric.comparison(isStepped: false, seeds: 1) == .noisy)
    }
  }

  @Test("Reports/Metrics.md is made from the table of metrics")
  func metricsDocument() throws {
    let rows = (Metric.all + Metric.regrets).map { metric in
      "| \(metric.title) | `\(metric.column)` | \(metric.unit.rawValue) | "
        + "\(metric.polarity.rawValue) | \(metric.repeatability.rawValue) | \(metric.meaning) |"
    }
    let head = """
      # Metrics

      Every figure of a run: the columns of `summary.csv` and `repetitions.csv`; the last two are of `optimum`. This page is
      made from the declarations of metrics. [Metrics](../Docs/Metrics.md) explains how engines supply them, and what *better*
      and *repeatability* mean.

      | metric | column | unit | better | repeatability | meaning |
      |---|---|---|---|---|---|

      """
    let made = head + rows.map { $0 + "\n" }.joined()
    let path = "Reports/Metrics.md"
    if Repository.isUpdating { try Repository.write(made, to: path) }
    #expect(try Repository.text(path) == made, "UPDATE_GOLDEN=1 makes it anew.")
  }

  @Test("summary.csv has the metrics of the table, in its order")
  func summary() {
    #expect(SummaryMetric.allCases.map(\.metric) == Metric.all)
  }

  @Test("figures of the clock or the memory are noisy, and all others exact")
  func repeatability() {
    for metric in Metric.all {
      let isNoisy =
        metric.unit == .nanoseconds || metric.unit == .perSecond
        || metric.column.hasSuffix("_memory_bytes")
      #expect((metric.repeatability == .noisy) == isNoisy, "\(metric.column)")
    }
  }

  @Test("a column's name ends with its unit, where it has one")
  func columns() {
    for metric in Metric.all {
      switch metric.unit {
      case .bytes: #expect(metric.column.hasSuffix("_bytes"))
      case .nanoseconds: #expect(metric.column.hasSuffix("_ns"))
      case .perSecond: #expect(metric.column.hasSuffix("_per_s"))
      case .ratio, .count:
        #expect(!metric.column.hasSuffix("_bytes") && !metric.column.hasSuffix("_ns"))
      }
    }
    #expect(Set(Metric.all.map(\.title)).count == Metric.all.count)
  }
}
