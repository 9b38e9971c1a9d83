// The walk of a device, beside one that looks everything up in the plainest way.
import FleetModel
import Generators
import Policies
import Testing

@Suite struct DeviceWalkTests {
  private static func policy(_ text: String) throws -> LaunchTest {
    try LaunchTest(try Policy(parsing: text))
  }

  /// Relative sizes by linear search on both axes, along the piecewise logarithm of the data.
  private static func relative(
    _ curves: [RenewalCurve], _ series: KeyPath<RenewalCurve, [Double]>, _ data: Double,
    _ turnover: Double
  ) -> Double {
    func along(_ curve: RenewalCurve) -> Double {
      let nodes = TurnoverGrid.turnovers
      guard let next = nodes.firstIndex(where: { $0 > turnover }) else {
        return curve[keyPath: series][nodes.count - 1]
      }
      let share = (turnover - nodes[next - 1]) / (nodes[next] - nodes[next - 1])
      let (a, b) = (curve[keyPath: series][next - 1], curve[keyPath: series][next])
      return a + (b - a) * share
    }
    if data <= curves[0].data { return along(curves[0]) }
    guard let next = curves.firstIndex(where: { $0.data > data }) else {
      return along(curves[curves.count - 1])
    }
    let (low, high) = (curves[next - 1], curves[next])
    let share =
      (data.piecewiseLog2 - low.data.piecewiseLog2)
      / (high.data.piecewiseLog2 - low.data.piecewiseLog2)
    return along(low) + (along(high) - along(low)) * share
  }

  private static let gaps: [Double] = {
    let gaps = (0..<4096).map {
      StandardExponential.value(ofBits: UInt64(4095 - $0) << 52 | 1 << 51)
    }
    let mean = gaps.reduce(0, +) / 4096
    return gaps.map { $0 / mean }
  }()

  /// Compacts where the file is above 4 MB and less than 65 % of it is used.
  private static func plainWalk(
    _ fleet: FleetCurves, _ number: Int, days: Double
  ) -> (final: Double, largest: Double, compactions: Int, rewritten: Double) {
    let device = fleet.population.device(number)
    let curves = fleet.groups[0].classes[0].curves
    var stream = fleet.population.launchStream(of: number)
    let kept = curves[0].keptFill
    var (day, compactedAt, written, carried) = (0.0, device.data, 0.0, 0.0)
    /// How much more of the pages is used than in a file that was fresh at the last compaction.
    func aged() -> Double {
      relative(curves, \.used, compactedAt, written / compactedAt + carried)
        - relative(curves, \.used, compactedAt, written / compactedAt)
    }
    var total = relative(curves, \.total, device.data, 0) * device.data
    var (largest, compactions, rewritten) = (total, 0, 0.0)
    while true {
      let gap = gaps[Int(stream.next() >> 52)] / device.launchesPerDay
      guard day + gap <= days else { return (total, largest, compactions, rewritten) }
      day += gap
      written += gap * device.commitsPerDay * 4 * device.value
      let data = device.data + device.growth * day
      total = (relative(curves, \.total, compactedAt, written / compactedAt) + aged()) * data
      let used = (relative(curves, \.used, compactedAt, written / compactedAt) + aged()) * data
      largest = max(largest, total + min(4096 * gap * device.commitsPerDay, 262_144))
      guard total > 4_000_000, used / total < 0.65 else { continue }
      compactions += 1
      carried = kept * (written / compactedAt + carried)
      written = 0
      rewritten += 0.95 * (relative(curves, \.total, compactedAt, 0) + aged()) * data
      compactedAt = data
      total = (relative(curves, \.total, data, 0) + aged()) * data
    }
  }

  @Test(
    "a walk ends where one that looks everything up plainly ends, whatever a compaction keeps",
    arguments: [0, 0.5, 1])
  func plain(_ keptFill: Double) throws {
    let fleet = SyntheticFleet.curves(keptFill: keptFill)
    var walk = DeviceWalk(fleet, days: 200, moments: 4, stalls: [nil])
    let test = try Self.policy("on-launch: totalBytes > 4 MB && usedBytes / totalBytes < 65 %")
    var compactions = 0
    for number in 0..<40 {
      walk.load(fleet.population.device(number))
      let outcome = walk.run(test)
      let plain = Self.plainWalk(fleet, number, days: 200)
      #expect(abs(outcome.finalBytes / plain.final - 1) < 1e-9)
      #expect(abs(outcome.largestBytes / plain.largest - 1) < 1e-9)
      #expect(outcome.compactions == plain.compactions)
      #expect(abs(outcome.rewrittenBytes - plain.rewritten) <= 1e-9 * plain.rewritten)
      #expect(walk.sizes[3] == outcome.finalBytes)
      compactions += outcome.compactions
    }
    #expect(compactions > 40)
  }

