// Damage under valid checksums, because it was forged or happened before the checksum was computed: the parsers must
// refuse it with an error, and no number in the file may end the process.
import SystemIO
import TestSupport
import Testing

@testable import StorageEngine

@Suite("Forged bytes")
struct ForgedBytesTests {
  private func image() throws -> [UInt8] {
    let file = FaultyStorageFile()
    let options = DatabaseOptions(durability: .none, growthStep: 8192)
    let database = try Database.open(file: file, options: options)
    for commit in 0..<40 {
      try database.write { transaction, table in
        let names = try transaction.table("names", .bytes)
        for key in Int64(0)..<30 where (Int(key) + commit) % 3 != 0 {
          try transaction.put(table, key, row(key, commit, count: Int(key) * 7))
          try transaction.put(names, [1, UInt8(key)], row(key, commit, count: 20))
        }
      }
    }
    try database.close()
    return file.liveBytes
  }

  /// Opens the file and reads everything; fails the test on any error other than those of damage.
  private func probe(_ bytes: [UInt8], _ context: @autoclosure () -> String) {
    do throws(StorageError) {
      let database = try Database.open(
        file: FaultyStorageFile(image: bytes), options: Workbench.fast)
      let snapshot = try database.beginSnapshot()
      for name in ["rows", "names"] {
        guard let table = snapshot.table(name) else { continue }
        do throws(StorageError) {
          if table.keyKind == .int64 {
            _ = try snapshot.rows(table)
          } else {
            _ = try snapshot.scan(table, from: UnsafeRawBufferPointer(start: nil, count: 0)) {
              _, _ in
            }
          }
        } catch {
          #expect(error.code == .corrupt, "\(context()): \(error)")
        }
      }
      do throws(StorageError) { _ = try database.audit() } catch {
        #expect(error.code == .corrupt, "\(context()): \(error)")
      }
      snapshot.end()
      try database.close()
    } catch {
      #expect([.corrupt, .truncated].contains(error.code), "\(context()): \(error)")
    }
  }

  /// The newest slot of a file.
  private func newest(_ bytes: UnsafeRawPointer) throws -> CommitSlot {
    let slots = [Layout.slotOffsets.0, Layout.slotOffsets.1].compactMap {
      CommitSlot(bytes, at: $0)
    }
    return try #require(slots.max { $0.version < $1.version })
  }

  @Test("a commit slot with arbitrary numbers opens soundly or is refused")
  func slots() throws {
    let good = try image()
    var random = SeededRandom(seed: testSeed())
    let numbers: [UInt64] = [
      0, 1, 7, 8, 4096, 12_288, 1 << 42, (1 << 42) + 8, 1 << 56, (1 << 56) - 1, (1 << 56) - 2,
      UInt64.max, UInt64.max - 1, 1 << 63, (1 << 63) - 1,
    ]
    for byteOffset in [8, 16, 24, 40] {
      for number in numbers + (0..<40).map({ _ in random.next() >> UInt64(random.below(64)) }) {
        var bytes = good
        try bytes.withUnsafeMutableBytes { raw in
          let base = try #require(raw.baseAddress)
          let at = Layout.slotOffset(of: try newest(base).version)
          base.put64(number, at + byteOffset)
          let version = UnsafeRawPointer(base).u64(at + 8)
          // A version of the other parity belongs in the other slot.
          let target = Layout.slotOffset(of: version)
          if target != at { (base + target).copyMemory(from: base + at, byteCount: 56) }
          base.put64(Checksum.of(base + target, count: 56, seed: version), target + 56)
        }
        probe(bytes, "seed \(random.seed), \(number) at \(byteOffset) of the slot")
      }
    }
  }

  @Test("a commit record with any byte forged under valid checksums opens or is refused")
  func records() throws {
    let good = try image()
    var random = SeededRandom(seed: testSeed())
    for round in 0..<4000 {
      var bytes = good
      try bytes.withUnsafeMutableBytes { raw in
        let base = try #require(raw.baseAddress)
        var slot = try newest(base)
        let space = BlockSpace(base: FileView(plain: base), end: slot.fileSize)
        let pieces = try RecordChain.record(slot.record, version: slot.version, space).pieces
        let piece = pieces[random.below(pieces.count)]
        let payload = Int(UnsafeRawPointer(base).u32(piece.offset + 4))
        for _ in 0...random.below(3) {
          let byteOffset = piece.offset + RecordPiece.headerSize + random.below(max(1, payload))
          let edge: [UInt8] = [0, 1, 0x7F, 0x80, 0xFF, UInt8(random.below(256))]
          base.put8(edge[random.below(edge.count)], byteOffset)
        }
        for index in pieces.indices.reversed() {
          let sum = Checksum.of(
            base + pieces[index].offset, count: pieces[index].size, seed: slot.version)
          if index > 0 {
            base.put64(sum, pieces[index - 1].offset + 32)
          } else {
            slot.record.checksum = sum
          }
        }
        slot.encode(into: base + Layout.slotOffset(of: slot.version))
      }
      probe(bytes, "seed \(random.seed), round \(round)")
    }
  }

  @Test("a reference in a file that looks like one to memory is an error, not an address")
  func forgedAddress() throws {
    let file = FaultyStorageFile()
    let database = try Database.open(file: file, options: Workbench.fast)
    try database.write { transaction, table in
      for key in Int64(0)..<640 { try transaction.put(table, key, row(key, 0, count: 200)) }
    }
    let root = database.storeForTests.readers.newest.roots[0].root
    let node = Node(file.base + root.offset)
    let byteOffset = Int(node.slot(0, .int64) & 0xFFFF)
    let word = (file.base + root.offset).u64(byteOffset + 8) | 1 << 63
    try withUnsafeBytes(of: word.littleEndian) {
      try file.write($0, at: root.offset + byteOffset + 8)
    }
    let snapshot = try database.beginSnapshot()
    let table = try #require(snapshot.table("rows"))
    let read = #expect(throws: StorageError.self) { try snapshot.value(table, 0) }
    #expect(read?.code == .corrupt)
    let transaction = try database.beginWrite()
    let inside = #expect(throws: StorageError.self) { try transaction.value(table, 0) }
    #expect(inside?.code == .corrupt)
    let delete = #expect(throws: StorageError.self) { try transaction.delete(table, 0) }
    #expect(delete?.code == .corrupt)
    #expect(try !database.audit().violations.isEmpty)
  }
}
