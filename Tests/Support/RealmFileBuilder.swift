// Realm files with tables, a history, free space and lost space, made by hand from the documented format, with what a report
// must have of them. The layout of arrays and of the top array is Realm Core's; what the arrays mean to its tables is not.
package struct RealmFileBuilder {
  package private(set) var bytes =
    littleEndian(0) + littleEndian(0) + Array("T-DB".utf8) + [0, 0, 0, 0]
  private var random: SeededRandom
  private var free: [(offset: Int, bytes: Int, tag: Int)] = []
  private var lost = 0
  /// The bytes that were placed since this was last set.
  private var placed = 0

  /// What a report of the file must have.
  package struct Expected {
    package var tables: [String: Int] = [:]
    package var live = 0
    package var history = 0
    package var overhead = 24
    package var free = 0
    package var pinned = 0
    package var lost = 0
    package var logical = 0
    package var version = 0
    package var pieces = 0
  }

  package init(seed: UInt64) { random = SeededRandom(seed: seed) }

  private mutating func place(_ array: [UInt8]) -> Int {
    // Now and then a free piece, or one that is lost, lies between.
    if random.oneIn(4) {
      let size = 8 * (1 + random.below(40))
      if random.oneIn(6) {
        lost += size
      } else {
        free.append((bytes.count, size, random.below(12)))
      }
      bytes += random.bytes(size)
    }
    defer {
      bytes += array
      placed += array.count
    }
    return bytes.count
  }

  /// Appends a tree of arrays, and returns its reference.
  private mutating func placeTree(depth: Int) -> Int {
    guard depth > 0, !random.oneIn(4) else {
      let widths = [0, 1, 2, 4, 8, 16, 32, 64]
      let count = random.below(90)
      switch random.below(3) {
      case 0:
        let bits = widths[random.below(8)]
        let limit = bits == 0 ? 1 : bits < 8 ? 1 << bits : 100
        return place(packed((0..<count).map { _ in random.below(limit) }, bits: bits))
      case 1: return place(blob(count))
      default: return place(fixed(count, width: [4, 16, 64][random.below(3)]))
      }
    }
    var elements: [Int] = []
    for _ in 0..<1 + random.below(6) {
      switch random.below(4) {
      case 0: elements.append(0)
      case 1: elements.append(2 * random.below(1000) + 1)
      default: elements.append(placeTree(depth: depth - 1))
      }
    }
    return place(packed(elements, bits: 32, hasReferences: true))
  }

  private func header(_ scheme: UInt8, width: Int, count: Int) -> [UInt8] {
    var code: UInt8 = 0
    while (1 << Int(code)) >> 1 < width { code += 1 }
    return [0, 0, 0, 0, scheme << 3 | code, 0, UInt8(count >> 8), UInt8(count & 255)]
  }

  private mutating func blob(_ count: Int) -> [UInt8] {
    header(2, width: 1, count: count) + random.bytes((count + 7) & ~7)
  }

  private mutating func fixed(_ count: Int, width: Int) -> [UInt8] {
    header(1, width: width, count: count) + random.bytes((count * width + 7) & ~7)
  }

  private func names(_ names: [String]) -> [UInt8] {
    var body: [UInt8] = []
    for name in names {
      let utf8 = Array(name.utf8)
      body += utf8 + [UInt8](repeating: 0, count: 31 - utf8.count) + [UInt8(31 - utf8.count)]
    }
    return header(1, width: 32, count: names.count) + body
  }

  /// Returns the file with its last version, where versions up to `oldest` are not needed any more.
  package mutating func build(format: UInt8 = 24, oldest: Int? = nil, isStreaming: Bool = false)
    -> Expected
  {
    var expected = Expected()
    expected.version = 11
    let tableCount = 1 + random.below(5)
    var references: [Int] = []
    var stored: [String] = []
    placed = 0
    for index in 0..<tableCount {
      placed = 0
      references.append(placeTree(depth: 1 + random.below(4)))
      let name = random.oneIn(3) ? "pk\(index)" : "class_Item\(index)"
      stored.append(name)
      expected.tables[name.hasPrefix("class_") ? String(name.dropFirst(6)) : name] = placed
      expected.live += placed
    }
    placed = 0
    let namesAt = place(names(stored))
    let tablesAt = place(packed(references + [7], bits: 32, hasReferences: true))
    expected.live += placed
    placed = 0
    let historyAt = isStreaming ? 0 : placeTree(depth: 2)
    expected.history = placed
    finish(namesAt, tablesAt, historyAt, format, isStreaming, &expected)
    expected.lost = lost
    for piece in isStreaming ? [] : free {
      if piece.tag <= oldest ?? expected.version {
        expected.free += piece.bytes
      } else {
        expected.pinned += piece.bytes
      }
    }
    if isStreaming { expected.lost += free.reduce(0) { $0 + $1.bytes } }
    expected.pieces = isStreaming ? 0 : free.count
    return expected
  }

  /// Writes the free list and the top array behind everything else, then the end of the file and the header.
  private mutating func finish(
    _ namesAt: Int, _ tablesAt: Int, _ historyAt: Int, _ format: UInt8, _ isStreaming: Bool,
    _ expected: inout Expected
  ) {
    func append(_ array: [UInt8]) -> Int {
      bytes += array
      return bytes.count - array.count
    }
    let start = bytes.count
    let offsets = append(packed(free.map(\.offset), bits: 32))
    let lengths = append(packed(free.map(\.bytes), bits: 16))
    let tags = append(packed(free.map(\.tag), bits: 8))
    let rest = 8 * random.below(50)
    let topBytes = isStreaming ? 8 + 3 * 4 + 4 : 8 + 11 * 4 + 4
    let logical = isStreaming ? start + topBytes : bytes.count + topBytes + rest
    if isStreaming { bytes.removeSubrange(start...) }
    let all = [
      namesAt, tablesAt, 2 * logical + 1, offsets, lengths, tags, 2 * expected.version + 1,
      historyAt == 0 ? 1 : 5, historyAt, 3, 1,
    ]
    let top = append(
      packed(isStreaming ? Array(all.prefix(3)) : all, bits: 32, hasReferences: true))
    expected.overhead += bytes.count - start
    if isStreaming {
      bytes += littleEndian(UInt64(top)) + littleEndian(0x3034_1252_37E5_26C8)
      bytes.replaceSubrange(0..<8, with: littleEndian(.max))
      bytes[20] = format
      expected.overhead += 16
      expected.logical = bytes.count
    } else {
      lost += rest
      bytes += [UInt8](repeating: 0xEE, count: rest)
      bytes.replaceSubrange(8..<16, with: littleEndian(UInt64(top)))
      bytes.replaceSubrange(0..<8, with: littleEndian(9999))
      (bytes[20], bytes[21], bytes[23]) = (format, format, 1)
      expected.logical = logical
    }
  }

  /// A lock file with a list of versions: number, readers of live instances, readers of frozen ones.
  package static func lockFile(
    _ entries: [(version: Int, live: Int, frozen: Int)], participants: UInt8 = 1
  ) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 432)
    (bytes[6], bytes[12]) = (14, participants)
    bytes += littleEndian(32) + littleEndian(0)
    for index in 0..<32 {
      let entry = index < entries.count ? entries[index] : (version: 0, live: 0, frozen: 0)
      bytes += littleEndian(UInt64(entry.version)) + littleEndian(.max) + littleEndian(.max)
      for count in [entry.live, entry.frozen, 0, 0] {
        bytes += littleEndian(UInt64(count), bytes: 4)
      }
    }
    return bytes
  }
}
