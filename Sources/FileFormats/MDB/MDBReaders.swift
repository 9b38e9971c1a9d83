// The reader table in the lock file: which versions are held, by which processes. Parsed from its bytes; a process that died
// may have left its slot.
import SystemIO

struct MDBReaders {
  /// Held versions with their processes, the oldest first.
  private(set) var held: [HeldVersion] = []
  private(set) var count = 0
  private(set) var oldest: UInt64?
  /// Why the table is not used; nil if it is.
  private(set) var absence: String?

  static func lockFile(
    of family: SourceFamily, _ layout: MDBLayout
  ) throws(SystemError) -> (any ByteSource)? {
    layout.isLMDB
      ? try family.side(.suffix("-lock"), .sibling("lock.mdb", of: "data.mdb"))
      : try family.side(.suffix("-lck"), .sibling("mdbx.lck", of: "mdbx.dat"))
  }

  init(_ family: SourceFamily, _ layout: MDBLayout) throws(SystemError) {
    guard let source = try Self.lockFile(of: family, layout) else {
      absence = "no lock file is beside it, so no reader is registered"
      return
    }
    let reader = try WindowedReader(source)
    guard let head = try reader.block(at: 0, count: min(reader.size, 2048)),
      let table = layout.isLMDB ? Self.lmdbTable(head, reader.size) : Self.libmdbxTable(head)
    else {
      absence = "the lock file has a layout that is not read"
      return
    }
    try read(reader, table)
  }

  /// Where the slots are, and where they have what.
  private struct Table {
    var start: Int
    var slotBytes: Int
    var processOffset: Int
    /// The number of slots that were ever used.
    var used: Int
  }

  /// LMDB: a header, two mutexes whose size depends on the platform, and a slot of 64 bytes for each reader.
  private static func lmdbTable(_ head: ByteBlock, _ size: Int) -> Table? {
    guard head.little(0, 4) == MDBMeta.lmdbMagic, let format = head.little(4, 4),
      format & 0xffff == 1
    else { return nil }
    // Mutexes of 40 bytes (Linux on x86-64), of 48 (on ARM), or names of semaphores (macOS).
    for (used, start) in [(56, 128), (64, 192), (32, 128)] {
      guard let count = head.little(used, 4), count > 0 || used == 56,
        size >= start + 64 * count, count <= 1 << 20, (size - start) % 64 == 0
      else { continue }
      return Table(start: start, slotBytes: 64, processOffset: 8, used: count)
    }
    return nil
  }

  /// libmdbx: a header of several lines of the cache, whose size depends on the platform. It stores a signature of its
  /// layout, which is computed from the offsets: those that give the stored one are the right ones.
  private static func libmdbxTable(_ head: ByteBlock) -> Table? {
    guard head.starts(with: MDBMeta.libmdbxMagic, at: 1), let signature = head.little(8, 4) else {
      return nil
    }
    let slotBytes = 32
    let processOffset = 16
    for mutexes in [0x8017, 0xF18D, 0xFC29] {
      for slots in stride(from: 256, through: 1024, by: 64) {
        for used in stride(from: slots - 64, through: slots - 8, by: 8) {
          let known = mutexes * 27733 + slotBytes * 13 + 20 * 251 + used * 37 + slots * 29
          let rest = (signature - known) & 0xffff_ffff
          let oldestOffset = rest / 83
          guard rest % 83 == 0, oldestOffset >= 64, oldestOffset < used, oldestOffset % 8 == 0,
            let count = head.little(used, 4), count <= 32767
          else { continue }
          return Table(
            start: slots, slotBytes: slotBytes, processOffset: processOffset, used: count)
        }
      }
    }
    return nil
  }

  private mutating func read(_ reader: WindowedReader, _ table: Table) throws(SystemError) {
    var byVersion: [UInt64: (process: Int, readers: Int)] = [:]
    for index in 0..<table.used {
      guard
        let slot = try reader.block(
          at: table.start + index * table.slotBytes, count: table.slotBytes),
        let version = slot.bits(0), let process = slot.little(table.processOffset, 4), process != 0,
        version != 0, version < 1 << 62
      else { continue }
      count += 1
      oldest = min(oldest ?? version, version)
      if byVersion.count < VersionReport.maxHeld || byVersion[version] != nil {
        byVersion[version, default: (process, 0)].readers += 1
      }
    }
    held = byVersion.sorted { $0.key < $1.key }.map {
      HeldVersion(version: $0.key, process: $0.value.process, readers: $0.value.readers)
    }
  }
}
