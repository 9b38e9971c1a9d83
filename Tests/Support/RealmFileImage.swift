// Files as Realm Core lays them out, made by hand: what the reader says of them needs no library.

/// A packed array's bytes: header and elements of that many bits.
package func packed(_ elements: [Int], bits: Int, hasReferences: Bool = false) -> [UInt8] {
  var widthCode: UInt8 = 0
  while (1 << Int(widthCode)) >> 1 < bits { widthCode += 1 }
  let bytes = (elements.count * bits + 7) / 8
  var body = [UInt8](repeating: 0, count: (bytes + 7) & ~7)
  for (index, element) in elements.enumerated() {
    for bit in 0..<bits where UInt64(bitPattern: Int64(element)) >> UInt64(bit) & 1 == 1 {
      body[(index * bits + bit) / 8] |= 1 << UInt8((index * bits + bit) % 8)
    }
  }
  let count = elements.count
  let head: [UInt8] = [
    0, 0, 0, 0, widthCode | (hasReferences ? 0x40 : 0), UInt8(count >> 16 & 255),
    UInt8(count >> 8 & 255), UInt8(count & 255),
  ]
  return head + body
}

package func littleEndian(_ number: UInt64, bytes: Int = 8) -> [UInt8] {
  (0..<bytes).map { UInt8(truncatingIfNeeded: number >> UInt64(8 * $0)) }
}

/// A Realm file of that length with one version.
package struct RealmFileImage {
  package var logicalSize: Int
  package var version = 7
  /// Offset, bytes, version that freed it.
  package var free: [(Int, Int, Int)]
  /// The top array's last element; an array's elements are written into the file.
  package var evacuation: Evacuation?

  package init(
    logicalSize: Int = 8192, free: [(Int, Int, Int)] = [], evacuation: Evacuation? = nil
  ) {
    self.logicalSize = logicalSize
    self.free = free
    self.evacuation = evacuation
  }

  package enum Evacuation {
    case chosen(limit: Int)
    case array([Int])
  }

  private static let headerBytes = 24

  /// The bytes, and how many of them are books: header, top array, free lists, state of compaction.
  package func bytes(streaming: Bool = false) -> (file: [UInt8], books: Int) {
    var body: [UInt8] = []
    func place(_ array: [UInt8]) -> Int {
      let reference = Self.headerBytes + body.count
      body += array
      return reference
    }
    let offsets = place(packed(free.map(\.0), bits: 16))
    let lengths = place(packed(free.map(\.1), bits: 32))
    let versions = place(packed(free.map(\.2), bits: 8))
    var top = [
      0, 0, 2 * logicalSize + 1, offsets, lengths, versions, 2 * version + 1, 2, 0, 1, 1,
    ]
    switch evacuation {
    case .chosen(let limit): top.append(2 * limit + 1)
    case .array(let elements): top.append(place(packed(elements, bits: 64)))
    case nil: break
    }
    let reference = place(packed(top, bits: 32, hasReferences: true))
    let books = Self.headerBytes + body.count
    body += [UInt8](
      repeating: 0xEE, count: max(0, logicalSize - Self.headerBytes - body.count - 16))
    if streaming {
      return (
        littleEndian(.max) + littleEndian(0) + Array("T-DB".utf8) + [24, 24, 0, 0] + body
          + littleEndian(UInt64(reference)) + littleEndian(0x3034_1252_37E5_26C8), books
      )
    }
    // The second slot is the newest version's; the first names nothing that could be read.
    return (
      littleEndian(9999) + littleEndian(UInt64(reference)) + Array("T-DB".utf8) + [24, 24, 0, 1]
        + body + [UInt8](repeating: 0xEE, count: 16), books
    )
  }
}
