// Where a test can make a commit do what it must not, beside the steps of `SeededFaults`. Each is asked once a commit.
import SystemIO

/// Mistakes that a commit is to make. No production code conforms to it.
protocol CommitFaults: SeededFaults {
  /// Called when the record's lists of blocks are complete, before its free list is.
  func willEncode(_ record: inout CommitRecord, _ writer: inout Writer)

  /// Called before the first byte of the commit is written.
  func willWrite(_ commit: borrowing PlacedCommit, to file: any StorageFile) throws(SystemError)
}

extension Writer {
  /// nil, except in a test that seeds a fault.
  @inline(__always)
  var seededFaults: (any CommitFaults)? {
    guard let faults = context.options.seededFaults else { return nil }
    return faults as? any CommitFaults
  }
}
