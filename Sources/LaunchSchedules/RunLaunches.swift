// Divides a run by the openings of its database.
package import MetricModel
import Objective
package import RecordModel

package enum RunLaunches {
  /// Returns the figures of each opening of a run. A launch in which the database could not be opened has no sample, and no
  /// time: the files stay as they were.
  package static func figures(
    _ samples: [Sample], _ events: [RunEvent], _ openings: Openings
  ) -> [LaunchFigures] {
    var launches = openings.kinds.enumerated().map {
      LaunchFigures(launch: $0.offset + 1, moment: $0.element)
    }
    let numbers = samples.map {
      openings.number(launch: $0.observation.launch, phase: $0.phase)
    }
    var rewrittenBefore: ByteCount? = .zero
    for (index, sample) in samples.enumerated() {
      let slot = numbers[index] - 1
      let space = sample.observation.space
      launches[slot].highWater = max(launches[slot].highWater, space.total)
      let next = index + 1 < samples.count ? samples[index + 1] : nil
      if let next {
        let span = next.observation.time - sample.observation.time
        launches[slot].time = launches[slot].time + span
        launches[slot].area = launches[slot].area + ByteTime(space.total, for: span)
      }
      if next == nil || numbers[index + 1] != numbers[index] {
        launches[slot].rewritten = sample.rewritten.flatMap { now in
          rewrittenBefore.map { now - $0 }
        }
        rewrittenBefore = sample.rewritten
      }
    }
    let decisions = Dictionary(grouping: events.filter { $0.event.kind == .onLaunch }) {
      openings.number(launch: $0.launch, phase: $0.phase)
    }
    for slot in launches.indices {
      launches[slot].add((decisions[slot + 1] ?? []).map(\.event))
    }
    return launches
  }

  /// Returns why each opening was compacted, or not, with the values that the policy saw.
  package static func reasons(_ events: [RunEvent], _ openings: Openings) -> [Int: String] {
    events.filter { $0.event.kind == .onLaunch }.reduce(into: [:]) { reasons, event in
      let opening = openings.number(launch: event.launch, phase: event.phase)
      let earlier = reasons[opening].map { $0 + "; " } ?? ""
      reasons[opening] = earlier + event.event.reason
    }
  }
}

extension LaunchFigures {
  /// Adds what became of the compaction at this launch. There is an event for each file.
  fileprivate mutating func add(_ own: [CompactionEvent]) {
    guard let first = own.first else { return }
    (before, after) = (
      own.reduce(.zero) { $0 + $1.before }, own.reduce(.zero) { $0 + $1.after }
    )
    callback = own.count == 1 ? first.callback : nil
    switch first.outcome {
    case _ where own.contains { $0.outcome != first.outcome }: compaction = .partial
    case .finished: compaction = .finished
    case .skipped: compaction = .skipped
    default: compaction = .declined
    }
  }
}
