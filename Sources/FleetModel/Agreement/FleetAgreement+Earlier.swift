// The really run devices of an earlier comparison: what they wrote does not depend on curves, so that other curves can be
// compared with them.

extension FleetAgreement {
  /// Why the devices of this comparison are not those that another would run; nil if they are.
  package func difference(
    population: Population, days: Double, groups: [GroupSummary], policies: [NamedRule]
  ) -> String? {
    func same(_ a: GroupSummary, _ b: GroupSummary) -> Bool {
      a.name == b.name && a.engine == b.engine && a.engineVersion == b.engineVersion
    }
    let isSameGroups =
      self.groups.count == groups.count && zip(self.groups, groups).allSatisfy(same)
    if self.population != population.name { return "is of the population \(self.population)" }
    if seed != population.seed { return "has the seed \(seed)" }
    if self.days != days { return "is of \(self.days) days" }
    if !isSameGroups { return "has other groups, or other versions of their engines" }
    return self.policies == policies ? nil : "has other policies, or has them in another order"
  }

  /// The run of a device under one policy; nil if there is none of a device that is the same in all.
  package func pair(of device: DeviceTraits, policy: Int) -> DevicePair? {
    pairs.first { $0.device == device && $0.policy == policy }
  }
}
