// The states that a power cut may leave, given what was durable and what was written since. A disk writes whole units
// (sectors of 512 bytes, or pages of 4 KiB); each unit reaches it as it stood in the page cache at some moment, with
// all neighbors inside the unit, and each at a moment of its own: that is how writes are lost, torn and reordered.
// The file's length is one more such unit.

/// All that can be left of one file.
package struct CrashStates: Sendable {
  private let durable: [UInt8]
  private let changes: [FaultyStorageFile.Change]

  init(durable: [UInt8], changes: [FaultyStorageFile.Change]) {
    self.durable = durable
    self.changes = changes
    var lengths = [durable.count]
    for change in changes {
      switch change {
      case .write(let offset, let bytes): lengths.append(max(lengths.last!, offset + bytes.count))
      case .resize(let size): lengths.append(size)
      }
    }
    self.lengths = lengths
  }

  /// How many changes were under way. Moment `m` is the one after the first `m` of them.
  package var changeCount: Int { changes.count }

  /// The units that some pending write touches, in rising order.
  package func touchedUnits(of unitSize: Int) -> [Int] {
    var units: Set<Int> = []
    for case .write(let offset, let bytes) in changes where !bytes.isEmpty {
      units.formUnion(offset / unitSize...(offset + bytes.count - 1) / unitSize)
    }
    return units.sorted()
  }

  /// The units that change number `index` touches.
  package func units(ofChange index: Int, unitSize: Int) -> Set<Int> {
    guard case .write(let offset, let bytes) = changes[index], !bytes.isEmpty else { return [] }
    return Set(offset / unitSize...(offset + bytes.count - 1) / unitSize)
  }

  /// The file's length at each moment.
  package let lengths: [Int]

  /// The bytes left when each unit reached the disk as of `momentOf(unit)` and the length as of `lengthMoment`.
  package func image(
    unitSize: Int, lengthMoment: Int, momentOf: (Int) -> Int
  ) -> [UInt8] {
    var image = durable
    image.append(contentsOf: [UInt8](repeating: 0, count: lengths.max()! - durable.count))
    // A cut of the file that did not reach the disk keeps the tail as it was, and nothing later lands there.
    var end = image.count
    for (index, change) in changes.enumerated() {
      switch change {
      case .write(let offset, let bytes):
        copy(bytes, to: &image, at: offset, end: end, unitSize: unitSize) { momentOf($0) > index }
      case .resize(let size):
        guard size < lengths[index] else { continue }
        if lengthMoment > index {
          image.replaceSubrange(
            size..., with: [UInt8](repeating: 0, count: image.count - size))
        } else {
          end = min(end, size)
        }
      }
    }
    image.removeLast(image.count - lengths[lengthMoment])
    return image
  }

  /// The bytes left when some changes reached the disk, each with what was written earlier into the same units; the
  /// length as of the last kept change of it.
  package func image(unitSize: Int, keeping: (Int) -> Bool) -> [UInt8] {
    var moments: [Int: Int] = [:]
    var lengthMoment = 0
    for index in changes.indices where keeping(index) {
      for unit in units(ofChange: index, unitSize: unitSize) { moments[unit] = index + 1 }
      if lengths[index + 1] != lengths[index] { lengthMoment = index + 1 }
    }
    return image(unitSize: unitSize, lengthMoment: lengthMoment) { moments[$0] ?? 0 }
  }

  private func copy(
    _ bytes: [UInt8], to image: inout [UInt8], at offset: Int, end: Int, unitSize: Int,
    where reached: (Int) -> Bool
  ) {
    var position = offset
    let stop = min(offset + bytes.count, end)
    image.withUnsafeMutableBytes { image in
      bytes.withUnsafeBytes { bytes in
        while position < stop {
          let unit = position / unitSize
          let next = min(stop, (unit + 1) * unitSize)
          if reached(unit) {
            (image.baseAddress! + position).copyMemory(
              from: bytes.baseAddress! + (position - offset), byteCount: next - position)
          }
          position = next
        }
      }
    }
  }
}
