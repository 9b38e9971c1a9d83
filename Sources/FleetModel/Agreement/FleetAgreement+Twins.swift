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

  /// What is outside of its bar, a sentence for each. Where two real runs of the same devices are further apart than the bar, the
  /// simulation is held to them.
  package var misses: [String] {
    let twins = twins
    return engines.flatMap { engine in
      AgreementBar.all.flatMap { bar -> [String] in
        let floor = twins?.errors(bar.figure, in: twins?.pairs(of: engine) ?? [])
        let order = orderOfPolicies(bar.figure, of: engine)?.tau ?? 1
        let twinOrder = twins?.orderOfPolicies(bar.figure, of: engine)?.tau ?? 1
        let name = "\(engine), \(bar.figure.rawValue)"
        return
          (bar.holds(errors(bar.figure, in: pairs(of: engine)), floor: floor)
          ? [] : ["\(name): the error is larger"])
          + (order >= min(AgreementBar.minOrder, twinOrder)
            ? [] : ["\(name): policies are ordered otherwise"])
      }
    }
  }
}
