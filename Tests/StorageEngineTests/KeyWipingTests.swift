// The key of an encrypted file does not stay in memory.
import Synchronization
import SystemIO
import TestSupport
import Testing

@testable import Encryption
@testable import StorageEngine

@Suite("Keys of databases in memory")
struct KeyWipingTests {
  @Test("the key is wiped from memory when the database and the options with it are released")
  func wipedKey() throws {
    let bytes = (0..<64).map { UInt8($0 * 3) ^ 0x5B }
    let released = Mutex<(count: Int, residue: [UInt8])>((0, []))
    let address = Mutex<UInt>(0)
    SecretBytes.observers.withLock {
      $0["\(Self.self)"] = { step, memory in
        let start = UInt(bitPattern: memory.baseAddress)
        switch step {
        case .willWipe: if Array(memory) == bytes { address.withLock { $0 = start } }
        case .didWipe:
          guard address.withLock({ $0 == start }) else { return }
          address.withLock { $0 = 0 }
          released.withLock { $0 = ($0.count + 1, $0.residue + memory.filter { $0 != 0 }) }
        }
      }
    }
    defer { SecretBytes.observers.withLock { $0["\(Self.self)"] = nil } }
    let bench = try Workbench()
    do {
      var options = DatabaseOptions(durability: .none)
      options.encryptionKey = EncryptionKey(bytes)
      let database = try bench.open("data", options)
      try database.write { try $0.put($1, 1, row(1, 0, count: 100)) }
      try database.writeCopy(to: bench.path("copy"), encryptionKey: EncryptionKey(bytes))
      // That of the copy.
      #expect(released.withLock { $0.count } == 1)
      try database.close()
    }
    #expect(released.withLock { $0.count } == 2)
    #expect(released.withLock { $0.residue } == [])
  }
}