  @Test("launches come as often as the population states, whatever the policy") func launches()
    throws
  {
    let fleet = SyntheticFleet.curves()
    var walk = DeviceWalk(fleet, days: 365, moments: 1, stalls: [nil])
    var (expected, found) = (0.0, 0)
    for number in 0..<100 {
      let device = fleet.population.device(number)
      walk.load(device)
      let outcome = walk.run(try Self.policy("never"))
      #expect(walk.run(try Self.policy("every-launch")).launches == outcome.launches)
      expected += device.launchesPerDay * 365
      found += outcome.launches
    }
    // 292,000 launches with a standard error of 540.
    #expect(abs(Double(found) - expected) < 4 * expected.squareRoot())
  }

  @Test("after a compaction at every launch the file is a fresh one of its data") func fresh()
    throws
  {
    let fleet = SyntheticFleet.curves(data: [1e3, 1e12])
    var walk = DeviceWalk(fleet, days: 50, moments: 1, stalls: [nil])
    let device = fleet.population.device(3)
    walk.load(device)
    let outcome = walk.run(try Self.policy("every-launch"))
    #expect(outcome.compactions == outcome.launches && outcome.launches > 100)
    let never = walk.run(try Self.policy("never"))
    #expect(never.compactions == 0 && never.rewrittenBytes == 0)
    #expect(never.finalBytes > outcome.finalBytes)
    #expect(never.amplification > outcome.amplification)
  }

  @Test("where compactions copy half-full pages, used bytes grow over them as without any")
  func keptFill() throws {
    var group = SyntheticFleet.group
    group.growth = .fixed(0)
    let fleet = SyntheticFleet.curves(SyntheticFleet.population(group), keptFill: 1)
    var walk = DeviceWalk(fleet, days: 1000, moments: 1, stalls: [nil])
    let device = fleet.population.device(3)
    walk.load(device)
    let outcome = walk.run(try Self.policy("every-launch"))
    let data = device.data
    // A fresh file of 1.3 × the data, and half of the data more in the end.
    let fresh = SyntheticFleet.total(0, data) * data
    #expect(outcome.finalBytes > fresh + 0.4 * data && outcome.finalBytes < fresh + 0.55 * data)
    #expect(walk.run(try Self.policy("never")).finalBytes > outcome.finalBytes + 0.5 * data)
  }

  @Test("a copy for which the disk has no space is skipped and counted") func skipped() throws {
    var group = SyntheticFleet.group
    group.available = .fixed(1_000_000)
    group.data = .fixed(8e6)
    let fleet = SyntheticFleet.curves(SyntheticFleet.population(group))
    var walk = DeviceWalk(fleet, days: 30, moments: 1, stalls: [nil])
    walk.load(fleet.population.device(0))
    let outcome = walk.run(try Self.policy("every-launch"))
    #expect(outcome.compactions == 0 && outcome.skipped == outcome.launches)
    // A rule that asks for the disk's space compacts as little, and skips nothing.
    let careful = walk.run(try Self.policy("on-launch: freeDiskBytes > 2 * usedBytes"))
    #expect(careful.compactions == 0 && careful.skipped == 0)
  }

  @Test("stalls are those of the cost model") func stalls() throws {
    var group = SyntheticFleet.group
    (group.data, group.growth) = (.fixed(1e7), .fixed(0))
    let fleet = SyntheticFleet.curves(SyntheticFleet.population(group))
    let model = StallModel(
      constant: 1e6, perWrittenByte: 2, perTotalByte: 0, nineInTenFactor: 1.2)
    var walk = DeviceWalk(fleet, days: 30, moments: 1, stalls: [model])
    walk.load(fleet.population.device(0))
    let outcome = walk.run(try Self.policy("every-launch"))
    // What a compaction writes is 95 % of the file that it leaves.
    let each = 1e6 + 2 * 0.95 * SyntheticFleet.total(0, 1e7) * 1e7
    #expect(abs(outcome.longestStall / each - 1) < 1e-9)
    #expect(abs(outcome.totalStall / each / Double(outcome.compactions) - 1) < 1e-9)
  }

  @Test(
    "a closure decides as the condition that it means",
    arguments: [
      "on-launch: { Double(usedBytes) / Double(totalBytes) < 0.6 && totalBytes > 4_000_000 }",
      "on-launch: !(usedBytes / totalBytes >= 60 % || totalBytes <= 4 MB)",
    ]) func spellings(_ text: String) throws
  {
    let fleet = SyntheticFleet.curves()
    var walk = DeviceWalk(fleet, days: 100, moments: 1, stalls: [nil])
    walk.load(fleet.population.device(5))
    let plain = try Self.policy("on-launch: totalBytes > 4 MB && usedBytes / totalBytes < 60 %")
    #expect(walk.run(try Self.policy(text)) == walk.run(plain))
  }

  @Test(
    "what a simulation cannot decide is refused by name",
    arguments: [
      ("automatic", "curves are measured without automatic compaction"),
      ("on-launch: pinnedBytes > 1 MB", "a simulation does not have pinnedBytes"),
      ("exec: ./rule", "a program would be started"),
    ]) func refused(_ text: String, _ message: String) throws
  {
    let policy = try Policy(parsing: text)
    #expect { try LaunchTest(policy) } throws: { "\($0)".contains(message) }
  }
}
