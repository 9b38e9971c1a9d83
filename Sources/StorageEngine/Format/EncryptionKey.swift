// The key of an encrypted file: bytes that are never printed.
import Encryption

/// A key of 64 bytes, which should be random ones: they are not stretched.
public struct EncryptionKey: Sendable, Equatable, CustomStringConvertible, CustomReflectable {
  let bytes: [UInt8]

  /// A key of another length is refused with `keyLength` where it is used.
  public init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// The bytes that a key has.
  public static let size = UnitCipher.keySize

  public var description: String { "a key of \(bytes.count) bytes" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}

/// Whether a copy that takes its original's place is encrypted.
public enum CopyEncryption: Sendable, Equatable {
  /// As the original: with the same key, or not.
  case same
  /// Not, whatever the original is.
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
