// Seeded faults: mistakes that the engine does not make. A crash test proves little unless it fails for an engine with one
// of them; `SeededFaultTests` asserts that for each.
import SystemIO

@testable import StorageEngine

/// A deliberate mistake.
enum SeededFault: String, CaseIterable, Sendable {
  /// A commit returns without its last sync.
  case droppedSync
  /// The slot of a commit is written before the blocks and the record that it names.
  case slotBeforeData
  /// A commit overwrites blocks that it frees itself and that the previous version still needs.
  case reuseOneCommitEarly
  /// The folder is not synced after a file in it was created or renamed.
  case noFolderSync
  /// The file is truncated before the commit that no longer needs its end is durable.
  case truncateEarly
  /// Opening continues from what a killed process left in the page cache without syncing it.
  case noRecoverySync
  /// The first commit to a file that was closed builds on what may not be durable.
  case noDeferredSync
  /// Opening does not clear the slot of a torn commit.
  case tornSlotKept

  /// What the options of a database are given, so that it makes the mistake.
  var faults: any SeededFaults { FaultyEngine(fault: self) }
}

/// An engine with one mistake.
private final class FaultyEngine: CommitFaults {
  private let fault: SeededFault

  init(fault: SeededFault) { self.fault = fault }

  func leavesOut(_ step: DurabilityStep) -> Bool {
    switch step {
    case .commitSync: fault == .droppedSync
    case .recoverySync: fault == .noRecoverySync
    case .deferredSync: fault == .noDeferredSync
    case .folderSync: fault == .noFolderSync
    case .tornSlotClearing: fault == .tornSlotKept
    }
  }

  /// Moves each table's new root to a block of the same size that the commit frees, and removes the block from both lists
  /// of the record. The accounts stay consistent, so that only a crash between two writes can reveal it.
  func willEncode(_ record: inout CommitRecord, _ writer: inout Writer) {
    guard fault == .reuseOneCommitEarly else { return }
    var reused: Set<Int> = []
    for table in record.tables.indices {
      let root = record.tables[table].root.root
      guard let block = record.freed.first(where: { $0.size == root.space }),
        let write = writer.writes.index(at: root.offset)
      else { continue }
      record.freed.removeAll { $0.offset == block.offset }
      reused.insert(block.offset)
      let moved = BlockRef(
        offset: block.offset, size: root.size, birth: root.birth, checksum: root.checksum)
      record.tables[table].root.root = moved
      writer.changes.tables[table].root = moved
      writer.writes.move(at: write, to: block.offset)
      writer.allocator.space.free(Extent(offset: root.offset, size: root.space))
    }
    guard !reused.isEmpty else { return }
    writer.writes.sortByOffset()
    record.allocated = []
    writer.writes.forEachExtent { if !reused.contains($0.offset) { record.allocated.append($0) } }
  }

  func willWrite(_ commit: borrowing PlacedCommit, to file: any StorageFile) throws(SystemError) {
    switch fault {
    case .slotBeforeData: try BlockWrites().write(commit.slot, to: file)
    case .truncateEarly where commit.record.sizeAfter < commit.record.fileBefore:
      try file.resize(to: commit.record.sizeAfter)
    default: break
    }
  }
}
