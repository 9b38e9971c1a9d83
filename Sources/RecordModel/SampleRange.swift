// The range of values that a run can measure. Rows that were edited and are accepted by the user must be within it, since
// sums and means rely on the order of rows and the size of numbers.
import MetricModel

extension CellRows<Sample> {
  /// Larger than any disk and any run, and small enough that sums do not overflow.
  private static var maxBytes: Int { 1 << 48 }
  private static var maxCount: Int { 1 << 40 }
  private static var maxTime: Int { 1 << 53 }

  /// The number of the first row, from 1, that no run could have measured; nil if there is none.
  package var impossibleRow: Int? {
    var last = Observation(time: .zero, launch: 0, commits: 0, space: SpaceUsage(file: .zero))
    for (index, sample) in rows.enumerated() {
      guard Self.isInRange(sample), sample.observation.time >= last.time,
        sample.observation.launch >= last.launch
      else { return index + 1 }
      last = sample.observation
    }
    return nil
  }

  private static func isInRange(_ sample: Sample) -> Bool {
    let observation = sample.observation
    let space = observation.space
    let bytes = [
      space.file, space.live, space.free, space.pinned, space.pending, space.overhead,
      space.sidecar, space.tail, sample.written, sample.rewritten,
    ]
    let counts = [
      observation.launch, observation.commits, observation.liveVersions, observation.pins,
      observation.oldestPinLag, observation.refusals, sample.compactions,
    ]
    let times = [observation.time.microseconds, observation.oldestPinAge.microseconds]
    return bytes.allSatisfy { 0...maxBytes ~= $0?.bytes ?? 0 }
      && counts.allSatisfy { 0...maxCount ~= $0 ?? 0 }
      && times.allSatisfy { 0...maxTime ~= $0 }
  }
}
