// Authenticated encryption of the units of one file with AES-256-GCM. Two messages under one key and one nonce would
// reveal both, and how to forge others. So no nonce is used twice:
// - Each opening of the file seals with a key that no other opening has: it is derived from the master key with a salt of
//   128 random bits. What an opening sealed before a power cut, a crash or a failed commit therefore shares no key with
//   what is sealed afterwards, even if the same unit is sealed again for the same version, and nothing need be remembered
//   on disk. Among 2⁴⁰ openings two have the same salt with a probability of 2⁻⁴⁹.
// - Within an opening the nonce is a number that only increases, whatever is sealed: units, commit slots, clean marks, and
//   a unit again that was flushed before it was full. It has 64 bits and not those of an offset, so the length of the
//   file does not matter; at 10⁹ units a second it would wrap after 584 years, and then the process stops.
// - The number is taken before the bytes are sealed, and never returned: a failed write loses it.
// NIST SP 800-38D limits a key to 2³² messages for random nonces only; these are constructed (8.2.1).
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
  /// The maximum number of keys of earlier openings in memory; deriving one takes microseconds.
  private static let maxCachedKeys = 1024

  /// Distinguishes the right key from a wrong one, and shows nothing else.
  package let keyCheck: [UInt8]
  private let master: SecretBytes
  private let identity: [UInt8]
  private var keys: [Salt: AESGCMKey] = [:]
  /// The key that opened last: the next unit was mostly sealed by the same opening.
  private var lastOpening: (salt: Salt, key: AESGCMKey)
  private let salt: Salt
  private let sealingKey: AESGCMKey
  private let counter = Atomic<UInt64>(0)

  private struct Salt: Hashable {
    let high: UInt64
    let low: UInt64
  }

  /// `key` has `keySize` bytes, `identity` has `identitySize`.
  package init(key: SecretBytes, identity: [UInt8]) {
    precondition(key.count == Self.keySize && identity.count == Self.identitySize)
    master = key
    self.identity = identity
    keyCheck = Self.derive(key, identity, purpose: 1, Salt(high: 0, low: 0)).withBytes {
      Array($0)
    }
    var random = SystemRandomNumberGenerator()
    salt = Salt(high: random.next(), low: random.next())
    sealingKey = AESGCMKey(Self.derive(key, identity, purpose: 2, salt))
    lastOpening = (salt, sealingKey)
  }

  /// Returns an identity for a new file.
  package static func newIdentity() -> [UInt8] {
    var random = SystemRandomNumberGenerator()
    return (0..<identitySize).map { _ in random.next() }
  }

  private static func derive(
    _ master: SecretBytes, _ identity: [UInt8], purpose: UInt8, _ salt: Salt
  ) -> SecretBytes {
    KeyDerivation.derive(
      from: master, salt: littleEndian(salt.high) + littleEndian(salt.low),
      info: identity + [purpose], count: AESGCMKey.size)
  }

  /// Seals `bytes` into as many bytes at `sealed` and an entry of `entrySize` bytes at `entry`. It opens again only for
  /// the same place and version.
  package func seal(
    _ bytes: UnsafeRawBufferPointer, place: UInt64, version: UInt64,
    into sealed: UnsafeMutableRawPointer, entry: UnsafeMutableRawPointer
  ) {
    let number = counter.add(1, ordering: .relaxed).newValue
    precondition(number != 0, "All nonces of this opening are used.")
    entry.storeBytes(of: salt.high.littleEndian, as: UInt64.self)
    entry.storeBytes(of: salt.low.littleEndian, toByteOffset: 8, as: UInt64.self)
    entry.storeBytes(of: number.littleEndian, toByteOffset: 16, as: UInt64.self)
    Self.withNonce(number, binding: place, version) { nonce, associated in
      sealingKey.seal(
        bytes, nonce: nonce, authenticating: associated, into: sealed, tag: entry + 24)
    }
  }

  /// Opens bytes that `seal` sealed. Returns false, with zeros at `bytes`, if they are anything else.
  package func open(
    _ sealed: UnsafeRawBufferPointer, entry: UnsafeRawPointer, place: UInt64, version: UInt64,
    into bytes: UnsafeMutableRawPointer
  ) -> Bool {
    func word(_ offset: Int) -> UInt64 {
      UInt64(littleEndian: entry.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }
    let key = key(of: Salt(high: word(0), low: word(8)))
    return Self.withNonce(word(16), binding: place, version) { nonce, associated in
      key.open(
        sealed, nonce: nonce, authenticating: associated, tag: entry + 24, into: bytes)
    }
  }

  private func key(of salt: Salt) -> AESGCMKey {
    if salt == lastOpening.salt { return lastOpening.key }
    let key = salt == self.salt ? sealingKey : cachedKey(of: salt)
    lastOpening = (salt, key)
    return key
  }

  private func cachedKey(of salt: Salt) -> AESGCMKey {
    if let key = keys[salt] { return key }
    if keys.count >= Self.maxCachedKeys { keys = [:] }
    let key = AESGCMKey(Self.derive(master, identity, purpose: 2, salt))
    keys[salt] = key
    return key
  }

  /// Calls `body` with the nonce of a count (zero:32, count:64) and the associated data (place:64, version:64).
  private static func withNonce<Result>(
    _ number: UInt64, binding place: UInt64, _ version: UInt64,
    _ body: (UnsafeRawPointer, UnsafeRawBufferPointer) -> Result
  ) -> Result {
    withUnsafeTemporaryAllocation(byteCount: 32, alignment: 8) { memory in
      memory.storeBytes(of: 0, as: UInt64.self)
      memory.storeBytes(of: number.littleEndian, toByteOffset: 8, as: UInt64.self)
      memory.storeBytes(of: place.littleEndian, toByteOffset: 16, as: UInt64.self)
      memory.storeBytes(of: version.littleEndian, toByteOffset: 24, as: UInt64.self)
      return body(memory.baseAddress! + 4, UnsafeRawBufferPointer(rebasing: memory[16...]))
    }
  }

  private static func littleEndian(_ word: UInt64) -> [UInt8] {
    withUnsafeBytes(of: word.littleEndian) { Array($0) }
  }
}
