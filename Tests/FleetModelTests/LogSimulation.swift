// Logs of known populations: the walk of the core, with each launch written down.
import FleetModel
import Generators

struct LogSimulation {
  var curves: FleetCurves
  var devices: Int
  var days = 60.0
  /// The share of launches that is not logged.
  var missing = 0.2
  var hasFlags = true
  /// Compacts where the file is larger, and less than the share of it is used.
  var limit = 6e6
  var usedShare = 0.6
  /// 2026-01-01.
  static let start = 1_767_225_600_000.0

  private static let gaps: [Double] = {
    let gaps = (0..<4096).map {
      StandardExponential.value(ofBits: UInt64(4095 - $0) << 52 | 1 << 51)
    }
    let mean = gaps.reduce(0, +) / 4096
    return gaps.map { $0 / mean }
  }()

  /// Calls `body` with each logged launch of the device, and returns the final size.
  func walk(
    _ number: Int, _ tables: inout DeviceCurves, _ body: (LaunchRow, Int) -> Void
  ) -> Double {
    let device = curves.population.device(number)
    let group = curves.population.groups[device.group]
    tables.load(device, writes: group.writes)
    tables.compact(at: device.data)
    var stream = curves.population.launchStream(of: number)
    var dropped = RandomStream(seed: 5, label: "dropped", index: number)
    var (day, compactedData, written) = (0.0, device.data, 0.0)
    var total = tables.sizes(at: 0).total * device.data
    while true {
      let gap = Self.gaps[Int(truncatingIfNeeded: stream.next() >> 52)] / device.launchesPerDay
      guard day + gap <= days else { return total }
      day += gap
      written += gap * device.commitsPerDay * Double(group.writes) * device.value
      let data = device.data + device.growth * day
      let sizes = tables.sizes(at: written / compactedData)
      total = sizes.total * data
      let used = sizes.used * data
      let compacts = total > limit && used / total < usedShare
      if dropped.next(below: 1000) >= Int(missing * 1000) {
        var row = LaunchRow(
          time: Int64(Self.start + day * 86_400_000), totalBytes: Int64(total),
          usedBytes: Int64(used))
        if hasFlags { row.compacted = compacts ? .yes : .no }
        body(row, number)
      }
      guard compacts else { continue }
      (compactedData, written) = (data, 0)
      tables.compact(at: data)
      total = tables.sizes(at: 0).total * data
    }
  }

  /// The log as a file's lines.
  func lines() -> [String] {
    var lines = ["device,time,totalBytes,usedBytes" + (hasFlags ? ",compacted" : "")]
    forEach { row, number in
      let flag = hasFlags ? ",\(row.compacted == .yes)" : ""
      lines.append("d\(number),\(row.time),\(row.totalBytes),\(row.usedBytes)\(flag)")
    }
    return lines
  }

  func log() throws -> LaunchLog {
    var reader = LogReader()
    for line in lines() { try reader.read(Array(line.utf8)) }
    return try reader.finish()
  }

  private func forEach(_ body: (LaunchRow, Int) -> Void) {
    var tables = DeviceCurves(curves)
    for number in 0..<devices { _ = walk(number, &tables, body) }
  }
}

extension FleetCurves {
  /// The curves of the first group for every group of the population.
  func shared(by population: Population) -> FleetCurves {
    FleetCurves(
      population: population, stratification: stratification,
      groups: population.groups.map { _ in groups[0] })
  }
}
