// AES-256-GCM (NIST SP 800-38D) under one key, by OpenSSL's libcrypto, or by CryptoKit where the platform has it. Nothing
// is compiled for it: a vendored implementation took a third of the CPU time of the first build.
#if canImport(CryptoKit)
  import CryptoKit
  import Foundation
#else
  import COpenSSL
#endif

/// A 32-byte key that seals and opens messages with 12-byte nonces and 16-byte tags. Safe to use from many threads.
final class AESGCMKey: Sendable {
  static let size = 32
  static let nonceSize = 12
  static let tagSize = 16

  #if canImport(CryptoKit)
    private let key: SymmetricKey

    /// Creates a key of `size` bytes. CryptoKit wipes its copy.
    init(_ bytes: SecretBytes) {
      precondition(bytes.count == Self.size)
      key = bytes.withBytes { SymmetricKey(data: $0) }
    }
  #else
    private let sealing: CipherContextSlot
    private let opening: CipherContextSlot

    /// Creates a key of `size` bytes.
    init(_ bytes: SecretBytes) {
      precondition(bytes.count == Self.size)
      sealing = CipherContextSlot(key: bytes, encrypts: true)
      opening = CipherContextSlot(key: bytes, encrypts: false)
    }
  #endif
}

#if canImport(CryptoKit)
  extension AESGCMKey {
    /// Encrypts `plaintext` into as many bytes at `ciphertext` and writes the tag. A nonce must never be used twice.
    func seal(
      _ plaintext: UnsafeRawBufferPointer, nonce: UnsafeRawPointer,
      authenticating associated: UnsafeRawBufferPointer,
      into ciphertext: UnsafeMutableRawPointer, tag: UnsafeMutableRawPointer
    ) {
      do {
        let box = try AES.GCM.seal(
          plaintext, using: key,
          nonce: AES.GCM.Nonce(
            data: UnsafeRawBufferPointer(start: nonce, count: Self.nonceSize)),
          authenticating: associated)
        box.ciphertext.copyBytes(
          to: UnsafeMutableRawBufferPointer(start: ciphertext, count: plaintext.count))
        box.tag.copyBytes(to: UnsafeMutableRawBufferPointer(start: tag, count: Self.tagSize))
      } catch { preconditionFailure("Sealing bytes in memory cannot fail: \(error)") }
    }

    /// Decrypts `ciphertext` into as many bytes at `plaintext`. Returns false, with zeros there, where key, nonce,
    /// associated data, ciphertext and tag do not belong together.
    func open(
      _ ciphertext: UnsafeRawBufferPointer, nonce: UnsafeRawPointer,
      authenticating associated: UnsafeRawBufferPointer, tag: UnsafeRawPointer,
      into plaintext: UnsafeMutableRawPointer
    ) -> Bool {
      do {
        let box = try AES.GCM.SealedBox(
          nonce: AES.GCM.Nonce(
            data: UnsafeRawBufferPointer(start: nonce, count: Self.nonceSize)),
          ciphertext: ciphertext, tag: UnsafeRawBufferPointer(start: tag, count: Self.tagSize))
        try AES.GCM.open(box, using: key, authenticating: associated).copyBytes(
          to: UnsafeMutableRawBufferPointer(start: plaintext, count: ciphertext.count))
        return true
      } catch {
        plaintext.initializeMemory(as: UInt8.self, repeating: 0, count: ciphertext.count)
        return false
      }
    }
  }
#else
  extension AESGCMKey {
    /// Encrypts `plaintext` into as many bytes at `ciphertext` and writes the tag. A nonce must never be used twice.
    func seal(
      _ plaintext: UnsafeRawBufferPointer, nonce: UnsafeRawPointer,
      authenticating associated: UnsafeRawBufferPointer,
      into ciphertext: UnsafeMutableRawPointer, tag: UnsafeMutableRawPointer
    ) {
      sealing.withContext { context in
        var count: Int32 = 0
        let isSealed =
          EVP_EncryptInit_ex(context, nil, nil, nil, bytes(nonce)) == 1
          && update(context, nil, &count, associated, EVP_EncryptUpdate)
          && update(context, bytes(ciphertext), &count, plaintext, EVP_EncryptUpdate)
          && EVP_EncryptFinal_ex(context, bytes(ciphertext + plaintext.count), &count) == 1
          && EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_GCM_GET_TAG, Int32(Self.tagSize), tag) == 1
        precondition(isSealed, "Sealing bytes in memory cannot fail.")
      }
    }

    /// Decrypts `ciphertext` into as many bytes at `plaintext`. Returns false, with zeros there, where key, nonce,
    /// associated data, ciphertext and tag do not belong together.
    func open(
      _ ciphertext: UnsafeRawBufferPointer, nonce: UnsafeRawPointer,
      authenticating associated: UnsafeRawBufferPointer, tag: UnsafeRawPointer,
      into plaintext: UnsafeMutableRawPointer
    ) -> Bool {
      let isOpened = opening.withContext { context in
        var count: Int32 = 0
        return EVP_DecryptInit_ex(context, nil, nil, nil, bytes(nonce)) == 1
          && update(context, nil, &count, associated, EVP_DecryptUpdate)
          && update(context, bytes(plaintext), &count, ciphertext, EVP_DecryptUpdate)
          && EVP_CIPHER_CTX_ctrl(
            context, EVP_CTRL_GCM_SET_TAG, Int32(Self.tagSize),
            UnsafeMutableRawPointer(mutating: tag)) == 1
          && EVP_DecryptFinal_ex(context, bytes(plaintext + ciphertext.count), &count) == 1
      }
      // libcrypto writes plaintext before it has compared the tag.
      if !isOpened {
        plaintext.initializeMemory(as: UInt8.self, repeating: 0, count: ciphertext.count)
      }
      return isOpened
    }

    private typealias Update = (
      OpaquePointer?, UnsafeMutablePointer<UInt8>?, UnsafeMutablePointer<Int32>?,
      UnsafePointer<UInt8>?, Int32
    ) -> Int32

    /// Feeds `input` to the cipher; without `output`, as associated data.
    private func update(
      _ context: OpaquePointer, _ output: UnsafeMutablePointer<UInt8>?, _ count: inout Int32,
      _ input: UnsafeRawBufferPointer, _ function: Update
    ) -> Bool {
      guard let start = input.baseAddress, !input.isEmpty else { return true }
      return function(context, output, &count, bytes(start), Int32(input.count)) == 1
    }

    private func bytes(_ pointer: UnsafeRawPointer) -> UnsafePointer<UInt8> {
      pointer.assumingMemoryBound(to: UInt8.self)
    }

    private func bytes(_ pointer: UnsafeMutableRawPointer) -> UnsafeMutablePointer<UInt8> {
      pointer.assumingMemoryBound(to: UInt8.self)
    }
  }
#endif
