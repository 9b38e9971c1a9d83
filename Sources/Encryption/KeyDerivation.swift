// HKDF with SHA-512 (RFC 5869), by the same library as the cipher.
#if canImport(CryptoKit)
  import CryptoKit
  import Foundation
#else
  import COpenSSL
#endif

enum KeyDerivation {
  /// Returns `count` bytes derived from `key`: other bytes for every other `salt` and `info`.
  static func derive(
    from key: SecretBytes, salt: [UInt8], info: [UInt8], count: Int
  ) -> SecretBytes {
    key.withBytes { key in
      SecretBytes(count: count) { derived in
        #if canImport(CryptoKit)
          HKDF<SHA512>.deriveKey(
            inputKeyMaterial: SymmetricKey(data: key), salt: salt, info: info,
            outputByteCount: count
          ).withUnsafeBytes { derived.copyMemory(from: $0) }
        #else
          derive(from: key, salt: salt, info: info, into: derived)
        #endif
      }
    }
  }

  #if !canImport(CryptoKit)
    /// libcrypto wipes its own copy of the key when the context is freed.
    private static func derive(
      from key: UnsafeRawBufferPointer, salt: [UInt8], info: [UInt8],
      into derived: UnsafeMutableRawBufferPointer
    ) {
      let context = EVP_PKEY_CTX_new_id(EVP_PKEY_HKDF, nil)
      defer { EVP_PKEY_CTX_free(context) }
      var length = derived.count
      let isDerived =
        EVP_PKEY_derive_init(context) == 1
        && EVP_PKEY_CTX_set_hkdf_md(context, EVP_sha512()) == 1
        && EVP_PKEY_CTX_set1_hkdf_salt(context, salt, Int32(salt.count)) == 1
        && EVP_PKEY_CTX_set1_hkdf_key(
          context, key.baseAddress?.assumingMemoryBound(to: UInt8.self), Int32(key.count)) == 1
        && EVP_PKEY_CTX_add1_hkdf_info(context, info, Int32(info.count)) == 1
        && EVP_PKEY_derive(
          context, derived.baseAddress?.assumingMemoryBound(to: UInt8.self), &length) == 1
      precondition(
        isDerived && length == derived.count, "libcrypto cannot derive a key with SHA-512.")
    }
  #endif
}
