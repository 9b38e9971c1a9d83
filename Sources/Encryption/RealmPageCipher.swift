// The encryption of Realm Core's files, for reading them: pages of 4 KiB by AES-256 in CBC mode without padding, each
// authenticated by HMAC-SHA224 over its ciphertext. The initialization vector is a counter of 32 bits and the page's offset.
#if canImport(CommonCrypto)
  import CommonCrypto
#else
  import COpenSSL
#endif

/// Opens pages of an encrypted Realm file.
package final class RealmPageCipher: Sendable {
  /// The bytes of a key: 32 for AES, and 32 for the HMAC.
  package static let keySize = 64
  package static let pageSize = 4096
  package static let tagSize = 28

  private static let halfKey = 32
  private let key: SecretBytes

  /// `key` has `keySize` bytes.
  package init(key: SecretBytes) {
    precondition(key.count == Self.keySize)
    self.key = key
  }

  /// Returns whether `tag` is the HMAC of the ciphertext of a page. Compares in a time that does not depend on where they
  /// differ.
  package func authenticates(_ ciphertext: [UInt8], tag: ArraySlice<UInt8>) -> Bool {
    precondition(tag.count == Self.tagSize)
    var expected = [UInt8](repeating: 0, count: Self.tagSize)
    key.withBytes { key in
      let half = UnsafeRawBufferPointer(rebasing: key[Self.halfKey...])
      ciphertext.withUnsafeBufferPointer { message in
        Self.computeTag(of: message, half, into: &expected)
      }
    }
    return zip(expected, tag).reduce(UInt8(0)) { $0 | $1.0 ^ $1.1 } == 0
  }

  /// Returns the plaintext of a page, whose counter is given as it is stored, and the page's offset among the data.
  package func decrypt(_ ciphertext: [UInt8], counter: ArraySlice<UInt8>, offset: Int) -> [UInt8] {
    precondition(ciphertext.count == Self.pageSize && counter.count == 4)
    let position = UInt64(offset).littleEndian
    let vector =
      Array(counter) + withUnsafeBytes(of: position) { Array($0) } + [UInt8](repeating: 0, count: 4)
    return [UInt8](unsafeUninitializedCapacity: Self.pageSize) { plaintext, count in
      count = Self.pageSize
      key.withBytes { key in
        Self.decrypt(
          ciphertext, UnsafeRawBufferPointer(rebasing: key[..<Self.halfKey]), vector,
          into: plaintext)
      }
    }
  }
}

#if canImport(CommonCrypto)
  extension RealmPageCipher {
    private static func computeTag(
      of message: UnsafeBufferPointer<UInt8>, _ key: UnsafeRawBufferPointer,
      into tag: inout [UInt8]
    ) {
      CCHmac(
        CCHmacAlgorithm(kCCHmacAlgSHA224), key.baseAddress, key.count, message.baseAddress,
        message.count, &tag)
    }

    private static func decrypt(
      _ ciphertext: [UInt8], _ key: UnsafeRawBufferPointer, _ vector: [UInt8],
      into plaintext: UnsafeMutableBufferPointer<UInt8>
    ) {
      var count = 0
      let status = CCCrypt(
        CCOperation(kCCDecrypt), CCAlgorithm(kCCAlgorithmAES), CCOptions(0), key.baseAddress,
        key.count, vector, ciphertext, ciphertext.count, plaintext.baseAddress, plaintext.count,
        &count)
      precondition(
        status == kCCSuccess && count == pageSize, "Decrypting bytes in memory cannot fail.")
    }
  }
#else
  extension RealmPageCipher {
    private static func computeTag(
      of message: UnsafeBufferPointer<UInt8>, _ key: UnsafeRawBufferPointer,
      into tag: inout [UInt8]
    ) {
      var count: UInt32 = 0
      let isComputed =
        HMAC(
          EVP_sha224(), key.baseAddress, Int32(key.count), message.baseAddress, message.count,
          &tag, &count) != nil
      precondition(
        isComputed && Int(count) == tagSize, "libcrypto has no HMAC-SHA224, or no memory for it.")
    }

    private static func decrypt(
      _ ciphertext: [UInt8], _ key: UnsafeRawBufferPointer, _ vector: [UInt8],
      into plaintext: UnsafeMutableBufferPointer<UInt8>
    ) {
      guard let context = EVP_CIPHER_CTX_new() else { preconditionFailure("No memory is left.") }
      // libcrypto wipes the expanded key in it.
      defer { EVP_CIPHER_CTX_free(context) }
      var count: Int32 = 0
      let isDecrypted =
        EVP_DecryptInit_ex(
          context, EVP_aes_256_cbc(), nil, key.baseAddress?.assumingMemoryBound(to: UInt8.self),
          vector) == 1
        && EVP_CIPHER_CTX_set_padding(context, 0) == 1
        && EVP_DecryptUpdate(
          context, plaintext.baseAddress, &count, ciphertext, Int32(ciphertext.count)) == 1
      precondition(
        isDecrypted && Int(count) == pageSize, "Decrypting bytes in memory cannot fail.")
    }
  }
#endif
