// Stratification: the device classes of a group, at the nodes of a grid over what the shape of its curves depends on.

/// The nodes of a group's classes, ascending; a quantity that is the same in all devices has one.
package struct ClassAxes: Hashable, Sendable, Codable {
  /// Bytes of one value.
  package var values: [Double]
  /// The share of commits that add rows.
  package var addShares: [Double]
  /// Commits from launch to launch.
  package var rates: [Double]
  /// Bytes of all values at the compaction.
  package var data: [Double]

  package init(values: [Double], addShares: [Double], rates: [Double], data: [Double]) {
    self.values = values
    self.addShares = addShares
    self.rates = rates
    self.data = data
  }

  /// Classes, each with a curve for every node of the data.
  package var classCount: Int { values.count * addShares.count * rates.count }

  /// The class of this index: rates vary fastest.
  package func parameters(_ index: Int) -> ClassParameters {
    let rate = index % rates.count
    let add = index / rates.count % addShares.count
    return ClassParameters(
      value: values[index / rates.count / addShares.count], addShare: addShares[add],
      commitsPerLaunch: rates[rate])
  }
}

/// What devices of a class have in common.
package struct ClassParameters: Hashable, Sendable, Codable {
  package var value: Double
  package var addShare: Double
  package var commitsPerLaunch: Double

  package init(value: Double, addShare: Double, commitsPerLaunch: Double) {
    self.value = value
    self.addShare = addShare
    self.commitsPerLaunch = commitsPerLaunch
  }
}

/// How finely a population is divided, and how far its curves are measured.
package struct Stratification: Hashable, Sendable, Codable {
  /// Nodes for the bytes of all values.
  package var sizes: Int
  /// The largest data that are measured, in bytes: larger ones have the same curves relative to their data.
  package var maxData: Double
  /// The turnover that is measured.
  package var maxTurnover: Double
  /// Years for which devices grow.
  package var years: Double

  package init(
    sizes: Int = 4, maxData: Double = 32_000_000, maxTurnover: Double = 8, years: Double = 2
  ) {
    self.sizes = sizes
    self.maxData = maxData
    self.maxTurnover = maxTurnover
    self.years = years
  }

  private static let drawnDevices = 4000

  /// The axes of the group of this index, from quantiles of devices that are drawn as a simulation draws them.
  package func axes(of index: Int, in population: Population) -> ClassAxes {
    let group = population.groups[index]
    var devices: [Device] = []
    var number = 0
    while devices.count < 500, number < Self.drawnDevices * population.groups.count {
      let device = population.device(number)
      if device.group == index { devices.append(device) }
      number += 1
    }
    func nodes(_ shares: [Double], _ value: (Device) -> Double) -> [Double] {
      let sorted = devices.map(value).sorted()
      guard let low = sorted.first, let high = sorted.last else { return [] }
      if high <= low * 1.01 { return [low] }
      return shares.map { sorted[Int($0 * Double(sorted.count - 1))] }.reduce(into: []) {
        nodes, node in
        if nodes.last.map({ node > $0 * 1.01 }) ?? true { nodes.append(node) }
      }
    }
    let grown = devices.map { min(maxData, $0.data + $0.growth * years * 365.25) }.sorted()
    let data = devices.map { min(maxData, $0.data) }.sorted()
    let (low, high) = (data[data.count / 50], grown[grown.count * 49 / 50])
    return ClassAxes(
      values: nodes([0.02, 0.98]) { $0.value }.map { $0.rounded() },
      addShares: nodes([0.05, 0.5, 0.95]) { $0.addShare(writes: group.writes) },
      // Without pins it makes little difference where launches fall.
      rates: nodes(group.pins == nil ? [0.5] : [0.1, 0.9]) { max(1, $0.commitsPerLaunch) },
      data: Self.geometric(from: low, to: max(low, high), count: sizes))
  }

  private static func geometric(from low: Double, to high: Double, count: Int) -> [Double] {
    guard high > low * 1.05, count > 1 else { return [low.rounded()] }
    let (first, last) = (low.piecewiseLog2, high.piecewiseLog2)
    return (0..<count).map {
      piecewisePower2(first + (last - first) * Double($0) / Double(count - 1)).rounded()
    }
  }
}
