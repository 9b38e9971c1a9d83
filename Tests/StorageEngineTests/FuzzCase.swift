// One input of the fuzzer: a sound file is damaged as the input says, the checksums above the damage are recomputed so
// that the parsers behind them are reached, and the file is opened, read, audited, written to and closed; with the option,
// it is captured and inspected before, as `inspect` does with a file in use. Errors are the expected result; traps, stray
// reads and endless loops are the bugs to find.
import SystemIO

@testable import StorageEngine

/// ```
/// image:8 │ options:8 │ edit … ;  edit: region:8 offset:24 count:8 bytes …;  image 255: the rest is the file itself
/// ```
struct FuzzCase {
  private var rest: Slice<UnsafeRawBufferPointer>

  init(_ input: UnsafeRawBufferPointer) { rest = input[...] }

  private mutating func next() -> Int? { rest.popFirst().map { Int($0) } }

  private mutating func next24() -> Int? {
    guard let low = next(), let middle = next(), let high = next() else { return nil }
    return low | middle << 8 | high << 16
  }

  /// Damages, opens and uses one file. Returns the error's code, or nil if there was none.
  mutating func run() -> StorageError.Code? {
    guard let choice = next(), let flags = next() else { return nil }
    if choice == 255 {
      let file = GuardedFile(UnsafeRawBufferPointer(rebasing: rest))
      return Self.use(file, flags)
    }
    let image = FuzzImage.all[choice % FuzzImage.all.count]
    let file = image.bytes.withUnsafeBytes { GuardedFile($0) }
    while let region = next(), let offset = next24(), let count = next() {
      var target = image.range(region, offset)
      for _ in 0...count % 16 {
        guard let byte = next(), !target.isEmpty else { break }
        file.bytes[target.lowerBound] = UInt8(byte)
        target = target.dropFirst()
      }
    }
    image.recomputeChecksums(in: file.bytes)
    return Self.use(file, flags)
  }

  private static func options(_ flags: Int) -> DatabaseOptions {
    var options = DatabaseOptions(
      durability: .none, reclamation: flags & 1 == 0 ? .exact : .oldestReader,
      verification: flags & 2 == 0 ? .newestCommit : .everything, growthStep: 8192)
    options.automaticCompaction = AutomaticCompaction(
      minimumFile: 8192, freeToUsedTrigger: 0.5, minimumLimit: 16384)
    options.readOnly = flags & 4 != 0
    return options
  }

  private static func use(_ file: GuardedFile, _ flags: Int) -> StorageError.Code? {
    let options = options(flags)
    if flags & 8 != 0 { inspectImage(of: file) }
    do throws(StorageError) {
      let database = try Database.open(file: file, options: options)
      var met: StorageError.Code?
      do throws(StorageError) { try useRows(database, options) } catch { met = error.code }
      do throws(StorageError) {
        if try !database.audit().violations.isEmpty { met = met ?? .corrupt }
      } catch {
        met = met ?? error.code
      }
      try database.close()
      return met
    } catch {
      return error.code
    }
  }

  /// Inspects a captured version of the file. What is captured matches its checksums, but may still be nonsense.
  private static func inspectImage(of file: GuardedFile) {
    do throws(StorageError) {
      let bytes = UnsafeRawBufferPointer(file.bytes)
      var capture = try VersionCapture { buffer, offset in
        let count = max(0, min(buffer.count, bytes.count - offset))
        if count > 0 { buffer.copyMemory(from: .init(rebasing: bytes[offset..<offset + count])) }
        return count
      }
      let found = try capture.run(.nodes, maxPasses: 1)
      let database = try FileImage.database(
        capture.image, found.slot, FileSession(), "fuzzed", DatabaseOptions())
      _ = try found.isWhole ? database.inspect() : database.inspectRecords()
    } catch {
      precondition(!error.message.isEmpty)
    }
  }

  private static func useRows(
    _ database: Database, _ options: DatabaseOptions
  ) throws(StorageError) {
    try readAll(database)
    guard !options.readOnly else { return }
    let held = try database.beginSnapshot(label: "fuzz")
    defer { held.end() }
    for round in 0..<3 {
      let transaction = try database.beginWrite()
      do throws(StorageError) {
        let rows = try transaction.table("rows")
        for key in stride(from: Int64(round), to: 60, by: 4) {
          _ = try transaction.delete(rows, key)
          try [UInt8](repeating: UInt8(key), count: Int(key) * 5).withBytes {
            (bytes) throws(StorageError) in try transaction.put(rows, key + 1, bytes)
          }
        }
      } catch {
        transaction.rollBack()
        throw error
      }
      try transaction.commit()
    }
    try readAll(database)
  }

