// The header of an encrypted file, behind the file header and in the same sector: the identity from which the keys are
// derived, and a check value for the key.
// ```
// 64 │ identity:128 │ key check:256 │ checksum:64 │
// ```
import Encryption

struct EncryptionHeader {
  static let offset = FileHeader.size
  static let size = UnitCipher.identitySize + UnitCipher.checkSize + 8

  let identity: [UInt8]
  let keyCheck: [UInt8]

  init(identity: [UInt8], keyCheck: [UInt8]) {
    self.identity = identity
    self.keyCheck = keyCheck
  }

  /// Reads the encryption header. The file header has been checked.
  init(_ base: UnsafeRawPointer) throws(StorageError) {
    let bytes = base + Self.offset
    guard Checksum.of(bytes, count: Self.size - 8, seed: 0) == bytes.u64(Self.size - 8) else {
      throw StorageError(
        .corrupt, "The key check behind the header, at offset \(Self.offset), fails its checksum.")
    }
    identity = Array(UnsafeRawBufferPointer(start: bytes, count: UnitCipher.identitySize))
    keyCheck = Array(
      UnsafeRawBufferPointer(
        start: bytes + UnitCipher.identitySize, count: UnitCipher.checkSize))
  }

  func encode(into header: UnsafeMutableRawPointer) {
    let bytes = header + Self.offset
    bytes.copyMemory(from: identity, byteCount: identity.count)
    (bytes + identity.count).copyMemory(from: keyCheck, byteCount: keyCheck.count)
    bytes.put64(Checksum.of(bytes, count: Self.size - 8, seed: 0), Self.size - 8)
  }
}
