// Seed files: copied once, completely or not at all.
import Glibc
import SystemIO
import TestSupport
import Testing

@testable import StorageEngine

@Suite("Seed files")
struct SeedTests {
  private func options(_ seed: FilePath) -> DatabaseOptions {
    var options = DatabaseOptions()
    options.seedFile = seed
    return options
  }

  private func makeSeed(_ bench: Workbench) throws -> FilePath {
    let database = try bench.open("seed")
    try database.write { try $0.put($1, 1, [1]) }
    try database.close()
    return bench.path("seed")
  }

  private func value(_ database: Database) throws -> [UInt8]? {
    let snapshot = try database.beginSnapshot()
    defer { snapshot.end() }
    return try snapshot.value(try #require(snapshot.table("rows")), 1)
  }

  @Test(
    "the first opening has the seed's rows, later ones their own, and the seed file is not changed")
  func planting() throws {
    let bench = try Workbench()
    let seed = try makeSeed(bench)
    let before = try FileSystem.read(seed)
    let first = try bench.open("data", options(seed))
    #expect(try value(first) == [1])
    try first.write { try $0.put($1, 1, [2]) }
    try first.close()
    let second = try bench.open("data", options(seed))
    #expect(try value(second) == [2])
    try second.close()
    #expect(try FileSystem.read(seed) == before)
    #expect(!FileSystem.exists(bench.path("data.seeding")))
  }

  @Test("the database has the seed file's access rights, and its owner may write it")
  func access() throws {
    let bench = try Workbench()
    let seed = try makeSeed(bench)
    try FileSystem.give(.telling, to: seed)
    try bench.open("data", options(seed)).close()
    try #expect(FileAccessRights(of: bench.path("data")) == .telling)
    var frozen = FileAccessRights.telling
    (frozen.mode, frozen.attributes) = (0o400, [:])
    try FileSystem.give(frozen, to: seed)
    // The leftover of an interrupted copy is not reused.
    try FileSystem.write([1, 2, 3], to: bench.path("again.seeding"))
    try bench.open("again", options(seed)).close()
    try #expect(FileAccessRights(of: bench.path("again")).mode == 0o600)
    #expect(!FileSystem.exists(bench.path("again.seeding")))
  }

  @Test("a missing seed file is ignored if the database exists")
  func notLookedAt() throws {
    let bench = try Workbench()
    try bench.open().close()
    let database = try bench.open("data", options(bench.path("missing")))
    try database.close()
  }

  @Test("a seed file that is missing, damaged or not a database is refused, and nothing is left")
  func useless() throws {
    let bench = try Workbench()
    let seed = try makeSeed(bench)
    var damaged = try FileSystem.read(seed)
    for byteOffset in [4096 + 20, 8192 + 20] { damaged[byteOffset] ^= 1 }
    try FileSystem.write(damaged, to: bench.path("damaged"))
    try FileSystem.write(Array("no database".utf8), to: bench.path("text"))
    let names = try FileSystem.list(bench.folder)
    for (name, code) in [
      ("missing", StorageError.Code.failed), ("text", .notADatabase), ("damaged", .corrupt),
    ] {
      let error = try #require(throws: StorageError.self) {
        try bench.open("data", options(bench.path(name)))
      }
      #expect(error.code == code && error.message.contains(name), "\(error)")
      #expect(try FileSystem.list(bench.folder) == names)
    }
  }

  @Test(
    "a failure at any step leaves no database, and a power cut leaves none or a complete one")
  func failures() throws {
    let bench = try Workbench()
    let image = try FileSystem.read(try makeSeed(bench))
    let seed = FilePath("/seed")
    let path = FilePath("/data")
    // Counted once, then failed one by one.
    var steps: [FaultyVolume.Operation] = []
    let counting = FaultyVolume(files: [seed: image])
    counting.beforeOperation = { _, operation, name in
      if name != path || operation == .rename { steps.append(operation) }
    }
    try Database.copySeedFile(path, counting, options(seed))
    #expect(counting.exists(path) && steps.contains(.rename) && steps.last == .syncFolder)
    for operation in Set(steps) {
      for occurrence in 1...steps.count(where: { $0 == operation }) {
        let volume = FaultyVolume(files: [seed: image])
        volume.fail(operation, occurrence: occurrence, code: EIO)
        #expect(throws: StorageError.self) {
          try Database.copySeedFile(path, volume, options(seed))
        }
        #expect(volume.exists(path) == (operation == .syncFolder))
        #expect(!volume.exists("/data.seeding"))
      }
    }
  }
}
