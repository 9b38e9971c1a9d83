import SystemIO
import TestSupport
import Testing

@testable import TraceEmitter

@Suite("Keys in a trace")
struct KeyHasherTests {
  private let secret = TraceSecret(low: 0x0706_0504_0302_0100, high: 0x0f0e_0d0c_0b0a_0908)

  @Test(
    "hashes are those of SipHash-2-4's reference implementation",
    arguments: [
      (0, 0x726f_db47_dd0e_0e31), (1, 0x74f8_39c5_93dc_67fd), (8, 0x93f5_f579_9a93_2462),
      (15, 0xa129_ca61_49be_45e5),
    ] as [(Int, UInt64)])
  func reference(_ count: Int, _ expected: UInt64) {
    let message = (0..<count).map { UInt8($0) }
    let hash = message.withUnsafeBytes {
      SipState.hash($0, low: 0x0706_0504_0302_0100, high: 0x0f0e_0d0c_0b0a_0908)
    }
    #expect(hash == expected)
  }

  @Test("equal keys have equal numbers under one secret, and others under another")
  func secrets() {
    let hasher = KeyHasher(secret, keepsOrder: false)
    let other = KeyHasher(TraceSecret(), keepsOrder: false)
    let keys: [TraceKey] = [.integer(5), .text("5"), .bytes([53]), .text(""), .bytes([])]
    let numbers = keys.map { hasher.number(of: $0) }
    #expect(numbers == keys.map { hasher.number(of: $0) })
    #expect(Set(numbers).count == keys.count)
    #expect(Set(numbers).isDisjoint(with: keys.map { other.number(of: $0) }))
  }

  @Test("ordered keys are different, keep their order, and stay within a factor of six")
  func order() {
    let seed = testSeed(11)
    var random = SeededRandom(seed: seed)
    let ordered = KeyHasher(TraceSecret(low: seed, high: 3), keepsOrder: true)
    var keys = Set<Int64>([0, -1, .min, .max])
    for shift in 0..<61 {
      for _ in 0..<20 { keys.insert(Int64(random.below(1 << shift)) - 3) }
      keys.formUnion([1 << shift, (1 << shift) - 1, -(1 << shift)])
    }
    let sorted = keys.sorted()
    let numbers = sorted.map { ordered.number(of: .integer($0)) }
    #expect(zip(numbers, numbers.dropFirst()).allSatisfy { $0 < $1 }, "SEED=\(seed)")
    for (key, number) in zip(sorted, numbers) where key > 0 && key < 1 << 61 {
      #expect(number >= key && number / 6 <= key, "SEED=\(seed): \(key) became \(number)")
    }
    let other = KeyHasher(TraceSecret(low: seed, high: 4), keepsOrder: true)
    let large = sorted.filter { $0 > 1 << 20 }
    #expect(large.allSatisfy { ordered.number(of: .integer($0)) != other.number(of: .integer($0)) })
  }

  @Test("no key, no hashed name and no secret is in the file", arguments: [false, true])
  func privacy(_ keepsOrder: Bool) throws {
    try withTemporaryFolder { folder in
      let path = folder.appending("app.jsonl")
      let emitter = TraceEmitter(path) {
        $0.secret = secret
        $0.keepsIntegerOrder = keepsOrder
        $0.hashesTableNames = true
      }
      let table = emitter.table("Patients")
      let transaction = emitter.beginWrite()
      transaction.put(table, key: .text("ada@example.org"), bytes: 321)
      transaction.put(table, key: .bytes(Array("ada@example.org".utf8)), bytes: 322)
      transaction.put(table, key: .integer(491_512_345_678), bytes: 323)
      transaction.commit()
      emitter.close()
      let text = try FileSystem.readText(path)
      #expect(text.contains("\"size\":321") && text.contains("\"size\":323"))
      let secrets = [secret.low, secret.high].flatMap { [String($0), String($0, radix: 16)] }
      for word in ["ada", "example", "Patients", "491512345678", "727082d7ae"] + secrets {
        #expect(!text.contains(word), "\(word)")
      }
      let name = "table-" + emitter.hasher.digits(ofName: "Patients")
      #expect(try EmittedTrace(text: text).tables.map(\.name) == [name])
    }
  }
}
