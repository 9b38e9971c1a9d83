// What devices of one kind write, and how their free space grows with it: of several measured groups, a group of logged devices
// is of the kind whose curves come closest to its sizes.

package struct AppKind: Sendable {
  /// What no log contains: engine, value, writes, replaced, keys and pins.
  package var template: DeviceGroup
  package var model: any SpaceModel

  package init(template: DeviceGroup, model: any SpaceModel) {
    (self.template, self.model) = (template, model)
  }
}

/// The rates of the same devices, as each of several kinds.
struct RatesByKind {
  let kinds: [AppKind]
  /// By the kind, then by the device.
  private let rates: [[DeviceRates]]

  init(_ devices: [DeviceHistory], _ kinds: [AppKind]) {
    self.kinds = kinds
    rates = kinds.map { kind in
      let written = Double(kind.template.writes) * kind.template.value.median
      return devices.compactMap { device in
        var rates = DeviceRates(device, model: kind.model)
        rates?.raiseCommits(writing: written, kind.model)
        if kinds.count > 1 { rates?.bytesPerCommit = written }
        return rates
      }
    }
  }

  private init(_ kinds: [AppKind], _ rates: [[DeviceRates]]) {
    (self.kinds, self.rates) = (kinds, rates)
  }

  var count: Int { rates[0].count }

  func filter(_ isChosen: (DeviceRates) -> Bool) -> RatesByKind {
    RatesByKind(kinds, rates.map { $0.filter(isChosen) })
  }

  func rates(as kind: Int) -> [DeviceRates] { rates[kind] }

  /// The rates of each device as the kind that its own sizes are closest to.
  var closest: [DeviceRates] {
    (0..<count).map { device in
      rates.indices.map { rates[$0][device] }.min { $0.spaceSquares < $1.spaceSquares }
        ?? rates[0][device]
    }
  }

  /// Returns the kind that devices of these weights are closest to.
  func kind(of weights: [Double]) -> Int {
    let sums = rates.map { own in
      zip(own, weights).reduce(0) { $0 + $1.0.spaceSquares * $1.1 }
    }
    return sums.indices.min { sums[$0] < sums[$1] } ?? 0
  }

  /// Returns the rates of each device as the kind of the group that it is most likely of.
  ///
  /// - Parameter memberships: by the device, then by the group.
  func rates(_ memberships: [[Double]], kinds: [Int]) -> [DeviceRates] {
    memberships.enumerated().map { device, own in
      let group = own.indices.max { own[$0] < own[$1] } ?? 0
      return rates[kinds[group]][device]
    }
  }
}
