// How long an app rests between two launches: always the same, or as people's days go.
import Generators
import MetricModel
import ScenarioModel

struct LaunchGaps {
  private static let day = 86_400_000_000
  private static let hour = 3_600_000_000

  private let median: VirtualTime
  private let lifecycle: LifecycleSpec
  private let stream: RandomStream

  init(_ scenario: Scenario, stream: RandomStream) {
    median = scenario.gapBetweenLaunches
    lifecycle = scenario.lifecycle
    self.stream = stream
  }

  /// The time until this launch, where the one before ended at `end`.
  func gap(before launch: Int, endedAt end: VirtualTime) -> VirtualTime {
    var gap = median
    if lifecycle.gapSigmaPermille > 0 {
      var gaps = GapChooser(
        medianSeconds: Int(median.seconds), sigmaPermille: lifecycle.gapSigmaPermille,
        stream: stream)
      // The gap before the second launch is the stream's first, whatever the launches in between drew.
      for _ in 2..<max(2, launch) { _ = gaps.next() }
      gap = VirtualTime(seconds: Double(gaps.next()))
    }
    return VirtualTime(
      microseconds: awakeAt(end.microseconds + gap.microseconds) - end.microseconds)
  }

  /// The time itself where people are awake, or the next morning.
  private func awakeAt(_ time: Int) -> Int {
    guard let awake = lifecycle.awake else { return time }
    let sinceMidnight = time % Self.day
    let midnight = time - sinceMidnight
    if sinceMidnight < awake.from * Self.hour { return midnight + awake.from * Self.hour }
    if sinceMidnight < awake.to * Self.hour { return time }
    return midnight + Self.day + awake.from * Self.hour
  }
}
