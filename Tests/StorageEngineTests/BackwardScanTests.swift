// Scans in descending order beside ascending ones.
import Foundation
import SystemIO
import TestSupport
import Testing

@testable import StorageEngine

@Suite("Scans backward")
struct BackwardScanTests {
  @Test(
    "a scan backward from any key has the rows before it, last first, in snapshots and transactions",
    arguments: [false, true])
  func reversed(_ isEncrypted: Bool) throws {
    var random = SeededRandom(seed: testSeed(31))
    let volume = FaultyVolume()
    var options = DatabaseOptions(durability: .none)
    if isEncrypted { options.encryptionKey = EncryptionKey((0..<64).map { UInt8($0) }) }
    let database = try Database.open(path: "/backward.db", on: volume, options: options)
    defer { try? database.close() }
    let transaction = try database.beginWrite()
    let numbers = try transaction.table("numbers", .int64)
    let words = try transaction.table("words", .bytes)
    func check(
      _ scanNumbers: (Int64?, Int) throws -> [Int64],
      _ scanWords: ([UInt8], Int) throws -> [[UInt8]],
      _ known: Set<Int64>
    ) throws {
      let all = known.sorted()
      for limit in [1, 3, 500, Int.max] {
        let bound = Int64(random.below(5200)) - 100
        let wanted = all.filter { $0 < bound }.reversed().prefix(limit)
        #expect(try scanNumbers(bound, limit) == Array(wanted))
        #expect(try scanNumbers(nil, limit) == Array(all.reversed().prefix(limit)))
        let words = all.map(Self.word).sorted { $0.lexicographicallyPrecedes($1) }
        let end = Self.word(bound)
        let before = words.filter { $0.lexicographicallyPrecedes(end) }.reversed().prefix(limit)
        #expect(try scanWords(end, limit) == Array(before))
        #expect(try scanWords([], limit) == Array(words.reversed().prefix(limit)))
      }
    }
    func checkTransaction(_ known: Set<Int64>) throws {
      try check(
        { bound, limit in
          var found: [Int64] = []
          _ = try transaction.scanBackward(numbers, before: bound, limit: limit) { key, _ in
            found.append(key)
          }
          return found
        },
        { bound, limit in
          var found: [[UInt8]] = []
          _ = try bound.withUnsafeBytes {
            try transaction.scanBackward(words, before: $0, limit: limit) { key, _ in
              found.append(Array(key))
            }
          }
          return found
        }, known)
    }
    var known: Set<Int64> = []
    try checkTransaction(known)
    for round in 0..<6 {
      for _ in 0..<[1, 20, 300, 1500, 800, 2000][round] {
        let number = Int64(random.below(5000))
        let value = [UInt8](repeating: 7, count: random.oneIn(40) ? 3000 : random.below(60))
        if random.oneIn(4) {
          known.remove(number)
          _ = try transaction.delete(numbers, number)
          _ = try Self.word(number).withUnsafeBytes { try transaction.delete(words, $0) }
        } else {
          known.insert(number)
          try value.withUnsafeBytes { value in
            try transaction.put(numbers, number, value)
            try Self.word(number).withUnsafeBytes { try transaction.put(words, $0, value) }
          }
        }
      }
      try checkTransaction(known)
    }
    try transaction.commit()
    let snapshot = try database.beginSnapshot()
    defer { snapshot.end() }
    try check(
      { bound, limit in
        var found: [Int64] = []
        _ = try snapshot.scanBackward(numbers, before: bound, limit: limit) { key, _ in
          found.append(key)
        }
        return found
      },
      { bound, limit in
        var found: [[UInt8]] = []
        _ = try bound.withUnsafeBytes {
          try snapshot.scanBackward(words, before: $0, limit: limit) { key, _ in
            found.append(Array(key))
          }
        }
        return found
      }, known)
  }

  private static func word(_ number: Int64) -> [UInt8] {
    Array("w\(number)".utf8) + Array(repeating: 1, count: Int(abs(number) % 30))
  }
}
