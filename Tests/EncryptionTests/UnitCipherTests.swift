import Encryption
import Testing

@Suite("Sealing units")
struct UnitCipherTests {
  private let keyBytes = (0..<UnitCipher.keySize).map { UInt8($0) }
  private var key: SecretBytes { SecretBytes(keyBytes) }
  private let identity = [UInt8](repeating: 9, count: UnitCipher.identitySize)
  private let plain = (0..<4096).map { UInt8(truncatingIfNeeded: $0 * 7) }

  private func seal(
    _ cipher: UnitCipher, place: UInt64 = 5, version: UInt64 = 6
  ) -> (sealed: [UInt8], entry: [UInt8]) {
    var sealed = [UInt8](repeating: 0, count: plain.count)
    var entry = [UInt8](repeating: 0, count: UnitCipher.entrySize)
    plain.withUnsafeBytes { plain in
      sealed.withUnsafeMutableBytes { sealed in
        entry.withUnsafeMutableBytes {
          cipher.seal(
            plain, place: place, version: version, into: sealed.baseAddress!,
            entry: $0.baseAddress!)
        }
      }
    }
    return (sealed, entry)
  }

  private func open(
    _ cipher: UnitCipher, _ sealed: [UInt8], _ entry: [UInt8], place: UInt64 = 5,
    version: UInt64 = 6
  ) -> [UInt8]? {
    var result = [UInt8](repeating: 1, count: sealed.count)
    let isOpened = sealed.withUnsafeBytes { sealed in
      entry.withUnsafeBytes { entry in
        result.withUnsafeMutableBytes {
          cipher.open(
            sealed, entry: entry.baseAddress!, place: place, version: version,
            into: $0.baseAddress!)
        }
      }
    }
    // libcrypto decrypts before it compares the tag: nothing of that may stay.
    if !isOpened { #expect(result.allSatisfy { $0 == 0 }) }
    return isOpened ? result : nil
  }

  @Test("what one opening sealed, another opens with the same key, for the same place and version")
  func roundTrip() {
    let (sealed, entry) = seal(UnitCipher(key: key, identity: identity))
    let other = UnitCipher(key: key, identity: identity)
    #expect(open(other, sealed, entry) == plain)
    #expect(sealed != plain)
    #expect(open(other, sealed, entry, place: 4) == nil)
    #expect(open(other, sealed, entry, version: 7) == nil)
    var wrong = keyBytes
    wrong[63] ^= 1
    #expect(open(UnitCipher(key: SecretBytes(wrong), identity: identity), sealed, entry) == nil)
    let stranger = UnitCipher(key: key, identity: Array(repeating: 8, count: 16))
    #expect(open(stranger, sealed, entry) == nil)
  }

  @Test("a flipped bit anywhere, in the unit or its entry, does not open")
  func flips() {
    let cipher = UnitCipher(key: key, identity: identity)
    let (sealed, entry) = seal(cipher)
    for place in 0..<entry.count {
      var damaged = entry
      damaged[place] ^= 0x10
      #expect(open(cipher, sealed, damaged) == nil, "entry byte \(place)")
    }
    for place in stride(from: 0, to: sealed.count, by: 61) {
      var damaged = sealed
      damaged[place] ^= 1
      #expect(open(cipher, damaged, entry) == nil, "byte \(place)")
    }
  }

  @Test("the same bytes are sealed differently each time, by a salt of each opening and a count")
  func freshness() {
    var salts: Set<[UInt8]> = []
    var entries: Set<[UInt8]> = []
    for _ in 0..<8 {
      let cipher = UnitCipher(key: key, identity: identity)
      for _ in 0..<4 {
        let (_, entry) = seal(cipher)
        salts.insert(Array(entry[..<16]))
        entries.insert(Array(entry[..<24]))
      }
    }
    #expect(salts.count == 8 && entries.count == 32)
  }

  @Test("units whose numbers agree in their low bits have nonces and seals of their own")
  func largeFiles() {
    let cipher = UnitCipher(key: key, identity: identity)
    // Among them the unit at 4 GiB of a file, and what slots are bound to.
    let places: [UInt64] = [0, 1 << 20, 1 << 32, 1 << 40, UInt64.max >> 1, 1 << 63]
    let sealed = places.map { seal(cipher, place: $0) }
    #expect(Set(sealed.map { $0.entry[16..<24] }).count == places.count)
    for (index, place) in places.enumerated() {
      for (other, unit) in sealed.enumerated() {
        let opened = open(cipher, unit.sealed, unit.entry, place: place)
        #expect((opened == plain) == (index == other))
      }
    }
  }

  @Test("the key check depends on every byte of the key and on the file")
  func keyCheck() {
    var checks: Set<[UInt8]> = [UnitCipher(key: key, identity: identity).keyCheck]
    for place in keyBytes.indices {
      var other = keyBytes
      other[place] ^= 0x80
      checks.insert(UnitCipher(key: SecretBytes(other), identity: identity).keyCheck)
    }
    checks.insert(UnitCipher(key: key, identity: UnitCipher.newIdentity()).keyCheck)
    #expect(checks.count == keyBytes.count + 2)
    #expect(UnitCipher(key: key, identity: identity).keyCheck.count == UnitCipher.checkSize)
  }
}
