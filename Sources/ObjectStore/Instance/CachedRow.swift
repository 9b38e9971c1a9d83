// The bytes of the row that an object has read last, so that reading another property does not search for the row again.

/// A row's bytes, and the stamp of the instance at which they were found.
struct CachedRow {
  /// Longer rows are not copied.
  private static let maxCopyLength = 1024

  private(set) var stamp = -1
  private var bytes = UnsafeRawBufferPointer(start: nil, count: 0)
  private var copy: RowCopy?

  init() {}

  /// Caches where the row is if its bytes do not move; a copy of a short row otherwise.
  @inline(__always)
  init(_ found: UnsafeRawBufferPointer, _ instance: OpenRealm) {
    if instance.hasStableBytes {
      bytes = found
      stamp = instance.stamp
    } else if found.count <= Self.maxCopyLength {
      let copy = RowCopy(found)
      self.copy = copy
      bytes = copy.bytes
      stamp = instance.stamp
    }
  }

  /// Makes the cached row count as out of date.
  @inline(__always)
  mutating func invalidate() { stamp = -1 }

  @inline(__always)
  func column(_ position: Int) -> CachedColumn {
    guard let record = ObjectRecord(bytes) else { return CachedColumn() }
    do throws(CorruptRecord) {
      guard let column = try record.column(position) else {
        return CachedColumn(start: nil, count: CachedColumn.nullCount)
      }
      return CachedColumn(start: column.baseAddress, count: column.count)
    } catch { return CachedColumn() }
  }
}

/// The bytes of a column; without a start if they are not cached, or corrupt.
@usableFromInline
struct CachedColumn {
  /// The count of a column that is null.
  @usableFromInline static var nullCount: Int { -1 }

  @usableFromInline var start: UnsafeRawPointer?
  @usableFromInline var count = 0
}

/// A copy of a row whose bytes may move.
private final class RowCopy {
  let bytes: UnsafeRawBufferPointer

  init(_ other: UnsafeRawBufferPointer) {
    let own = UnsafeMutableRawBufferPointer.allocate(byteCount: other.count, alignment: 8)
    own.copyMemory(from: other)
    bytes = UnsafeRawBufferPointer(own)
  }

  deinit { bytes.deallocate() }
}
