// What a version's top array has of the whole file: its length, what is free, and how far automatic compaction is.
import SystemIO

package struct RealmBooks: Equatable {
  /// The end of what the free list covers. The file on disk may be longer: what a compaction cut off is given back when
  /// a session of the file begins.
  package let logicalSize: Int
  package let version: Int
  /// The top array and the free list's three arrays.
  package let bookkeeping: Int
  package let freeBlocks: [FreeBlock]
  package let evacuation: Evacuation

  package struct FreeBlock: Equatable {
    package let offset: Int
    package let bytes: Int
    /// The version whose commit freed it; 0 where no version sees it any more.
    package let freed: Int

    package init(offset: Int, bytes: Int, freed: Int) {
      self.offset = offset
      self.bytes = bytes
      self.freed = freed
    }
  }

  /// The stage of automatic compaction. It is stored in the file, so that every process continues it (group_writer.hpp).
  package enum Evacuation: Equatable {
    case none
    /// The limit below which data moves, and how many commits pass before it is looked after again.
    case begun(limit: Int, pause: Int)
  }

  /// Nil where the file has not the arrays that the top array names.
  init?(_ file: RealmFile, top reference: Int) throws(SystemError) {
    guard reference >= RealmFile.headerBytes, let top = try file.array(at: reference) else {
      return nil
    }
    guard top.count > RealmTopSlot.logicalSize else { return nil }
    logicalSize = RealmTopSlot.untagged(top[RealmTopSlot.logicalSize])
    version =
      top.count > RealmTopSlot.version ? RealmTopSlot.untagged(top[RealmTopSlot.version]) : 0
    var bookkeeping = top.bytes
    var blocks: [FreeBlock] = []
    if top.count > RealmTopSlot.freeLengths, top[RealmTopSlot.freeOffsets] != 0 {
      guard let offsets = try file.array(at: top[RealmTopSlot.freeOffsets]),
        let lengths = try file.array(at: top[RealmTopSlot.freeLengths]),
        lengths.count == offsets.count
      else { return nil }
      bookkeeping += offsets.bytes + lengths.bytes
      var versions: RealmArray?
      if top.count > RealmTopSlot.freeVersions, top[RealmTopSlot.freeVersions] != 0 {
        guard let array = try file.array(at: top[RealmTopSlot.freeVersions]),
          array.count == offsets.count
        else { return nil }
        bookkeeping += array.bytes
        versions = array
      }
      blocks.reserveCapacity(offsets.count)
      for index in 0..<offsets.count {
        blocks.append(
          FreeBlock(
            offset: offsets[index], bytes: lengths[index], freed: versions.map { $0[index] } ?? 0))
      }
    }
    freeBlocks = blocks
    let state = top.count > RealmTopSlot.evacuation ? top[RealmTopSlot.evacuation] : 0
    if state == 0 {
      evacuation = .none
    } else if state & 1 == 1 {
      // The commit that chose the limit; the next makes an array of it.
      evacuation = .begun(limit: RealmTopSlot.untagged(state), pause: 0)
    } else {
      guard let array = try file.array(at: state), array.count >= 2 else { return nil }
      bookkeeping += array.bytes
      evacuation = .begun(limit: array[0], pause: array[1])
    }
    self.bookkeeping = bookkeeping
  }
}