  private static func readAll(_ database: Database) throws(StorageError) {
    let snapshot = try database.beginSnapshot()
    defer { snapshot.end() }
    var sum = 0
    for name in ["rows", "names"] {
      guard let table = snapshot.table(name) else { continue }
      if table.keyKind == .int64 {
        for key in Int64(0)..<20 { _ = try snapshot.get(table, key) { sum &+= $0.count } }
        _ = try snapshot.scan(table) { _, bytes in for byte in bytes { sum &+= Int(byte) } }
      } else {
        _ = try snapshot.scan(table, from: UnsafeRawBufferPointer(start: nil, count: 0)) {
          key, bytes in sum &+= key.count &+ bytes.reduce(0) { $0 &+ Int($1) }
        }
      }
    }
  }
}

/// A sound file, and the offsets of its parts.
struct FuzzImage {
  let bytes: [UInt8]
  private let slot: CommitSlot
  private let pieces: [Extent]
  /// The roots of the tables, and the offsets of their checksums in the record.
  private let roots: [(ref: BlockRef, kind: KeyKind, checksumAt: Int)]

  static let all: [FuzzImage] = [
    FuzzImage(commits: 40, rows: 30, widest: 200, settled: false),
    FuzzImage(commits: 3, rows: 400, widest: 60, settled: true),
    FuzzImage(commits: 6, rows: 8, widest: 9000, settled: false),
  ]

  private init(commits: Int, rows: Int, widest: Int, settled: Bool) {
    let file = GuardedFile(UnsafeRawBufferPointer(start: nil, count: 0))
    do {
      try Self.fill(file, commits, rows, widest, settled)
      bytes = Array(file.bytes)
      guard
        let slot = [Layout.slotOffsets.0, Layout.slotOffsets.1]
          .compactMap({ CommitSlot(file.base, at: $0) }).max(by: { $0.version < $1.version })
      else { preconditionFailure("A sound file has a commit slot.") }
      self.slot = slot
      let chain = try RecordChain(slot, base: FileView(plain: file.base))
      let pieces = Array(chain.pieces(ofRecord: chain.count - 1))
      self.pieces = pieces
      roots = chain.newest.tables.compactMap { table in
        let referenceOffset = pieces.lazy.flatMap { $0.offset..<$0.end - 8 }.first {
          file.base.u64($0) == table.root.root.checksum
        }
        return referenceOffset.map { (table.root.root, table.root.kind, $0) }
      }
    } catch {
      preconditionFailure("A sound file cannot be made: \(error)")
    }
  }

  private static func fill(
    _ file: GuardedFile, _ commits: Int, _ rows: Int, _ widest: Int, _ settled: Bool
  ) throws {
    let options = DatabaseOptions(
      durability: .none, growthStep: 8192, verifiedCommitLimit: settled ? 0 : 4 << 20)
    let database = try Database.open(file: file, options: options)
    for commit in 0..<commits {
      let transaction = try database.beginWrite()
      let table = try transaction.table("rows")
      let names = try transaction.table("names", .bytes)
      for key in 0..<rows where (key + commit) % 3 != 0 {
        let value = [UInt8](repeating: UInt8(key & 0xFF), count: (key * 37 + commit) % widest)
        try value.withBytes { (bytes) throws(StorageError) in
          try transaction.put(table, Int64(key), bytes)
          try [1, UInt8(key & 0xFF), 2].withBytes { (key) throws(StorageError) in
            try transaction.put(names, key, bytes)
          }
        }
      }
      try transaction.commit()
    }
    try database.close()
  }

  /// The range that an edit changes: anywhere, in the slot, in the record, in the header, or in a root.
  func range(_ region: Int, _ offset: Int) -> Range<Int> {
    let whole: Range<Int>
    switch region % 6 {
    case 0: whole = 0..<bytes.count
    case 1:
      let start = Layout.slotOffset(of: slot.version)
      whole = start..<start + CommitSlot.size
    case 2, 3:
      let piece = pieces[offset / 4096 % pieces.count]
      let start = piece.offset + (region % 6 == 2 ? RecordPiece.headerSize : 0)
      whole = start..<piece.end
    case 4: whole = 0..<FileHeader.size
    default:
      guard !roots.isEmpty else { return 0..<0 }
      let root = roots[offset / 16384 % roots.count].ref
      whole = root.offset..<root.end
    }
    return whole.lowerBound + offset % whole.count..<whole.upperBound
  }

  /// Recomputes the checksums of roots, record, slot and header.
  func recomputeChecksums(in bytes: UnsafeMutableRawBufferPointer) {
    guard let base = bytes.baseAddress else { return }
    for root in roots {
      let sum = Checksum.of(base + root.ref.offset, count: root.ref.space, seed: root.ref.birth)
      base.put64(sum, root.checksumAt)
    }
    let at = Layout.slotOffset(of: slot.version)
    for index in pieces.indices.reversed() {
      let sum = Checksum.of(
        base + pieces[index].offset, count: pieces[index].size, seed: slot.version)
      base.put64(sum, index > 0 ? pieces[index - 1].offset + 32 : at + 32)
    }
    let version = UnsafeRawPointer(base).u64(at + 8)
    base.put64(Checksum.of(base + at, count: 56, seed: version), at + 56)
    let magic = UnsafeRawPointer(base).u64(0)
    base.put64(Checksum.of(base, count: 56, seed: magic), 56)
  }
}
