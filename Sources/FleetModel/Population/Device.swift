// One device, drawn from a population by its number alone: the same on whichever core or machine it is drawn.
package import Generators

package struct Device: Hashable, Sendable {
  /// The number of the device, from 0.
  package var number: Int
  /// The index of its group.
  package var group: Int
  /// Bytes of all values on the first day.
  package var data: Double
  /// Bytes of one value.
  package var value: Double
  /// Bytes of values by which the data grow in a day, as far as its commits can add them.
  package var growth: Double
  package var commitsPerDay: Double
  package var launchesPerDay: Double
  /// Bytes available beside the database on the first day.
  package var available: Double
  /// Whether its growth is less than was drawn, because all its commits together cannot add more.
  package var isGrowthLimited: Bool

  /// The share of commits that add rows, between 0 and 1; the others update and replace rows.
  package func addShare(writes: Int) -> Double {
    let possible = commitsPerDay * Double(writes) * value
    return possible > 0 ? min(1, growth / possible) : 0
  }

  /// Commits from one launch to the next, in the mean.
  package var commitsPerLaunch: Double { commitsPerDay / launchesPerDay }
}

extension Population {
  /// The longest gap between launches is 1,000 days, and the smallest data are one row.
  private static let minLaunchesPerDay = 0.001

  /// Draws the device of this number.
  package func device(_ number: Int) -> Device {
    var stream = RandomStream(seed: seed, label: "device", index: number)
    let index = group(at: Double(stream.next() >> 11) / Double(1 << 53))
    let group = groups[index]
    let activity = StandardNormal.next(from: &stream)
    let data = group.data.draw(activity: activity, from: &stream)
    let value = max(1, group.value.draw(activity: activity, from: &stream).rounded())
    let growth = max(0, group.growth.draw(activity: activity, from: &stream))
    let commits = max(0, group.commits.draw(activity: activity, from: &stream))
    let launches = group.launches.draw(activity: activity, from: &stream)
    let available = group.available?.draw(activity: activity, from: &stream)
    let possible = commits * Double(group.writes) * value
    return Device(
      number: number, group: index, data: max(value, data), value: value,
      growth: min(growth, possible), commitsPerDay: commits,
      launchesPerDay: max(Self.minLaunchesPerDay, launches), available: available ?? .infinity,
      isGrowthLimited: growth > possible)
  }

  /// The stream of what happens to the device after it was drawn: the times of its launches.
  package func launchStream(of number: Int) -> RandomStream {
    RandomStream(seed: seed, label: "launches", index: number)
  }

  private func group(at share: Double) -> Int {
    let sum = groups.reduce(0) { $0 + $1.share }
    var rest = share * sum
    for (index, group) in groups.enumerated() {
      rest -= group.share
      if rest < 0 { return index }
    }
    return groups.count - 1
  }
}
