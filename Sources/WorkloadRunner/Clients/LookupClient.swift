// A client of lookups: threads that make short read transactions.
import Generators
import ScenarioModel

final class LookupClient {
  let name: String
  let spec: LookupSpec
  let threads: [LookupThread]
  private let arrivals: RandomStream

  init(_ name: String, _ spec: LookupSpec, threads: [LookupThread], arrivals: RandomStream) {
    self.name = name
    self.spec = spec
    self.threads = threads
    self.arrivals = arrivals
  }

  /// Returns the arrival times of an open loop with this rate per second; nil for a closed loop.
  func schedule(rate: Double) -> ArrivalSchedule? {
    guard case .scheduled(let pattern, let wave) = spec.load.arrivals else { return nil }
    return ArrivalSchedule(pattern, rate: rate, wave: wave, stream: arrivals)
  }

  /// How many of a phase's transactions a thread of a closed loop makes, so that threads share no counter.
  func share(of transactions: Int, thread: Int) -> Int {
    transactions / threads.count + (thread < transactions % threads.count ? 1 : 0)
  }
}
