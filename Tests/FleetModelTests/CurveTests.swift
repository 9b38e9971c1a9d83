// Curves: what is measured is read back, and between classes interpolation is linear.
import FleetModel
import Testing

@Suite struct CurveTests {
  @Test("a measured point on the grid is read back") func nodes() {
    let curve = SyntheticFleet.curve(1e7)
    var curves = DeviceCurves(SyntheticFleet.curves(data: [1e7]))
    curves.load(SyntheticFleet.population().device(0), writes: 4)
    curves.compact(at: 1e7)
    for (index, turnover) in TurnoverGrid.turnovers.enumerated() {
      let found = curves.sizes(at: turnover)
      #expect(abs(found.total - curve.total[index]) < 1e-12)
      #expect(abs(found.used - curve.used[index]) < 1e-12)
    }
    #expect(curves.maxTurnover == 32)
    #expect(curves.sizes(at: 1e9).total == curve.total[TurnoverGrid.count - 1])
  }

  @Test("between measured points a curve is linear, after the last constant") func resampling() {
    let points = [(0.0, 2.0), (1.0, 3.0), (4.0, 6.0)].map {
      CurvePoint(
        turnover: $0.0, data: 10, totalBytes: 10 * $0.1, usedBytes: 15)
    }
    let curve = RenewalCurve(data: 10, points: points, rewrittenPerCompacted: 1)
    for (index, turnover) in TurnoverGrid.turnovers.enumerated() {
      #expect(abs(curve.total[index] - (2 + min(turnover, 4))) < 1e-12)
    }
  }

  @Test("what a compaction keeps of used bytes is seen right after it") func keptFill() {
    func point(_ turnover: Double, total: Double, used: Double) -> CurvePoint {
      CurvePoint(turnover: turnover, data: 100, totalBytes: total, usedBytes: used)
    }
    /// After used bytes grew to `grown`, a compaction left `after` of them, and wrote 300 bytes.
    func curve(grown: Double, after: Double) -> RenewalCurve {
      RenewalCurve(
        data: 100, points: [point(0, total: 150, used: 120), point(8, total: 400, used: grown)],
        after: [point(0, total: after, used: after)], rewritten: 300)
    }
    #expect(curve(grown: 200, after: 120).keptFill == 0)
    #expect(curve(grown: 200, after: 200).keptFill == 1)
    #expect(abs(curve(grown: 200, after: 160).keptFill - 0.5) < 1e-12)
    // Half of a growth of 1 % shows nothing.
    #expect(curve(grown: 121.2, after: 120.6).keptFill == 0)
    // Of the file that is left: 150 bytes where rows are packed anew, 230 where pages are copied.
    #expect(curve(grown: 200, after: 120).rewrittenPerCompacted == 2)
    #expect(abs(curve(grown: 200, after: 200).rewrittenPerCompacted - 300 / 230) < 1e-12)
  }

  @Test("what launches need beyond the file is linear in commits, and constant after the longest")
  func peaks() {
    let peaks = LaunchPeaks([(8, 70), (8, 90), (24, 240), (24, 240), (100, 400)])
    var curves = SyntheticFleet.curves(data: [1e7])
    curves.groups[0].classes[0].peaks = peaks
    var device = DeviceCurves(curves)
    device.load(SyntheticFleet.population().device(0), writes: 4)
    for commits in [0.25, 1, 4, 8, 16] {
      #expect(abs(device.peak(commits: commits) - 10 * commits) < 1e-9)
    }
    #expect(device.peak(commits: 128) == 400 && device.peak(commits: 1e6) == 400)
    #expect(LaunchPeaks([]).bytes.allSatisfy { $0 == 0 })
  }

  @Test("a device between two classes has curves between theirs") func between() {
    var device = SyntheticFleet.population().device(0)
    (device.value, device.data) = (192, 1e6)
    device.growth = 0.25 * device.commitsPerDay * 4 * 192
    let axes = ClassAxes(values: [128, 256], addShares: [0, 0.5], rates: [25], data: [1e6])
    // Relative sizes 1, 2, 3 and 4 in the order of the classes.
    let classes = (0..<4).map { index in
      let size = Double(index + 1) * 1e6
      return ClassCurves(
        name: "\(index)", parameters: axes.parameters(index),
        curves: [
          RenewalCurve(
            data: 1e6,
            points: [0, 8].map {
              CurvePoint(turnover: $0, data: 1e6, totalBytes: size, usedBytes: size)
            }, rewrittenPerCompacted: 1)
        ])
    }
    let group = GroupCurves(
      group: "all", engine: "native", engineVersion: "1", axes: axes, classes: classes)
    var curves = DeviceCurves(
      FleetCurves(
        population: SyntheticFleet.population(), stratification: Stratification(),
        groups: [group]))
    curves.load(device, writes: 4)
    curves.compact(at: 1e6)
    // Halfway between 128 and 256 on the piecewise logarithm, and between shares of 0 and 50 %.
    #expect(abs(curves.sizes(at: 3).total - 2.5) < 1e-9)
    (device.value, device.growth) = (1000, 0)
    curves.load(device, writes: 4)
    curves.compact(at: 1e6)
    #expect(abs(curves.sizes(at: 3).total - 3) < 1e-9)
  }

  @Test("axes have the quantiles of the group's devices, and one node for what does not vary")
  func axes() {
    let axes = Stratification(sizes: 3, maxData: 16e6, maxTurnover: 8, years: 1)
      .axes(of: 0, in: SyntheticFleet.population())
    #expect(axes.values == [256])
    #expect(axes.rates.count == 1 && axes.addShares.count == 3 && axes.data.count == 3)
    #expect(axes.data.last == 16e6)
    #expect(axes.addShares == axes.addShares.sorted())
    #expect(axes.classCount == 3)
    #expect(axes.parameters(2).addShare == axes.addShares[2])
    var pinned = SyntheticFleet.group
    pinned.pins = PinPattern(takeEveryCommits: 10, lifetime: .fixed(commits: 20))
    let own = Stratification().axes(of: 0, in: SyntheticFleet.population(pinned))
    #expect(own.rates.count == 2)
  }
}
