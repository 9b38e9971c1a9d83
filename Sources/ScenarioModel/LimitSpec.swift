// Limits of a database: on a phone the disk is full, a process has little address space, an app bounds its number of
// versions. A transaction that would exceed a limit is refused, and the run continues.

/// Limits of an arm; nil for none of a kind.
package struct LimitSpec: Hashable, Sendable, Codable {
  /// Versions that may be readable at once.
  package var versions: Int?
  /// The maximum address space for the file, in bytes.
  package var addressSpace: Int?
  /// The size in bytes of the disk that has the database's folder, temporary files included.
  package var disk: Int?
  /// Milliseconds that a writer waits for the locks of others.
  package var busyTimeout: Int?
  /// The launches in which they hold; nil for all.
  package var launches: [Int]?

  /// The names of properties in records, which do not change with the language.
  private enum CodingKeys: String, CodingKey {
    case versions, addressSpace, disk, launches
    case busyTimeout = "patience"
  }

  package init(
    versions: Int? = nil, addressSpace: Int? = nil, disk: Int? = nil,
    busyTimeout: Int? = nil, launches: [Int]? = nil
  ) {
    self.versions = versions
    self.addressSpace = addressSpace
    self.disk = disk
    self.busyTimeout = busyTimeout
    self.launches = launches
  }
}

extension ArmSpec {
  /// The limits that hold in a launch, from 1.
  package func limits(inLaunch launch: Int) -> LimitSpec? {
    guard let limits, limits.launches?.contains(launch) ?? true else { return nil }
    return limits
  }
}
