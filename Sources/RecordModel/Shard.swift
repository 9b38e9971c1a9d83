// A shard of a plan: the part that one command runs, and the machine that it ran on.
package import MetricModel

package struct Shard: Hashable, Sendable, Codable, CustomStringConvertible {
  /// No scheduler numbers more tasks.
  package static let maxCount = 100_000

  /// From 1 on.
  package let index: Int
  package let count: Int

  /// Nil unless the index is from 1 to the count, and the count at most `maxCount`.
  package init?(_ index: Int, of count: Int) {
    guard 1...Self.maxCount ~= count, 1...count ~= index else { return nil }
    (self.index, self.count) = (index, count)
  }

  /// Nil for a text that is not as `3/7`.
  package init?(parsing text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2,
      parts.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy { 0x30...0x39 ~= $0 } }),
      let index = Int(parts[0]), let count = Int(parts[1])
    else { return nil }
    self.init(index, of: count)
  }

  /// One text, as it is written on a command line, so that no file has a shard that cannot be.
  package init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let shard = Shard(parsing: text) else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "not a shard")
    }
    self = shard
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }

  package var description: String { "\(index)/\(count)" }

  /// The name of its folder, in that of the run.
  package var folderName: String { "shard-\(index)-of-\(count)" }

  /// Whether a folder of this name is that of a shard.
  package static func isFolderName(_ name: String) -> Bool {
    let parts = name.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 4, parts[0] == "shard", parts[2] == "of" else { return false }
    return Shard(parsing: "\(parts[1])/\(parts[3])")?.folderName == name
  }
}

/// The machine that ran a shard.
package struct ShardOrigin: Sendable, Codable, Equatable {
  package var shard: Shard
  /// The machine's name in its network.
  package var host: String
  /// ISO 8601, UTC.
  package var startedAt: String
  package var operatingSystem: String
  package var processor: String
  package var cores: Int
  package var memory: ByteCount
  package var fileSystem: String
  /// The machine while timed figures were measured; nil if the shard has none.
  package var conditions: MachineConditions?
  /// The repetitions on real threads that it ran: each is a block of all cells, so that no block has times of two machines.
  package var blocks: [Int]

  package init(_ shard: Shard, on host: String, _ provenance: Provenance, blocks: [Int]) {
    (self.shard, self.host, self.blocks) = (shard, host, blocks)
    startedAt = provenance.startedAt
    operatingSystem = provenance.operatingSystem
    processor = provenance.processor
    (cores, memory) = (provenance.cores, provenance.memory)
    fileSystem = provenance.fileSystem
    conditions = provenance.conditions
  }

  /// The machine in words.
  package var machine: String {
    ([
      operatingSystem, processor, cores == 1 ? "1 core" : "\(cores) cores", "\(memory) of memory",
      fileSystem,
    ])
    .filter { !$0.isEmpty }.joined(separator: ", ")
  }
}

extension Provenance {
  /// Returns the provenance of the record that shards are merged into. Where machines differ, texts list all values, and
  /// numbers are the minimum.
  ///
  /// - Parameter shards: those of the shards, at least one, in order; each has its own origin only.
  package static func merged(_ shards: [Provenance]) -> Provenance {
    var merged = shards[0]
    func all(_ text: KeyPath<Provenance, String>) -> String {
      joined(shards.map { $0[keyPath: text] })
    }
    merged.startedAt = shards.map(\.startedAt).min() ?? merged.startedAt
    merged.operatingSystem = all(\.operatingSystem)
    merged.processor = all(\.processor)
    merged.fileSystem = all(\.fileSystem)
    merged.cores = shards.map(\.cores).min() ?? merged.cores
    merged.memory = shards.map(\.memory).min() ?? merged.memory
    merged.conditions = MachineConditions.worst(shards.compactMap(\.conditions))
    merged.peakDiskAbsence = shards.lazy.compactMap(\.peakDiskAbsence).first
    let platforms = shards.compactMap(\.platform)
    merged.platform?.governor = joined(platforms.map(\.governor))
    merged.platform?.databaseMount = joined(platforms.map(\.databaseMount))
    merged.platform?.outputMount = joined(platforms.map(\.outputMount))
    for name in merged.platform?.libraryVersions.keys.sorted() ?? [] {
      merged.platform?.libraryVersions[name] = joined(
        platforms.compactMap { $0.libraryVersions[name] })
    }
    merged.shards = shards.flatMap { $0.shards ?? [] }
    return merged
  }

  private static func joined(_ texts: [String]) -> String {
    texts.reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }.joined(
      separator: " + ")
  }

  private static func joined(_ texts: [String?]) -> String? {
    let known = texts.compactMap { $0 }
    return known.isEmpty ? nil : joined(known)
  }
}

extension MachineConditions {
  /// Returns the worst of each, so that a record of several machines is not called better than any; nil for none.
  package static func worst(_ all: [MachineConditions]) -> MachineConditions? {
    guard var worst = all.first else { return nil }
    func maximum<Value: Comparable>(_ part: WritableKeyPath<MachineConditions, Value?>) {
      worst[keyPath: part] = all.compactMap { $0[keyPath: part] }.max()
    }
    for part in [\MachineConditions.loadAtBegin, \.maxLoad, \.others, \.steal] { maximum(part) }
    for part in [\MachineConditions.throttledMilliseconds, \.heatThrottles] { maximum(part) }
    for part in [\MachineConditions.cachedAtBegin, \.cachedAtEnd, \.maxDirty, \.maxWriteback] {
      maximum(part)
    }
    return worst
  }
}
