// Which reader holds which version. This session's snapshots are known by their labels; those of other processes are listed in
// libmdbx's reader table. The table's entries of this process are left out: the account reads too, and pins nothing
// between two measurements.
import CMDBX
import EngineInterface
import SystemIO

extension Environment {
  /// The session's own readers and those of other processes, oldest version first.
  func readers(with own: [HeldVersion]) -> [HeldVersion] {
    var listing = Listing(own: own)
    withUnsafeMutablePointer(to: &listing) { listing in
      _ = mdbx.call.readerList(
        handle,
        { context, _, _, process, _, version, _, _, _ in
          guard let context, version != 0, process != Listing.thisProcess else { return 0 }
          context.assumingMemoryBound(to: Listing.self).pointee.readers.append(
            HeldVersion(label: "process \(process)", version: Int(version)))
          return 0
        }, listing)
    }
    return listing.readers.sorted { ($0.version, $0.label) < ($1.version, $1.label) }
  }

  /// Returns the bytes retained since each reader's version, as libmdbx reports them.
  func retainedBytes() -> [UInt64: Int] {
    var retained: [UInt64: Int] = [:]
    withUnsafeMutablePointer(to: &retained) { retained in
      _ = mdbx.call.readerList(
        handle,
        { context, _, _, _, _, version, _, _, bytes in
          guard let context, version != 0 else { return 0 }
          context.assumingMemoryBound(to: [UInt64: Int].self).pointee[version] = bytes
          return 0
        }, retained)
    }
    return retained
  }
}

/// The entries that the callback of the reader table collects.
private struct Listing {
  static let thisProcess = ProcessFacts.currentID

  var readers: [HeldVersion]

  init(own: [HeldVersion]) { readers = own }
}
