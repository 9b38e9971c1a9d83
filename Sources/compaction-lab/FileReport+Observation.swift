// A foreign engine's file as conditions and samples see it.
import FileFormats
import MetricModel

extension FileReport {
  /// The state of the file. What its bytes do not determine exactly is not known.
  var observation: Observation {
    func bytes(_ measure: ByteMeasure) -> ByteCount? {
      measure.exactValue.map { ByteCount($0) }
    }
    let usage = SpaceUsage(
      file: ByteCount(space.logical), live: bytes(space.live), free: bytes(space.free),
      pinned: bytes(space.pinned), pending: bytes(space.pending), overhead: bytes(space.overhead),
      sidecar: ByteCount(log?.bytes ?? 0), tail: ByteCount(space.tail))
    return Observation(space: usage, liveVersions: liveVersions, pins: versions.readers ?? 0)
  }

  /// The held versions and the newest; nil where more are held than the report lists.
  private var liveVersions: Int? {
    guard versions.readers != nil, versions.held.count < VersionReport.maxHeld else { return nil }
    return versions.held.count { $0.version != versions.newest } + 1
  }
}
