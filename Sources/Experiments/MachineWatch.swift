// Observes the machine while a part of a run is measured: at its beginning and end, and after each repetition.
import MetricModel
import RecordModel
import SystemIO

/// Called by one thread at a time.
struct MachineWatch {
  private let begin: MachineState
  private var last: MachineState
  private var maxLoad: Double?
  private var maxDirty: Int?
  private var maxWriteback: Int?

  init(_ begin: MachineState = .current()) { (self.begin, last) = (begin, begin) }

  mutating func observe(_ state: MachineState = .current()) {
    last = state
    maxLoad = [maxLoad, begin.load, last.load].compactMap { $0 }.max()
    maxDirty = [maxDirty, begin.dirtyBytes, last.dirtyBytes].compactMap { $0 }.max()
    maxWriteback = [maxWriteback, begin.writebackBytes, last.writebackBytes].compactMap { $0 }.max()
  }

  /// The conditions from the beginning to the latest observation.
  var conditions: MachineConditions {
    let end = last
    func difference(_ part: KeyPath<MachineState, Int?>) -> Int? {
      guard let first = begin[keyPath: part], let last = end[keyPath: part] else { return nil }
      return max(0, last - first)
    }
    var conditions = MachineConditions()
    conditions.loadAtBegin = begin.load
    conditions.maxLoad = maxLoad
    if let total = difference(\.totalTicks), total > 0 {
      conditions.steal = difference(\.stolenTicks).map { Double($0) / Double(total) }
      let own = Double(end.ownMicroseconds - begin.ownMicroseconds) / 10_000
      // A tick is a hundredth of a second in what the kernel reports to programs.
      conditions.others = difference(\.busyTicks).map {
        max(0, min(1, (Double($0) - own) / Double(total)))
      }
    }
    conditions.throttledMilliseconds = difference(\.throttledMicroseconds).map { $0 / 1000 }
    conditions.heatThrottles = difference(\.heatThrottles)
    conditions.cachedAtBegin = begin.cachedBytes.map { ByteCount($0) }
    conditions.cachedAtEnd = end.cachedBytes.map { ByteCount($0) }
    conditions.maxDirty = maxDirty.map { ByteCount($0) }
    conditions.maxWriteback = maxWriteback.map { ByteCount($0) }
    return conditions
  }
}
