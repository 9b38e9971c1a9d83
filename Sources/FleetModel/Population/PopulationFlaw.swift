// What makes a population impossible, wherever it comes from: a file, a fit, a program.

/// Why no device can be drawn from a population, and what to do about it.
package struct PopulationFlaw: Error, Hashable, Sendable, CustomStringConvertible {
  /// The group; nil for the population itself.
  package var group: String?
  /// The key of the file that is wrong: `growth`.
  package var key: String?
  package var message: String
  package var remedy: String

  package var description: String {
    let location = [group.map { "group \($0)" }, key].compactMap { $0 }.joined(separator: ", ")
    return (location.isEmpty ? "" : "\(location): ") + "\(message); \(remedy)"
  }
}

extension Population {
  /// A population whose growth is cut in more devices than this is refused.
  package static let maxLimitedShare = 0.01
  private static let probedDevices = 2000

  /// The first flaw; nil where devices can be drawn.
  package var flaw: PopulationFlaw? {
    if groups.isEmpty {
      return PopulationFlaw(message: "there is no group", remedy: "describe at least one")
    }
    if !(groups.reduce(0) { $0 + $1.share } > 0) || groups.contains(where: { $0.share < 0 }) {
      return PopulationFlaw(
        key: "share", message: "no device is in any group", remedy: "give shares above 0")
    }
    return groups.lazy.compactMap(\.flaw).first ?? limitedGrowth
  }

  /// Devices of which too many would have to grow by more than they write.
  private var limitedGrowth: PopulationFlaw? {
    var counts = [Int](repeating: 0, count: groups.count)
    var limited = counts
    for number in 0..<Self.probedDevices {
      let device = device(number)
      counts[device.group] += 1
      if device.isGrowthLimited { limited[device.group] += 1 }
    }
    for (index, group) in groups.enumerated()
    where Double(limited[index]) > Self.maxLimitedShare * Double(max(1, counts[index])) {
      return PopulationFlaw(
        group: group.name, key: "growth",
        message:
          "\(limited[index]) of \(counts[index]) devices would grow by more than all their commits can write",
        remedy: "lower growth, or raise commits, writes or value")
    }
    return nil
  }
}

extension DeviceGroup {
  fileprivate var flaw: PopulationFlaw? {
    func flaw(_ key: String, _ message: String, _ remedy: String) -> PopulationFlaw {
      PopulationFlaw(group: name, key: key, message: message, remedy: remedy)
    }
    let positive = [
      ("data", data), ("value", value), ("commits", commits), ("launches", launches),
    ]
    for (key, quantity) in positive where quantity.median <= 0 || !quantity.isSound {
      return flaw(key, "no device can have \(quantity.median)", "give a quantity above 0")
    }
    if !growth.isSound || growth.bounds.lowerBound < 0 {
      return flaw("growth", "the data cannot grow by less than nothing", "give 0 or more")
    }
    if let available, !available.isSound || available.bounds.lowerBound < 0 {
      return flaw("available", "no disk has less than nothing", "give 0 or more, or leave it out")
    }
    if writes < 1 { return flaw("writes", "a commit writes \(writes) rows", "give 1 or more") }
    if !(0...1).contains(replaced) {
      return flaw("replaced", "the share is \(replaced)", "give 0 % to 100 %")
    }
    return nil
  }
}

extension QuantityDistribution {
  fileprivate var isSound: Bool {
    switch self {
    case .fixed(let value): value.isFinite
    case .uniform(let low, let high): low.isFinite && high.isFinite && low <= high
    case .logNormal(let median, let sigma, let activity, let greatest):
      median > 0 && median.isFinite && (0...5).contains(sigma) && (-1...1).contains(activity)
        && greatest >= median
    }
  }
}
