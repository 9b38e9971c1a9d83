// Memory for keys: outside of arrays, which are copied and freed as they are, and overwritten with zeros when its last
// user releases it. The zeros are written by a function that the optimizer may not remove.
import Synchronization

#if canImport(CryptoKit)
  import Darwin
#else
  import COpenSSL
#endif

/// A fixed number of bytes that are wiped when the last reference to them is released.
package final class SecretBytes: Sendable {
  /// Steps of a release that tests can observe: the bytes before they are wiped, and the same memory afterwards.
  enum Release { case willWipe, didWipe }

  typealias Observer = @Sendable (Release, UnsafeRawBufferPointer) -> Void

  /// Called with the memory at each step of each release. Only tests add some, each under a name of its own.
  static let observers = Mutex<[String: Observer]>([:])

  package let count: Int
  private nonisolated(unsafe) let memory: UnsafeMutableRawBufferPointer

  /// Creates `count` bytes, which `fill` receives as zeros.
  init(count: Int, _ fill: (UnsafeMutableRawBufferPointer) -> Void) {
    self.count = count
    memory = .allocate(byteCount: count, alignment: 16)
    memory.initializeMemory(as: UInt8.self, repeating: 0)
    fill(memory)
  }

  /// Copies `bytes`. Wiping these is up to the caller.
  package convenience init(_ bytes: [UInt8]) {
    self.init(count: bytes.count) { $0.copyBytes(from: bytes) }
  }

  deinit {
    let observers = Self.observers.withLock { $0 }
    for observe in observers.values { observe(.willWipe, UnsafeRawBufferPointer(memory)) }
    #if canImport(CryptoKit)
      memset_s(memory.baseAddress, count, 0, count)
    #else
      OPENSSL_cleanse(memory.baseAddress, count)
    #endif
    for observe in observers.values { observe(.didWipe, UnsafeRawBufferPointer(memory)) }
    memory.deallocate()
  }

  /// Calls `body` with the bytes, which must not be copied to memory that is not wiped.
  func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    withExtendedLifetime(self) { body(UnsafeRawBufferPointer(memory)) }
  }
}

extension SecretBytes: Equatable {
  /// Compares all bytes in a time that does not depend on where they differ.
  package static func == (a: SecretBytes, b: SecretBytes) -> Bool {
    guard a.count == b.count else { return false }
    var difference: UInt8 = 0
    for index in 0..<a.count { difference |= a.memory[index] ^ b.memory[index] }
    return difference == 0
  }
}
