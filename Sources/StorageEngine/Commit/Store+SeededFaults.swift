// The seeded fault that needs more than an `if`: a commit that overwrites what it frees. Its accounts are consistent,
// so that only a crash between two writes can reveal it.

extension Store {
  /// Returns the offset of a block of the same size that this commit frees; nil unless that fault is set.
  @inline(__always)
  func seededOffset(_ size: Int) -> Int? {
    guard options.seededFault != nil else { return nil }
    return offsetToReuseEarly(size)
  }

  private func offsetToReuseEarly(_ size: Int) -> Int? {
    guard options.seededFault == .reuseOneCommitEarly else { return nil }
    for ref in writer.pointee.tree.freed.buffer
    where ref.space == size && writer.pointee.reusedEarly.insert(ref.offset).inserted {
      return ref.offset
    }
    return nil
  }

  /// Removes the overwritten blocks from both lists of the record.
  func concealSeededReuse(_ record: inout CommitRecord) {
    guard !writer.pointee.reusedEarly.isEmpty else { return }
    let offsets = writer.pointee.reusedEarly
    writer.pointee.reusedEarly = []
    record.freed.removeAll { offsets.contains($0.offset) }
    record.allocated = writer.pointee.writes.buffer.filter { !offsets.contains($0.offset) }.map {
      Extent(offset: $0.offset, size: $0.size)
    }
  }
}
