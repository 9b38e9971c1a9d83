// What must never happen under AES-GCM: two seals with one nonce under one key. Every entry that reaches the file is
// recorded; its salt names the key, its counter the nonce.
import SystemIO
import TestSupport
import Testing

@testable import StorageEngine

/// Passes everything to a file in memory and records the salt and the counter of each seal that is written.
private final class SealRecorder: StorageFile, @unchecked Sendable {
  private let inner: FaultyStorageFile
  private(set) var seals: [[UInt8]] = []
  private let layout = EncryptedLayout.adjacentEntries

  init(_ inner: FaultyStorageFile) { self.inner = inner }

  private func record(_ bytes: UnsafeRawBufferPointer, at offset: Int) {
    guard offset >= Layout.pageSize else { return }
    // A commit slot or clean mark is one entry with its bytes, units follow each other.
    let step = offset < Layout.blocksStart ? bytes.count : layout.unit + 40
    if offset >= Layout.blocksStart, (offset - Layout.blocksStart) % step != 0 {
      Issue.record("A write begins within a unit, at \(offset).")
    }
    for entry in stride(from: 0, to: bytes.count, by: step) {
      seals.append(Array(bytes[entry..<entry + 24]))
    }
  }

  func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(SystemError) {
    record(bytes, at: offset)
    try inner.write(bytes, at: offset)
  }

  func write(_ pieces: [UnsafeRawBufferPointer], at offset: Int) throws(SystemError) {
    preconditionFailure("Units are written in one piece.")
  }

  var size: Int { inner.size }
  var base: UnsafeRawPointer { inner.base }
  var bytesWritten: Int { inner.bytesWritten }
  var syncCount: Int { inner.syncCount }
  func resize(to size: Int) throws(SystemError) { try inner.resize(to: size) }
  func sync() throws(SystemError) { try inner.sync() }
  func inheritAccess(of original: FilePath, as role: AccessRole) throws(SystemError) {
    inner.inheritAccess(of: original, as: role)
  }
}

@Suite("Nonces")
struct NonceTests {
  private func options(_ durability: DatabaseOptions.Durability) -> DatabaseOptions {
    var options = DatabaseOptions(durability: durability)
    options.encryptionKey = EncryptionKey((0..<64).map { UInt8($0) })
    // Commits that sync their contents first, so that units are flushed within a commit.
    options.verifiedCommitLimit = 16 << 10
    options.growthStep = 64 << 10
    return options
  }

  /// Small and large commits, a load of which the units do not stay decrypted, deletions, savepoints, and closing.
  private func live(
    _ file: SealRecorder, _ durability: DatabaseOptions.Durability, _ random: inout SeededRandom
  ) throws {
    let database = try Database.open(file: file, options: options(durability))
    try database.write { transaction, table in
      for key in Int64(0)..<4000 { try transaction.put(table, key, row(key, 0, count: 200)) }
    }
    for commit in 0..<60 {
      try database.write { transaction, table in
        for _ in 0..<(commit % 10 == 0 ? 200 : 5) {
          let key = Int64(random.below(4000))
          if random.below(3) == 0 {
            _ = try transaction.delete(table, key)
          } else {
            try transaction.put(table, key, row(key, commit, count: 100 + random.below(900)))
          }
        }
      }
    }
    try database.checkedAudit()
    try database.close()
  }

  @Test(
    "no nonce is used twice under one key: within openings, over openings, and after power cuts",
    arguments: [DatabaseOptions.Durability.full, .none])
  func unique(_ durability: DatabaseOptions.Durability) throws {
    let seed = testSeed()
    var random = SeededRandom(seed: seed)
    var seals: [[UInt8]] = []
    var image: [UInt8] = []
    for opening in 0..<4 {
      let disk = image.isEmpty ? FaultyStorageFile() : FaultyStorageFile(image: image)
      let file = SealRecorder(disk)
      try live(file, durability, &random)
      #expect(file.seals.count > 1000)
      // Each opening has one salt, and its counter begins anew.
      #expect(Set(file.seals.map { $0.prefix(16) }).count == 1)
      seals += file.seals
      // Every other opening is lost as a whole: the next one writes the same versions again.
      if opening % 2 == 0 { image = disk.liveBytes }
    }
    #expect(Set(seals).count == seals.count, "SEED=\(seed)")
  }

  private let layout = EncryptedLayout.adjacentEntries

  private func fill(_ database: Database, _ generation: Int) throws {
    try database.write { transaction, table in
      for key in Int64(0)..<200 {
        try transaction.put(table, key, row(key, generation, count: 150))
      }
    }
  }

  @Test("an aborted commit's nonces are never used again")
  func nonces() throws {
    let file = FaultyStorageFile()
    let database = try Database.open(file: file, options: options(.none))
    try fill(database, 0)
    try file.sync()
    let durable = file.liveBytes
    var entries: [Int: Set<[UInt8]>] = [:]
    var written = 0
    // The same commit again and again, each time lost.
    for _ in 0..<6 {
      let again = FaultyStorageFile(image: durable)
      try fill(try Database.open(file: again, options: options(.none)), 1)
      let image = again.liveBytes
      for unit in 0..<(layout.logical(image.count) - 12288) / layout.unit {
        let byteOffset = layout.entryOffset(of: unit)
        let entry = Array(image[byteOffset..<byteOffset + 24])
        guard
          byteOffset + 24 > durable.count || entry != Array(durable[byteOffset..<byteOffset + 24]),
          entry.contains(where: { $0 != 0 })
        else { continue }
        entries[unit, default: []].insert(entry)
        written += 1
      }
    }
    #expect(written > 6)
    #expect(entries.values.reduce(0) { $0 + $1.count } == written)
    #expect(Set(entries.values.joined()).count == written)
  }
}
