// The key of an encrypted file: bytes that are never printed, and wiped from memory when the last copy of the value, and
// the last file that was opened with it, are released.
import Encryption

/// A key of 64 bytes. It is used as it is, not stretched, so the bytes should be random.
public struct EncryptionKey: Sendable, Equatable, CustomStringConvertible, CustomReflectable {
  let bytes: SecretBytes

  /// Creates a key. One of another length is rejected with `keyLength` when it is used. The array is copied; what the
  /// caller keeps of it is not wiped.
  public init(_ bytes: [UInt8]) { self.bytes = SecretBytes(bytes) }

  /// The length of a key in bytes.
  public static let size = UnitCipher.keySize

  public var description: String { "a key of \(bytes.count) bytes" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}

/// How a copy that replaces its original is encrypted.
public enum CopyEncryption: Sendable, Equatable {
  /// As the original: with the same key, or not encrypted.
  case same
  /// Not encrypted, whatever the original is.
  case none
  /// With this key, whatever the original is.
  case key(EncryptionKey)

  func key(_ original: EncryptionKey?) -> EncryptionKey? {
    switch self {
    case .same: original
    case .none: nil
    case .key(let key): key
    }
  }
}
