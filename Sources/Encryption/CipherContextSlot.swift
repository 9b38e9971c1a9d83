// Contexts of libcrypto that are kept between calls: setting one up costs more than sealing a unit of 4 KiB with it.
#if !canImport(CryptoKit)
  import COpenSSL
  import Synchronization

  /// Caches one idle AES-256-GCM context of one key and one direction. A thread that finds it taken makes another one, so
  /// that no call waits; of two that come back, one is freed.
  final class CipherContextSlot: Sendable {
    private let key: SecretBytes
    private let encrypts: Bool
    /// The address of the idle context; 0 where there is none.
    private let idle = Atomic<UInt>(0)

    init(key: SecretBytes, encrypts: Bool) {
      self.key = key
      self.encrypts = encrypts
    }

    deinit { Self.free(idle.load(ordering: .acquiring)) }

    /// Calls `body` with a context that holds the key, and that no other thread uses meanwhile.
    func withContext<Result>(_ body: (OpaquePointer) -> Result) -> Result {
      let address = idle.exchange(0, ordering: .acquiringAndReleasing)
      let context = OpaquePointer(bitPattern: address) ?? makeContext()
      defer {
        Self.free(
          idle.exchange(UInt(bitPattern: context), ordering: .acquiringAndReleasing))
      }
      return body(context)
    }

    private func makeContext() -> OpaquePointer {
      let context = EVP_CIPHER_CTX_new()
      let isReady = key.withBytes {
        EVP_CipherInit_ex(
          context, EVP_aes_256_gcm(), nil, $0.baseAddress?.assumingMemoryBound(to: UInt8.self), nil,
          encrypts ? 1 : 0)
      }
      guard let context, isReady == 1 else {
        preconditionFailure("libcrypto has no AES-256-GCM, or no memory for it.")
      }
      return context
    }

    /// Frees a context. libcrypto wipes the expanded key in it.
    private static func free(_ address: UInt) {
      if let context = OpaquePointer(bitPattern: address) { EVP_CIPHER_CTX_free(context) }
    }
  }
#endif
