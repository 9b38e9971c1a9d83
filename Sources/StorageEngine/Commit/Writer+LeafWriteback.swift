// The early writeback of leaves: where those of a durable commit lie apart, the disk begins with them while the nodes above
// them and the record are still placed, so that the sync waits for less.
import SystemIO

extension Writer {
  /// The fewest groups of adjacent pages that are written early. In one or two, as the leaves of a fresh file lie, the call
  /// that has the disk begin takes as long as it saves (Benchmarks/Limits.md).
  private static let minGroups = 4
  /// The most bytes that are. Longer commits were not measured.
  private static let maxBytes = 1 << 18

  /// Writes the blocks placed so far and has the disk begin with them, if they lie apart. They are in free space, which no
  /// version refers to: if the commit fails or the process dies after this, nothing has changed. Not in bloated files, where
  /// the record shares a page with a leaf, and not where a test seeds a fault, which changes the writes of a whole commit.
  mutating func startLeafWriteback() {
    let file = context.file
    // A sync that comes first is left to the commit, which reports its error: a second sync would not fail again.
    guard context.options.durability == .full, context.session.isDurable,
      !(file is EncryptedFile), seededFaults == nil, !allocator.hasGrownLogically,
      !allocator.space.isBloated, writes.bytes <= Self.maxBytes
    else { return }
    writes.sortByOffset()
    guard writes.pageGroups >= Self.minGroups else { return }
    do throws(SystemError) {
      try writes.writeCoalesced(to: file, startsWriteback: false)
      file.advise(.writeSoon, writes.range)
    } catch {
      // The commit writes what is not written yet, and reports the error if it persists.
    }
  }
}
