// A population of devices: weighted groups, each a product of distributions. Pure values; ScenarioParser reads them from
// YAML.
package import Generators

/// The devices that an app is shipped to.
package struct Population: Hashable, Sendable, Codable {
  package var name: String
  /// Where the figures are from: logs, an estimate.
  package var source: String
  /// From which every device is drawn.
  package var seed: UInt64
  /// At least one.
  package var groups: [DeviceGroup]

  package init(name: String, source: String = "", seed: UInt64 = 1, groups: [DeviceGroup]) {
    self.name = name
    self.source = source
    self.seed = seed
    self.groups = groups
  }
}

/// Devices of one kind of use.
package struct DeviceGroup: Hashable, Sendable, Codable {
  package var name: String
  /// The group's weight among all groups: their sum is what counts.
  package var share: Double
  /// The identifier of the engine: `native`.
  package var engine: String
  /// Bytes of all values on the first day.
  package var data: QuantityDistribution
  /// Bytes of one value.
  package var value: QuantityDistribution
  /// Bytes of values by which the data grow in a day.
  package var growth: QuantityDistribution
  /// Write transactions a day.
  package var commits: QuantityDistribution
  /// Rows that a transaction writes.
  package var writes: Int
  /// The share of writes that delete a row and insert another; the rest update rows. Growth comes on top.
  package var replaced: Double
  /// The rows that writes fall on.
  package var keys: KeyDistribution
  package var launches: QuantityDistribution
  /// Snapshots that readers hold; nil for none.
  package var pins: PinPattern?
  /// Bytes that are available on the device beside the database on the first day; nil for no limit.
  package var available: QuantityDistribution?

  package init(
    name: String, share: Double = 1, engine: String = "native", data: QuantityDistribution,
    value: QuantityDistribution, growth: QuantityDistribution = .fixed(0),
    commits: QuantityDistribution, writes: Int = 1, replaced: Double = 0,
    keys: KeyDistribution = .uniform, launches: QuantityDistribution, pins: PinPattern? = nil,
    available: QuantityDistribution? = nil
  ) {
    self.name = name
    self.share = share
    self.engine = engine
    self.data = data
    self.value = value
    self.growth = growth
    self.commits = commits
    self.writes = writes
    self.replaced = replaced
    self.keys = keys
    self.launches = launches
    self.pins = pins
    self.available = available
  }
}

/// Snapshots taken after every few commits, each held for a lifetime or until its launch ends.
package struct PinPattern: Hashable, Sendable, Codable {
  package var takeEveryCommits: Int
  package var lifetime: LifetimeDistribution

  package init(takeEveryCommits: Int, lifetime: LifetimeDistribution) {
    self.takeEveryCommits = takeEveryCommits
    self.lifetime = lifetime
  }
}
