// What is counted of a fleet under one policy, in memory that does not depend on the number of devices. All of it is whole
// counts, so that parts of a fleet merge in any order to the same bits.

package struct PolicyTally: Hashable, Sendable {
  /// By the order of `FleetFigure.allCases`.
  package private(set) var sketches = FleetFigure.allCases.map { _ in QuantileSketch() }
  /// The sizes of files at equally spaced moments.
  package private(set) var sizes: [QuantileSketch]
  /// Devices of which the figure is smaller, and larger, than under the first policy.
  package private(set) var smaller = FleetFigure.allCases.map { _ in UInt64(0) }
  package private(set) var larger = FleetFigure.allCases.map { _ in UInt64(0) }
  package private(set) var launches: UInt64 = 0
  package private(set) var launchesBeyondCurves: UInt64 = 0

  init(moments: Int) { sizes = (0..<moments).map { _ in QuantileSketch() } }

  package func sketch(of figure: FleetFigure) -> QuantileSketch {
    sketches[FleetFigure.allCases.firstIndex(of: figure) ?? 0]
  }

  /// Adds a device.
  mutating func add(
    _ outcome: DeviceOutcome, besideFirst first: DeviceOutcome, sizes: [Double], years: Double
  ) {
    for (index, figure) in FleetFigure.allCases.enumerated() {
      let value = figure.value(outcome, years: years)
      let reference = figure.value(first, years: years)
      sketches[index].add(value * figure.scale)
      if value < reference { smaller[index] += 1 }
      if value > reference { larger[index] += 1 }
    }
    for index in sizes.indices { self.sizes[index].add(sizes[index]) }
    launches += UInt64(outcome.launches)
    launchesBeyondCurves += UInt64(outcome.beyondCurves)
  }

  mutating func merge(_ other: PolicyTally) {
    for index in sketches.indices {
      sketches[index].merge(other.sketches[index])
      smaller[index] += other.smaller[index]
      larger[index] += other.larger[index]
    }
    for index in sizes.indices { sizes[index].merge(other.sizes[index]) }
    launches += other.launches
    launchesBeyondCurves += other.launchesBeyondCurves
  }
}
