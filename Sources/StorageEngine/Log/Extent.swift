// Ranges of the file, as commit records list them.

/// A contiguous range of the file.
struct Extent: Equatable {
  var offset: Int
  var size: Int
  @inline(__always) var end: Int { offset &+ size }
}

/// A freed extent: it was live from `birth` until before `death`.
struct DeferredFreeExtent {
  var offset: Int
  var size: Int
  var birth: UInt64
  var death: UInt64
  var extent: Extent { Extent(offset: offset, size: size) }
}
