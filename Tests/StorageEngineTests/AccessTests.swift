// The access rights of files beside a database and of files that replace it.
import SystemIO
import TestSupport
import Testing

@testable import StorageEngine

@Suite("Access rights of a database")
struct AccessTests {
  private func key(_ byte: UInt8) -> EncryptionKey {
    EncryptionKey([UInt8](repeating: byte, count: EncryptionKey.size))
  }

  @Test("a compaction keeps the access rights, with or without a change of the key")
  func keys() throws {
    let bench = try Workbench()
    var options = DatabaseOptions()
    options.sharing = .exclusive
    let database = try bench.open("data", options)
    try fill(database)
    try FileSystem.give(.telling, to: bench.path())
    for encryption in [CopyEncryption.same, .key(key(1)), .key(key(2)), .same, .none] {
      try thin(database)
      guard case .compacted = try database.compact(encryption: encryption) else {
        Issue.record("nothing stood in the way of \(encryption)")
        return
      }
      try #expect(FileAccessRights(of: bench.path()) == .telling)
    }
  }

  @Test("the lock file has the access rights of the database")
  func lockFile() throws {
    let bench = try Workbench()
    try bench.open().close()
    try FileSystem.give(.telling, to: bench.path())
    let database = try bench.open()
    let lock = try FileAccessRights(of: FileSession.path(beside: bench.path()))
    var expected = FileAccessRights.telling
    expected.attributes = expected.attributes.filter { $0.key.hasPrefix("system.") }
    #expect(lock == expected)
    try database.close()
  }

  @Test("a database whose file was removed can be copied, accessible only to its owner")
  func removedFile() throws {
    let bench = try Workbench()
    let database = try bench.open()
    try fill(database)
    try FileSystem.removeFile(bench.path())
    try database.writeCopy(to: bench.path("saved"))
    try #expect(FileAccessRights(of: bench.path("saved")).mode == 0o600)
    #expect(try bench.open("saved").checkedAudit().rows == database.checkedAudit().rows)
  }
}
