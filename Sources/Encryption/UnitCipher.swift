// Authenticated encryption of the units of one file: AES-256-GCM by swift-crypto, which this room alone imports. What
// must never happen under GCM is the same nonce twice under one key; so every opening draws a salt of its own, derives a
// key from it that nobody else ever has, and counts.
import Crypto
import FoundationEssentials
import Synchronization

/// Seals and opens pieces of one file. Sealing is safe from many threads, opening from one at a time.
package final class UnitCipher: @unchecked Sendable {
  /// The bytes of a key.
  package static let keySize = 64
  /// The bytes that make one file's keys differ from another's.
  package static let identitySize = 16
  /// The bytes of `keyCheck`.
  package static let checkSize = 32
  /// The bytes kept beside each sealed piece: salt:128, counter:64, tag:128.
  package static let entrySize = 40
  private static let saltSize = 16
  /// So many keys of earlier openings are kept at hand; deriving one takes microseconds.
  private static let mostKeys = 1024

  /// Tells the right key from a wrong one and nothing more.
  package let keyCheck: [UInt8]
  private let master: SymmetricKey
  private let identity: [UInt8]
  private var keys: [Salt: SymmetricKey] = [:]
  private let salt: Salt
  private let sealingKey: SymmetricKey
  private let counter = Atomic<UInt64>(0)

  private struct Salt: Hashable {
    let high: UInt64
    let low: UInt64
  }

  /// `key` has `keySize` bytes, `identity` has `identitySize`.
  package init(key: [UInt8], identity: [UInt8]) {
    precondition(key.count == Self.keySize && identity.count == Self.identitySize)
    master = SymmetricKey(data: key)
    self.identity = identity
    keyCheck = Self.derive(master, identity, purpose: 1, Salt(high: 0, low: 0))
      .withUnsafeBytes { Array($0) }
    var random = SystemRandomNumberGenerator()
    salt = Salt(high: random.next(), low: random.next())
    sealingKey = Self.derive(master, identity, purpose: 2, salt)
  }

  /// A new file's identity.
  package static func newIdentity() -> [UInt8] {
    var random = SystemRandomNumberGenerator()
    return (0..<identitySize).map { _ in random.next() }
  }

  private static func derive(
    _ master: SymmetricKey, _ identity: [UInt8], purpose: UInt8, _ salt: Salt
  ) -> SymmetricKey {
    var bytes: [UInt8] = []
    for word in [salt.high, salt.low] {
      for shift in stride(from: 0, to: 64, by: 8) {
        bytes.append(UInt8(truncatingIfNeeded: word >> UInt64(shift)))
      }
    }
    return HKDF<SHA512>.deriveKey(
      inputKeyMaterial: master, salt: bytes, info: identity + [purpose], outputByteCount: 32)
  }

  /// Seals `bytes` into as many bytes at `sealed` and an entry of `entrySize` bytes at `entry`. It opens again only for
  /// the same place and version.
  package func seal(
    _ bytes: UnsafeRawBufferPointer, place: UInt64, version: UInt64,
    into sealed: UnsafeMutableRawPointer, entry: UnsafeMutableRawPointer
  ) {
    let number = counter.add(1, ordering: .relaxed).newValue
    let box: AES.GCM.SealedBox
    do {
      box = try AES.GCM.seal(
        bytes, using: sealingKey, nonce: try Self.nonce(number),
        authenticating: Self.bound(place, version))
    } catch { preconditionFailure("Sealing bytes in memory cannot fail: \(error)") }
    box.ciphertext.copyBytes(
      to: UnsafeMutableRawBufferPointer(start: sealed, count: bytes.count))
    entry.storeBytes(of: salt.high.littleEndian, as: UInt64.self)
    entry.storeBytes(of: salt.low.littleEndian, toByteOffset: 8, as: UInt64.self)
    entry.storeBytes(of: number.littleEndian, toByteOffset: 16, as: UInt64.self)
    box.tag.copyBytes(to: UnsafeMutableRawBufferPointer(start: entry + 24, count: 16))
  }

  /// Opens what `seal` made of as many bytes; false where it is anything else, and `bytes` is then unchanged.
  package func open(
    _ sealed: UnsafeRawBufferPointer, entry: UnsafeRawPointer, place: UInt64, version: UInt64,
    into bytes: UnsafeMutableRawPointer
  ) -> Bool {
    func word(_ offset: Int) -> UInt64 {
      UInt64(littleEndian: entry.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }
    let key = key(of: Salt(high: word(0), low: word(8)))
    do {
      let box = try AES.GCM.SealedBox(
        nonce: try Self.nonce(word(16)), ciphertext: sealed,
        tag: UnsafeRawBufferPointer(start: entry + 24, count: 16))
      let plain = try AES.GCM.open(box, using: key, authenticating: Self.bound(place, version))
      plain.copyBytes(to: UnsafeMutableRawBufferPointer(start: bytes, count: sealed.count))
      return true
    } catch { return false }
  }

  private func key(of salt: Salt) -> SymmetricKey {
    if salt == self.salt { return sealingKey }
    if let key = keys[salt] { return key }
    if keys.count >= Self.mostKeys { keys = [:] }
    let key = Self.derive(master, identity, purpose: 2, salt)
    keys[salt] = key
    return key
  }

  private static func nonce(_ number: UInt64) throws -> AES.GCM.Nonce {
    try AES.GCM.Nonce(data: [0, 0, 0, 0] + littleEndian(number))
  }

  private static func bound(_ place: UInt64, _ version: UInt64) -> [UInt8] {
    littleEndian(place) + littleEndian(version)
  }

  private static func littleEndian(_ word: UInt64) -> [UInt8] {
    withUnsafeBytes(of: word.littleEndian) { Array($0) }
  }
}
