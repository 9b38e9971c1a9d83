// Tight fit, also called best fit. The other strategies fall back on it.

extension FreeSpace {
  /// Allocates from the smallest extent that is large enough, the lowest among equals.
  mutating func allocateTightFit(_ size: Int) -> Int? {
    allocateFront(of: index.firstFit(size), size)
  }
}
