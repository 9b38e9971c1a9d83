// The growth of free space as an engine's measured curves have it.

package struct MeasuredSpace: SpaceModel {
  private let sizes: [Double]
  private let addShares: [Double]
  /// Free ÷ used bytes by the nodes of `addShares`, then of `sizes`, then of the turnover.
  private let freeShares: [Double]
  /// Used bytes ÷ bytes of values, at the usual turnover, by the nodes of `sizes`.
  private let usedShares: [Double]
  /// Bytes of values that a commit writes.
  private let writtenPerCommit: Double
  private var addShare = (node: 0, fraction: 0.0)

  private static let usualTurnover = 1.0

  /// - Returns: nil where the group has a class that was refused.
  package init?(_ group: GroupCurves, of population: DeviceGroup) {
    let axes = group.axes
    guard axes.classCount == group.classes.count,
      group.classes.allSatisfy({ $0.curves.count == axes.data.count && !$0.curves.isEmpty })
    else { return nil }
    sizes = axes.data
    addShares = axes.addShares
    let value = population.value.median
    writtenPerCommit = Double(population.writes) * value
    // Classes of one value and one rate: neither can be told from sizes.
    let nearest = axes.values.indices.min {
      abs(axes.values[$0] - value) < abs(axes.values[$1] - value)
    }
    let (index, rate) = (nearest ?? 0, axes.rates.count / 2)
    let curves = axes.addShares.indices.map { add in
      group.classes[(index * axes.addShares.count + add) * axes.rates.count + rate].curves
    }
    freeShares = curves.joined().flatMap { curve in
      zip(curve.total, curve.used).map { max(0, $0 / $1 - 1) }
    }
    let (node, _) = TurnoverGrid.position(Self.usualTurnover)
    usedShares = curves[0].map { $0.used[node] }
  }

  package func freeShare(data: Double, commits: Double) -> Double {
    let turnover = commits * writtenPerCommit / max(1, data)
    let (node, step) = TurnoverGrid.position(turnover)
    let (size, sizeStep) = sizePosition(data)
    return freeShares.withUnsafeBufferPointer { shares in
      func at(_ add: Int, _ size: Int) -> Double {
        let first = (add * sizes.count + size) * TurnoverGrid.count + node
        return shares[first] + (shares[first + 1] - shares[first]) * step
      }
      func along(_ add: Int) -> Double {
        let low = at(add, size)
        return sizeStep == 0 ? low : low + (at(add, size + 1) - low) * sizeStep
      }
      let low = along(addShare.node)
      return addShare.fraction == 0
        ? low : low + (along(addShare.node + 1) - low) * addShare.fraction
    }
  }

  package func dataShare(used: Double) -> Double {
    var data = used
    // The share hardly depends on the size: two rounds find it.
    for _ in 0..<2 {
      let (size, step) = sizePosition(data)
      let low = usedShares[size]
      data = used / (step == 0 ? low : low + (usedShares[size + 1] - low) * step)
    }
    return data / used
  }

  package func adapted(growth: Double, commitsPerDay: Double) -> any SpaceModel {
    var adapted = self
    let written = commitsPerDay * writtenPerCommit
    let share = written > 0 ? max(0, min(1, growth / written)) : 0
    adapted.addShare = Self.position(share, addShares)
    return adapted
  }

  package var summary: String { "by the measured curves of \(sizes.count) sizes" }

  private func sizePosition(_ data: Double) -> (node: Int, fraction: Double) {
    guard sizes.count > 1 else { return (0, 0) }
    var low = 0
    while low < sizes.count - 2, sizes[low + 1] <= data { low += 1 }
    let (first, last) = (sizes[low].piecewiseLog2, sizes[low + 1].piecewiseLog2)
    let fraction = (max(1, data).piecewiseLog2 - first) / (last - first)
    return (low, max(0, min(1, fraction)))
  }

  /// The node at or below the value, and how far it is to the next; the ends stand for what is beyond them.
  private static func position(
    _ value: Double, _ nodes: [Double]
  ) -> (node: Int, fraction: Double) {
    guard nodes.count > 1 else { return (0, 0) }
    var low = 0
    while low < nodes.count - 2, nodes[low + 1] <= value { low += 1 }
    let fraction = (value - nodes[low]) / (nodes[low + 1] - nodes[low])
    return (low, max(0, min(1, fraction)))
  }
}
