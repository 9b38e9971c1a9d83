// The one seeded fault that needs more than an `if`: a commit that writes over what it frees. Its books are right, so
// that nothing but a crash between two writes can show it.

extension Store {
  /// The place of a block that this commit frees, of the same size; nil unless that mistake is asked for.
  @inline(__always)
  func seededPlace(_ size: Int) -> Int? {
    guard options.seededFault != nil else { return nil }
    return placeToReuseEarly(size)
  }

  private func placeToReuseEarly(_ size: Int) -> Int? {
    guard options.seededFault == .reuseOneCommitEarly else { return nil }
    for ref in writer.pointee.tree.freed.buffer
    where ref.space == size && writer.pointee.reusedEarly.insert(ref.offset).inserted {
      return ref.offset
    }
    return nil
  }

  /// Takes the blocks that were written over from both lists of the record.
  func hideSeededReuse(_ record: inout CommitRecord) {
    guard !writer.pointee.reusedEarly.isEmpty else { return }
    let places = writer.pointee.reusedEarly
    writer.pointee.reusedEarly = []
    record.freed.removeAll { places.contains($0.offset) }
    record.allocated = writer.pointee.writes.buffer.filter { !places.contains($0.offset) }.map {
      Extent(offset: $0.offset, size: $0.size)
    }
  }
}
