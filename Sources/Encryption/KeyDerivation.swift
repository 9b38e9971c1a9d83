// HKDF with SHA-512 (RFC 5869), by the same library as the cipher.
#if canImport(CryptoKit)
  import CryptoKit
  import Foundation
#else
  import COpenSSL
#endif

enum KeyDerivation {
  /// Returns `count` bytes derived from `key`: other bytes for every other `salt` and `info`.
  static func derive(from key: [UInt8], salt: [UInt8], info: [UInt8], count: Int) -> [UInt8] {
    #if canImport(CryptoKit)
      return HKDF<SHA512>.deriveKey(
        inputKeyMaterial: SymmetricKey(data: key), salt: salt, info: info, outputByteCount: count
      ).withUnsafeBytes { Array($0) }
    #else
      let context = EVP_PKEY_CTX_new_id(EVP_PKEY_HKDF, nil)
      defer { EVP_PKEY_CTX_free(context) }
      var derived = [UInt8](repeating: 0, count: count)
      var length = count
      let isDerived =
        EVP_PKEY_derive_init(context) == 1
        && EVP_PKEY_CTX_set_hkdf_md(context, EVP_sha512()) == 1
        && EVP_PKEY_CTX_set1_hkdf_salt(context, salt, Int32(salt.count)) == 1
        && EVP_PKEY_CTX_set1_hkdf_key(context, key, Int32(key.count)) == 1
        && EVP_PKEY_CTX_add1_hkdf_info(context, info, Int32(info.count)) == 1
        && EVP_PKEY_derive(context, &derived, &length) == 1
      precondition(isDerived && length == count, "libcrypto cannot derive a key with SHA-512.")
      return derived
    #endif
  }
}
