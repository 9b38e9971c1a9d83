// The time between two launches of an app: constant, or drawn at random and moved into the hours of the day in which the
// app is used.
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

  /// Returns the time until this launch, if the previous one ended at `end`.
  func gap(before launch: Int, endedAt end: VirtualTime) -> VirtualTime {
    var gap = median
    if lifecycle.gapSigmaPermille > 0 {
      var gaps = GapChooser(
        medianSeconds: Int(median.seconds), sigmaPermille: lifecycle.gapSigmaPermille,
        stream: stream)
      // The gap before launch n is draw n − 1 of the stream, whatever else is drawn.
      for _ in 2..<max(2, launch) { _ = gaps.next() }
      gap = VirtualTime(seconds: Double(gaps.next()))
    }
    return VirtualTime(
      microseconds: awakeAt(end.microseconds + gap.microseconds) - end.microseconds)
  }

  /// Returns the time itself if it is within the active hours, and the next beginning of these otherwise.
  private func awakeAt(_ time: Int) -> Int {
    guard let awake = lifecycle.awake else { return time }
    let sinceMidnight = time % Self.day
    let midnight = time - sinceMidnight
    if sinceMidnight < awake.from * Self.hour { return midnight + awake.from * Self.hour }
    if sinceMidnight < awake.to * Self.hour { return time }
    return midnight + Self.day + awake.from * Self.hour
  }
}
