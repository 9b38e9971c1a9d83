// How far the simulation orders policies as real devices do: by the quantiles of the fleet, for which a policy is chosen, and
// on each device alone.
import Statistics

extension FleetAgreement {
  /// The quantiles by which a figure of the fleet is compared.
  package static let shares = [0.5, 0.9, 0.99]

  /// Returns Kendall's τ of the order of policies by the quantiles of a figure over all devices of an engine, over pairs of
  /// policies that really differ there by more than the simulation may be off; nil where there are none.
  package func orderByQuantiles(_ figure: FleetFigure, of engine: String) -> PolicyOrder? {
    var tau = KendallTau()
    for share in Self.shares {
      let values = policies.indices.compactMap {
        quantile(share, of: figure, in: pairs(of: engine, policy: $0))
      }
      tau.add(values.map(\.simulated), values.map(\.real), apart: AgreementBar.apart(figure))
    }
    return PolicyOrder(tau)
  }

  /// Returns Kendall's τ of the order of policies by a figure, over pairs of policies of each device; nil where there are none.
  package func orderOnDevices(
    _ figure: FleetFigure, of engine: String, over chosen: PolicyPairs = .apart
  ) -> PolicyOrder? {
    var tau = KendallTau()
    let apart = chosen == .apart ? AgreementBar.apart(figure) : nil
    for (_, own) in Dictionary(grouping: pairs(of: engine), by: \.device.number) {
      let own = own.sorted { $0.policy < $1.policy }
      tau.add(
        own.map { figure.value($0.simulated, years: years) },
        own.map { figure.value($0.real, years: years) }, apart: apart)
    }
    return PolicyOrder(tau)
  }
}

/// The pairs of policies by which their order on a device is compared.
package enum PolicyPairs: Sendable {
  /// Those that are not alike on the real device.
  case all
  /// Those that differ on the real device by more than the simulation may be off in the median.
  case apart
}

/// How far two orders of policies agree.
package struct PolicyOrder: Hashable, Sendable {
  /// Kendall's τ.
  package var tau: Double
  /// Pairs of policies, over all quantiles or devices.
  package var pairs: Int

  package init(tau: Double, pairs: Int) {
    self.tau = tau
    self.pairs = pairs
  }

  /// nil where no pair differs in reality.
  init?(_ tau: KendallTau) {
    guard tau.pairCount > 0 else { return nil }
    // Where the simulation takes all policies for the same, it orders none of the pairs.
    self.init(tau: tau.value ?? 0, pairs: tau.pairCount)
  }
}
