// Divides a run by its launches.
import MetricModel
import Objective
package import RecordModel

package enum RunLaunches {
  /// Returns the figures of each launch of a run, from 1 to `count`. A launch in which the database could not be opened has no
  /// sample, and no time: the files stay as they were.
  package static func figures(
    _ samples: [Sample], _ events: [RunEvent], count: Int
  ) -> [LaunchFigures] {
    var launches = (1...count).map { LaunchFigures(launch: $0) }
    var rewrittenBefore: ByteCount? = .zero
    for (index, sample) in samples.enumerated() {
      let slot = sample.observation.launch - 1
      let space = sample.observation.space
      launches[slot].highWater = max(launches[slot].highWater, space.total)
      let next = index + 1 < samples.count ? samples[index + 1] : nil
      if let next {
        let span = next.observation.time - sample.observation.time
        launches[slot].time = launches[slot].time + span
        launches[slot].area = launches[slot].area + ByteTime(space.total, for: span)
      }
      if next?.observation.launch != sample.observation.launch {
        launches[slot].rewritten = sample.rewritten.flatMap { now in
          rewrittenBefore.map { now - $0 }
        }
        rewrittenBefore = sample.rewritten
      }
    }
    for slot in launches.indices { launches[slot].add(events) }
    return launches
  }

  /// Returns why each launch was compacted, or not, with the values that the policy saw.
  package static func reasons(_ events: [RunEvent]) -> [Int: String] {
    events.filter { $0.event.kind == .onLaunch }.reduce(into: [:]) { reasons, event in
      let earlier = reasons[event.launch].map { $0 + "; " } ?? ""
      reasons[event.launch] = earlier + event.event.reason
    }
  }
}

extension LaunchFigures {
  /// Adds what became of the compaction at this launch. There is an event for each file.
  fileprivate mutating func add(_ events: [RunEvent]) {
    let own = events.filter { $0.launch == launch && $0.event.kind == .onLaunch }.map(\.event)
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
