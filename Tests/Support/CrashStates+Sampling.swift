// Which of the astronomically many crash states to look at: a handful of shapes that commit protocols are known to
// fail on, filled in at random, and all subsets where there are few enough.

extension CrashStates {
  /// One state, and what was done to make it.
  package struct Sample: Sendable {
    package let image: [UInt8]
    package let story: String
  }

  /// The shapes of loss that `sample` draws from.
  package enum Loss: CaseIterable, Sendable {
    /// Each unit by the toss of a coin.
    case randomHalf
    /// Each unit as of a moment of its own.
    case randomMoments
    /// One unit alone reached the disk.
    case oneOnly
    /// One unit alone did not.
    case allButOne
    /// The last write overtook all others: a commit slot before what it points to.
    case lastChangeOnly
    /// All but the last write.
    case allButLastChange
    /// In order, up to one moment, the write of that moment torn in two.
    case tornPrefix
    /// Everything, or nothing.
    case allOrNothing
  }

  /// Draws one state of the given shape; `unitSize` is 512 or 4096.
  package func sample(
    _ loss: Loss, unitSize: Int, random: inout SeededRandom
  ) -> Sample {
    let units = touchedUnits(of: unitSize)
    let last = changeCount
    var moments: [Int: Int] = [:]
    switch loss {
    case .randomHalf:
      for unit in units { moments[unit] = random.oneIn(2) ? last : 0 }
    case .randomMoments:
      for unit in units { moments[unit] = random.below(last + 1) }
    case .oneOnly:
      if !units.isEmpty { moments[units[random.below(units.count)]] = last }
    case .allButOne:
      for unit in units { moments[unit] = last }
      if !units.isEmpty { moments[units[random.below(units.count)]] = 0 }
    case .lastChangeOnly, .allButLastChange:
      let chosen = last == 0 ? [] : self.units(ofChange: last - 1, unitSize: unitSize)
      for unit in units {
        moments[unit] = chosen.contains(unit) == (loss == .lastChangeOnly) ? last : 0
      }
    case .tornPrefix:
      moments = tornPrefix(units: units, unitSize: unitSize, random: &random)
    case .allOrNothing:
      let moment = random.oneIn(2) ? last : 0
      for unit in units { moments[unit] = moment }
    }
    let lengthMoment =
      switch random.below(3) {
      case 0: 0
      case 1: last
      default: random.below(last + 1)
      }
    let image = image(unitSize: unitSize, lengthMoment: lengthMoment) { moments[$0] ?? 0 }
    let reached = moments.values.count { $0 > 0 }
    return Sample(
      image: image,
      story: "\(loss), \(unitSize) B units, \(reached) of \(units.count) units reached the disk, "
        + "length as of change \(lengthMoment) of \(last)")
  }

  private func tornPrefix(
    units: [Int], unitSize: Int, random: inout SeededRandom
  ) -> [Int: Int] {
    guard changeCount > 0 else { return [:] }
    let torn = random.below(changeCount)
    let halves = self.units(ofChange: torn, unitSize: unitSize).sorted()
    let arrived = Set(halves.prefix(halves.isEmpty ? 0 : random.below(halves.count + 1)))
    var moments: [Int: Int] = [:]
    for unit in units { moments[unit] = arrived.contains(unit) ? torn + 1 : torn }
    return moments
  }

  /// For each touched unit the state in which it alone did not reach the disk.
  package func imagesLackingOneUnit(of unitSize: Int) -> [[UInt8]] {
    touchedUnits(of: unitSize).map { lost in
      image(unitSize: unitSize, lengthMoment: changeCount) { $0 == lost ? 0 : changeCount }
    }
  }

  /// For each touched unit the state in which it alone reached the disk.
  package func imagesWithOneUnit(of unitSize: Int) -> [[UInt8]] {
    touchedUnits(of: unitSize).map { kept in
      image(unitSize: unitSize, lengthMoment: changeCount) { $0 == kept ? changeCount : 0 }
    }
  }

  /// Every subset of the touched units, each as of now or not at all, at the old length and at the new;
  /// nil where there are more than `limit` units.
  package func allSubsets(unitSize: Int, limit: Int) -> [Sample]? {
    let units = touchedUnits(of: unitSize)
    guard units.count <= limit else { return nil }
    let indexOfUnit = Dictionary(uniqueKeysWithValues: units.enumerated().map { ($1, $0) })
    let lengthMoments = lengths.first == lengths.last ? [changeCount] : [0, changeCount]
    var samples: [Sample] = []
    for subset in 0..<(1 << units.count) {
      for moment in lengthMoments {
        let image = image(unitSize: unitSize, lengthMoment: moment) {
          indexOfUnit[$0].map { subset >> $0 & 1 == 1 } == true ? changeCount : 0
        }
        samples.append(
          Sample(image: image, story: "subset \(subset) of \(units.count) units of \(unitSize) B"))
      }
    }
    return samples
  }
}
