// What happens between launches: how long an app is not used, at which hours it is opened, how a launch ends, and where the
// data of the first launch come from.
package import MetricModel

package struct LifecycleSpec: Hashable, Sendable, Codable {
  /// Hours of the virtual day, which begins with the scenario, at midnight.
  package struct Hours: Hashable, Sendable, Codable {
    package var from: Int
    /// The hour at which use ends: above `from`, at most 24.
    package var to: Int

    package init(from: Int, to: Int) {
      self.from = from
      self.to = to
    }
  }

  /// The spread of the gaps between launches, in thousandths: above 0 they are log-normal, with the scenario's gap as their
  /// median.
  package var gapSigmaPermille: Int
  /// An opening that would fall outside of them is put off until they begin; nil for any time of the day.
  package var awake: Hours?
  /// The launches that end as if the process were killed: a write transaction is half done and nothing is closed.
  package var crashes: [Int]
  /// The launches before which another process opens the database to compact it, and is killed in the middle.
  package var killedCompactions: [Int] = []
  /// The launches before which the database's files are dropped from the page cache; nil for none.
  package var coldStarts: [Int]?
  /// The moments between two launches in which the system opens the database in the background, in their order; nil for none.
  package var background: [BackgroundSpec]?
  /// Whether the first launch finds a seed file with the tables' rows, a compacted copy as an app brings it along.
  package var isSeeded: Bool

  package init(
    gapSigmaPermille: Int = 0, awake: Hours? = nil, crashes: [Int] = [], isSeeded: Bool = false
  ) {
    self.gapSigmaPermille = gapSigmaPermille
    self.awake = awake
    self.crashes = crashes
    self.isSeeded = isSeeded
  }
}

/// A moment in the background between two launches.
package struct BackgroundSpec: Hashable, Sendable, Codable {
  package var moment: BackgroundMoment
  /// When it is, in thousandths of the time between the launches.
  package var gapPermille: Int

  package init(_ moment: BackgroundMoment, gapPermille: Int) {
    (self.moment, self.gapPermille) = (moment, gapPermille)
  }

  /// Returns the time until it, in a gap of this length.
  package func time(in gap: VirtualTime) -> VirtualTime {
    let (thousands, rest) = gap.microseconds.quotientAndRemainder(dividingBy: 1000)
    return VirtualTime(microseconds: thousands * gapPermille + rest * gapPermille / 1000)
  }
}
