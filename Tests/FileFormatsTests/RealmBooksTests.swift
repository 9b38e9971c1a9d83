import SystemIO
import TestSupport
import Testing

@testable import FileFormats

@Suite("What a Realm file's newest version has of the file is read beside its engine")
struct RealmBooksTests {
  private func books(_ bytes: [UInt8]) throws -> RealmBooks? {
    try withTemporaryFolder { folder in
      let path = folder.appending("data.realm")
      try FileSystem.write(bytes, to: path)
      return try RealmFile(path).books()
    }
  }

  @Test(
    "elements of every width are read as they were written",
    arguments: [
      (0, [0, 0, 0]), (1, [1, 0, 1, 1, 0, 0, 0, 1, 1]), (2, [3, 1, 0, 2, 3]), (4, [15, 0, 9]),
      (8, [-128, 127, 0]), (16, [-32768, 32767, 5]), (32, [-2_147_483_648, 2_147_483_647]),
      (64, [Int.min, Int.max, 0, -1]),
    ])
  func widths(bits: Int, elements: [Int]) throws {
    try withTemporaryFolder { folder in
      let path = folder.appending("array")
      let bytes = packed(elements, bits: bits)
      try FileSystem.write([UInt8](repeating: 7, count: 24) + bytes, to: path)
      let array = try #require(try RealmFile(path).array(at: 24))
      #expect((0..<array.count).map { array[$0] } == elements)
      #expect(array.bytes == bytes.count)
    }
  }

  @Test("a file that a compaction wrote in one go names its version at its end")
  func streaming() throws {
    let image = RealmFileImage(free: [(1000, 80, 0)])
    let books = try #require(try books(image.bytes(streaming: true).file))
    #expect(books.freeBlocks == [.init(offset: 1000, bytes: 80, freed: 0)])
  }

  @Test("what is no Realm file, or ends too early, has no books")
  func others() throws {
    let whole = RealmFileImage(free: [(1000, 80, 0)]).bytes()
    try #expect(books([]) == nil)
    try #expect(books([UInt8](repeating: 0, count: 8192)) == nil)
    for length in stride(from: 1, to: whole.books, by: 7) {
      try #expect(books(Array(whole.file.prefix(length))) == nil, "\(length) bytes")
    }
  }
}

@Suite("A lock file lists the versions in use")
struct RealmLockFileTests {
  /// A list of 32 entries behind that many bytes of mutexes.
  private func image(
    _ entries: [(version: Int, live: Int, frozen: Int)], newest: Int, before: Int = 432
  ) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: before)
    bytes[6] = 14
    bytes[12] = 3
    bytes += [32, 0, 0, 0, 0, 0, 0, 0, UInt8(newest), 0, 0, 0, 0, 0, 0, 0]
    for index in 0..<32 {
      let entry = index < entries.count ? entries[index] : (version: 0, live: 0, frozen: 0)
      bytes += littleEndian(UInt64(entry.version)) + littleEndian(.max) + littleEndian(.max)
      for count in [entry.live, entry.frozen, 0, 0] {
        bytes += littleEndian(UInt64(count), bytes: 4)
      }
    }
    return bytes
  }

  private func read(_ bytes: [UInt8]) throws -> RealmLockFile? {
    try withTemporaryFolder { folder in
      let path = folder.appending("data.realm.lock")
      try FileSystem.write(bytes, to: path)
      return try RealmLockFile(path)
    }
  }

  @Test(
    "versions are those that a reader holds and the newest, however long the mutexes are",
    arguments: [64, 432, 600])
  func versions(before: Int) throws {
    let entries = [(11, 0, 0), (9, 2, 0), (0, 5, 5), (10, 0, 0), (8, 0, 1)]
    try withTemporaryFolder { folder in
      let path = folder.appending("data.realm.lock")
      try FileSystem.write(image(entries, newest: 0, before: before), to: path)
      let lock = try #require(try RealmLockFile(path))
      try #expect(lock.versions() == [8, 9, 11])
      try #expect(lock.participants() == 3)
    }
  }

  @Test("another layout is none")
  func otherLayout() throws {
    var bytes = image([(1, 0, 0)], newest: 0)
    bytes[6] = 13
    #expect(try read(bytes) == nil)
    bytes[6] = 14
    #expect(try read(bytes) != nil)
    #expect(try read(bytes.dropLast(8)) == nil)
    #expect(try read([]) == nil)
  }
}
