// The machines of a run or a sweep, as the reports name them.
import MetricModel
import RecordModel

extension Provenance {
  /// The machine, or those of the shards, a row each.
  var machineRows: [(name: String, text: String)] {
    guard let shards else {
      let parts = [
        operatingSystem, processor, counted(cores, "core"),
        "\(memory) of memory", fileSystem,
      ]
      return [("machine", parts.filter { !$0.isEmpty }.joined(separator: ", "))]
    }
    let groups = Dictionary(grouping: shards) { [$0.host, $0.machine] }
      .values.sorted { $0[0].shard.index < $1[0].shard.index }
    return groups.map { shards in
      let blocks = shards.flatMap(\.blocks).sorted().map(String.init)
      let numbers = shards.map { String($0.shard.index) }.joined(separator: ", ")
      return (
        "machine of \(shards.count == 1 ? "shard" : "shards") \(numbers) of \(shards[0].shard.count)",
        "\(shards[0].host): \(shards[0].machine)"
          + (blocks.isEmpty
            ? "" : "; runs \(blocks.joined(separator: ", ")) of each cell on threads")
      )
    }
  }
}
