// The load of a writer: a closed loop, or an open loop by a schedule.
package import Generators
package import MetricModel

package struct LoadSpec: Hashable, Sendable, Codable {
  package enum Arrivals: Hashable, Sendable, Codable {
    /// A closed loop: each transaction begins when the one before it has ended, and so much later.
    case afterEach(think: VirtualTime)
    /// An open loop: a transaction is to begin at its time whether or not the ones before it have ended. A late one is
    /// measured from the time at which it was to begin, so that a stall counts for all that it delayed.
    case scheduled(ArrivalPattern, RateWave?)
  }

  package enum Rate: Hashable, Sendable, Codable {
    case perSecond(Double)
    /// A share of the writer's maximum rate, which is measured at the beginning of each phase under the threads schedule.
    /// On the virtual clock each of its transactions takes 10 ms, so its maximum is 100 per second.
    case shareOfMaximum(Double)
  }

  package var arrivals: Arrivals
  package var rate: Rate

  package init(
    arrivals: Arrivals = .afterEach(think: .zero), rate: Rate = .perSecond(standardRate)
  ) {
    self.arrivals = arrivals
    self.rate = rate
  }

  /// Transactions per second where nothing is said.
  package static let standardRate = 100.0

  /// Transactions per second on the virtual clock.
  package var virtualRate: Double {
    switch rate {
    case .perSecond(let rate): rate
    case .shareOfMaximum(let share): share * Self.standardRate
    }
  }

  /// The duration of a transaction of an open loop on the virtual clock: zero, unless the rate is a share of the maximum.
  package var virtualService: VirtualTime {
    if case .shareOfMaximum = rate { VirtualTime(seconds: 1 / Self.standardRate) } else { .zero }
  }

  /// The pause after each transaction of a closed loop.
  package var think: VirtualTime {
    if case .afterEach(let think) = arrivals { think } else { .zero }
  }

  package var isOpen: Bool {
    if case .scheduled = arrivals { true } else { false }
  }
}
