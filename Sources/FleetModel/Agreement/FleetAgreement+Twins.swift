// Devices that were really run twice, with the same launches and commits, and with rows in another order: what one run is off
// by from the other, no simulation can know that is not given the rows.

extension FleetAgreement {
  /// The second runs in place of the walks; nil where no device was run twice.
  package var twins: FleetAgreement? {
    var twins = self
    twins.pairs = pairs.compactMap { pair in
      guard let twin = pair.twin else { return nil }
      var pair = pair
      (pair.simulated, pair.twin) = (twin, nil)
      return pair
    }
    return twins.pairs.isEmpty ? nil : twins
  }

  /// What is outside of its bar, a sentence for each. Where two real runs of the same devices are further apart than the bar,
  /// the simulation is held to them.
  package var misses: [String] {
    let twins = twins
    return engines.flatMap { engine in
      AgreementBar.all.flatMap { bar in
        misses(bar, of: engine, beside: twins).map { "\(engine), \(bar.figure.rawValue): \($0)" }
      }
    }
  }

  private func misses(
    _ bar: AgreementBar, of engine: String, beside twins: FleetAgreement?
  ) -> [String] {
    let figure = bar.figure
    let floor = twins?.errors(figure, in: twins?.pairs(of: engine) ?? [])
    func isOutOfOrder(_ order: (FleetAgreement) -> PolicyOrder?) -> Bool {
      let real = twins.flatMap(order)?.tau ?? 1
      return order(self)?.tau ?? 1 < min(AgreementBar.minOrder, real)
    }
    var out: [String] = []
    if !bar.holds(errors(figure, in: pairs(of: engine)), floor: floor) {
      out.append("the error is larger")
    }
    if isOutOfOrder({ $0.orderByQuantiles(figure, of: engine) }) {
      out.append("quantiles order the policies otherwise")
    }
    if isOutOfOrder({ $0.orderOnDevices(figure, of: engine) }) {
      out.append("on single devices policies are ordered otherwise")
    }
    return out
  }
}
