// Timelines for the synthetic record's runs on real threads: reads and writes at steady rates, and events that keep them
// waiting. Plausible, not measured.
import MetricModel
package import RecordModel

package enum SyntheticTimeline {
  private static let window = 4_000_000
  private static let windows = 150
  /// The windows of the event.
  private static let during = 60..<75

  /// Adds a timeline to each run on real threads of three cells: a compaction beside reads and writes, a compaction at a
  /// launch without any, and a snapshot that is held beside writes alone.
  package static func add(to record: inout RunRecord) {
    for index in record.cells.indices {
      let key = record.cells[index].key
      guard key.arm == record.scenario.arms.first?.name else { continue }
      for run in (record.cells[index].threadedRepetitions ?? []).indices {
        let timeline =
          switch (key.engine, record.scenario.policies.first { $0.name == key.policy }?.rule) {
          case ("native", "automatic"): compaction(stretch: 10 + run)
          case ("sqlite", let rule?) where rule != "never" && rule != "automatic":
            launch(stretch: 10 + run)
          case ("lmdb", "never"): pin(stretch: 10 + run)
          default: Timeline?.none
          }
        record.cells[index].threadedRepetitions?[run].timeline = timeline
      }
    }
  }

  private static func compaction(stretch: Int) -> Timeline {
    let reads = latencies(count: 900, during: 300, p99: 40_000, duringP99: 4_000_000 * stretch)
    let intended = latencies(count: 900, during: 300, p99: 60_000, duringP99: 5_000_000 * stretch)
    return timeline(
      [
        TimelineSeries(
          role: .writers,
          service: latencies(count: 40, during: 10, p99: 90_000, duringP99: 2_000_000 * stretch)),
        TimelineSeries(role: .lookups, service: reads, intended: intended),
      ], TimelineEvent(.compaction, begin: begin, end: end), phases: [0..<windows])
  }

  private static func launch(stretch: Int) -> Timeline {
    let writes = latencies(count: 40, during: 0, p99: 90_000, duringP99: 0)
    return timeline(
      [TimelineSeries(role: .writers, service: writes)],
      TimelineEvent(.launchCompaction, begin: begin, end: end - stretch * 1000),
      phases: [0..<during.lowerBound, during.upperBound..<windows])
  }

  private static func pin(stretch: Int) -> Timeline {
    let writes = latencies(count: 40, during: 35, p99: 90_000, duringP99: 100_000 * stretch)
    return timeline(
      [TimelineSeries(role: .writers, service: writes)],
      TimelineEvent(.pin, label: "reader", begin: begin, end: end), phases: [0..<windows])
  }

  private static var begin: Int { during.lowerBound * window + 1_000_000 }
  private static var end: Int { during.upperBound * window - 1_000_000 }

  private static func timeline(
    _ series: [TimelineSeries], _ event: TimelineEvent, phases: [Range<Int>]
  ) -> Timeline {
    Timeline(
      windowNanoseconds: window, series: series,
      phases: phases.enumerated().map { index, span in
        TimelinePhase(
          launch: index + 1, phase: "work", begin: span.lowerBound * window,
          end: span.upperBound * window)
      }, events: [event])
  }

  private static func latencies(
    count: Int, during other: Int, p99: Int, duringP99: Int
  ) -> TimelineLatencies {
    let isDuring = (0..<windows).map(during.contains)
    func values(_ usual: (Int) -> Int, _ slow: Int) -> [Int] {
      isDuring.enumerated().map { index, slowly in
        slowly ? (other > 0 ? slow : 0) : usual(index)
      }
    }
    return TimelineLatencies(
      counts: values({ count + $0 % 7 }, other), p99: values({ p99 + $0 % 5 * 1000 }, duringP99),
      max: values({ p99 + 9000 + $0 % 5 * 1000 }, duringP99 + 5000),
      maxEnd: values({ _ in window / 2 }, window - 1))
  }
}
