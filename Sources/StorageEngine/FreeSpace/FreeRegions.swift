// How much of each region of the file is free, and which region has most: where a commit finds room for many blocks
// side by side. Regions are counted, not owned: an extent may reach over several.

struct FreeRegions {
  /// Bytes of a region: a commit of ten rows fills about one that is half free.
  static let size = 1 << 16
  /// Regions are told apart by this many steps of their free bytes: finer ones would be a change of order at each block.
  private static let steps = 16

  private var free = RawList<Int>(capacity: 64)
  /// Regions with at least one step free: first the negative of the steps, so that the order begins with the freest.
  private var order = PairIndex()
  /// The regions that are being filled; they are not in the order.
  private var taken = (-1, -1)

  func deallocate() {
    free.deallocate()
    order.deallocate()
  }

  mutating func add(_ extent: Extent) { change(extent, 1) }
  mutating func subtract(_ extent: Extent) { change(extent, -1) }

  func freeBytes(_ region: Int) -> Int { region < free.count ? free[region] : 0 }

  private mutating func change(_ extent: Extent, _ sign: Int) {
    var offset = extent.offset
    while offset < extent.end {
      let region = offset / Self.size
      let end = min(extent.end, (region + 1) * Self.size)
      while free.count <= region { free.append(0) }
      let old = free[region]
      let new = old &+ (end &- offset) &* sign
      free[region] = new
      if Self.step(old) != Self.step(new), !isTaken(region) {
        unlist(region, old)
        list(region, new)
      }
      offset = end
    }
  }

  private static func step(_ bytes: Int) -> Int { bytes &* steps / size }
  private func isTaken(_ region: Int) -> Bool { region == taken.0 || region == taken.1 }

  private mutating func list(_ region: Int, _ bytes: Int) {
    let step = Self.step(bytes)
    if step > 0 { order.insert(Pair(first: -step, second: region)) }
  }

  private mutating func unlist(_ region: Int, _ bytes: Int) {
    let step = Self.step(bytes)
    if step > 0 { order.remove(Pair(first: -step, second: region)) }
  }

  /// Lets go of the region that `life` fills and takes the freest in its place, the next one behind `region` among
  /// equals; nil where none has `least` sixteenths free.
  mutating func takeBest(_ life: BlockLife, behind region: Int, least: Int) -> Int? {
    leave(life)
    guard let freest = order.pair(at: order.first), -freest.first >= least else { return nil }
    var best = freest
    let next = order.lowerBound(Pair(first: freest.first, second: region + 1))
    if let pair = order.pair(at: next), pair.first == freest.first { best = pair }
    order.remove(best)
    if life == .long { taken.0 = best.second } else { taken.1 = best.second }
    return best.second
  }

  mutating func leave(_ life: BlockLife) {
    let old = life == .long ? taken.0 : taken.1
    if life == .long { taken.0 = -1 } else { taken.1 = -1 }
    if old >= 0 { list(old, free[old]) }
  }

  /// The numbers that do not agree with `sums`, which has the free bytes of each region.
  func violations(_ sums: [Int: Int]) -> [String] {
    var found: [String] = []
    for region in 0..<free.count where free[region] != sums[region] ?? 0 {
      found.append("FREE-6: region \(region) has \(sums[region] ?? 0) free, not \(free[region])")
    }
    var listed = 0
    for region in 0..<free.count where Self.step(free[region]) > 0 && !isTaken(region) {
      listed += 1
      let pair = Pair(first: -Self.step(free[region]), second: region)
      if order.pair(at: order.lowerBound(pair)) != pair { found.append("FREE-6: \(region)") }
    }
    if listed != order.count { found.append("FREE-6: \(order.count) regions are listed") }
    return found
  }
}
