// The unit of space.

/// A contiguous range of the file.
struct Extent: Equatable {
  var offset: Int
  var size: Int
  @inline(__always) var end: Int { offset &+ size }
}
