// The times of open loops: they don't drift, and lie as their law says.
import Foundation
import Testing

@testable import Generators

@Suite("Times of open loops")
struct ArrivalTests {
  private static let seed = KeyChooserTests.seed

  private func times(
    _ pattern: ArrivalPattern, rate: Double, wave: RateWave? = nil, _ count: Int,
    seed: UInt64 = seed
  ) -> [UInt64] {
    var schedule = ArrivalSchedule(
      pattern, rate: rate, wave: wave, stream: RandomStream(seed: seed, label: "arrivals"))
    return (0..<count).map { _ in schedule.next() }
  }

  @Test(
    "a steady schedule of 60 s ends to the nanosecond where it should",
    arguments: [10_000.0, 3, 30_000, 700.5])
  func noDrift(rate: Double) {
    let count = Int(60 * rate)
    let times = times(.steady, rate: rate, count)
    for index in [1, 2, count / 3, count] {
      let exact = Double(index) * 1e9 / rate
      #expect(abs(Double(times[index - 1]) - exact) <= 1.1, "time \(index)")
    }
    let gaps = Set(zip(times, times.dropFirst()).map { $1 - $0 })
    #expect(gaps.count <= 2, "each gap is the period, rounded")
  }

  @Test("bursts come at once, and keep the rate")
  func bursts() {
    let times = times(.bursts(of: 50), rate: 1000, 150)
    #expect(Set(times) == [50_000_000, 100_000_000, 150_000_000])
    #expect(times.prefix(50).allSatisfy { $0 == 50_000_000 })
  }

  @Test("gaps of a Poisson schedule pass a chi-square test against the exponential law")
  func poisson() {
    let draws = DistributionTests.draws
    let times = times(.poisson, rate: 1000, draws)
    var counts = [Int](repeating: 0, count: 60)
    for (before, now) in zip([0] + times, times) {
      counts[min(59, Int(now - before) / 100_000)] += 1
    }
    func beyond(_ cell: Int) -> Double { cell == 60 ? 0 : exp(-Double(cell) / 10) }
    let shares = (0..<60).map { beyond($0) - beyond($0 + 1) }
    #expect(DistributionTests.matches(counts, shares), "SEED=\(Self.seed)")
    #expect(!DistributionTests.matches(counts.reversed(), shares))
  }

  @Test("in every stretch of time a Poisson schedule has a Poisson number of times")
  func poissonCounts() {
    let draws = DistributionTests.draws
    let times = times(.poisson, rate: 1000, draws)
    // Stretches of 4 ms expect four times each.
    let stretches = Int(times[draws - 1] / 4_000_000)
    var perStretch = [Int](repeating: 0, count: stretches)
    for time in times where time / 4_000_000 < stretches { perStretch[Int(time / 4_000_000)] += 1 }
    var counts = [Int](repeating: 0, count: 20)
    for count in perStretch { counts[min(19, count)] += 1 }
    var share = exp(-4.0)
    let shares = (0..<20).map { count -> Double in
      defer { share *= 4 / Double(count + 1) }
      return share
    }
    #expect(DistributionTests.matches(counts, shares, stretches), "SEED=\(Self.seed)")
  }

  @Test("a wave's rate is that of the sine in every hour of its day", arguments: [800, 300])
  func wave(swing: Int) {
    let day = 86_400.0
    let wave = RateWave(swingPermille: swing, periodMicroseconds: Int(day * 1e6))
    let times = times(.steady, rate: 1, wave: wave, Int(2 * day))
    var hours = [Int](repeating: 0, count: 48)
    for time in times where time < UInt64(2 * day * 1e9) {
      hours[Int(time / 3_600_000_000_000)] += 1
    }
    for (hour, count) in hours.enumerated() {
      // The integral of 1 − a·cos(2πt/day) over the hour.
      func upTo(_ hours: Double) -> Double {
        let turn = 2 * Double.pi
        let swung = Double(swing) / 1000 * day / turn
        return hours * 3600 - swung * sin(turn * hours / 24)
      }
      let exact = upTo(Double(hour + 1)) - upTo(Double(hour))
      #expect(abs(Double(count) - exact) <= 3, "hour \(hour): \(count) of \(exact)")
    }
  }

  @Test("the cosine is right to a billionth")
  func cosine() {
    for part in 0..<1000 {
      let turn = UInt64(part) * (1 << 32) / 1000
      let exact = cos(2 * Double.pi * Double(turn) / 0x1p32)
      let found = Double(FixedPoint.cosine(ofTurn: turn)) / 0x1p40
      #expect(abs(found - exact) < 1e-9)
    }
  }

  @Test("a Poisson schedule is the same on every platform")
  func golden() {
    let wave = RateWave(swingPermille: 500, periodMicroseconds: 1_000_000)
    #expect(
      digest(times(.poisson, rate: 100, wave: wave, 10_000, seed: 1)) == 7_409_596_426_371_740_977)
  }
}
