// How long an app is not used. Drawn by the same log-normal distribution as sizes.

/// Draws gaps between launches, in whole seconds, log-normal with this median.
package struct GapChooser {
  private static let longest = 3650 * 86_400
  private var seconds: SizeChooser

  package init(medianSeconds: Int, sigmaPermille: Int, stream: RandomStream) {
    seconds = SizeChooser(
      .logNormal(
        median: min(max(1, medianSeconds), Self.longest), sigmaPermille: sigmaPermille,
        greatest: Self.longest),
      stream: stream)
  }

  package mutating func next() -> Int { seconds.next() }
}
