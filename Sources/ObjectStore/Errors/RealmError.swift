// The errors of the store. A subclass of NSError, because on Linux `catch let error as NSError`, which Realm's documents
// show, catches nothing else: a Swift error is bridged there by an explicit cast only.
public import Foundation
package import StorageEngine

/// An error with a code and the file that it is about: `Realm.Error`.
public final class RealmError: NSError, @unchecked Sendable {
  /// The failures with their codes. Codes below 100 are those of the Realm Swift SDK (`RLMError`); the others stand for
  /// what the SDK raises as an exception, and has no code for.
  public enum Failure: Int, Sendable, CaseIterable {
    /// Any failure without a code of its own.
    case fail = 1
    /// The file cannot be read or written, for a reason that has no code of its own.
    case fileAccess = 2
    /// The file or its folder may not be read or written.
    case filePermissionDenied = 3
    /// The file of a copy exists already.
    case fileExists = 4
    /// There is no file to open read-only, or no folder for a copy.
    case fileNotFound = 5
    /// The file does not fit into the address space or the memory that the process may use.
    case addressSpaceExhausted = 9
    /// A migration is required; the file's schema version is newer; or a migration does not know a class of the file.
    case schemaMismatch = 10
    /// The file is open, here or in another process, in a way that excludes the operation: for example with another key, or
    /// live instances exclude a migration.
    case alreadyOpen = 12
    /// An asynchronous transaction that is to be cancelled does not exist.
    case invalidInput = 13
    /// The disk, the quota or the file's limit is exhausted.
    case outOfDiskSpace = 14
    /// The file has a newer format: a newer release wrote it.
    case unsupportedFileFormatVersion = 16
    /// The system refused a call, and no other code fits. After a write or sync that failed, or if the file was moved while
    /// it was open, everything fails with this error until the file is opened again.
    case fileOperationFailed = 19
    /// The file is not a realm, it is damaged, or the key is wrong, missing, or given for a plain file.
    case invalidDatabase = 20
    /// The configuration has options that exclude each other, or two classes of one name.
    case invalidConfiguration = 100
    /// An encryption key does not have 64 bytes.
    case encryptionKeyLength = 101
    /// A write transaction begins while more versions are readable than `maximumNumberOfActiveVersions` allows.
    case tooManyVersions = 102
    /// An instance or object was used outside of the thread, queue or actor that it is confined to, or `asyncWrite` was called
    /// on a realm that does not belong to the caller's actor.
    case incorrectThread = 103
    /// A change was made outside of a write transaction, or a transaction began within another, through any instance of the
    /// file.
    case wrongTransactionState = 104
    /// An object with the same primary key exists already.
    case duplicatePrimaryKey = 105
    /// A frozen realm, object or collection was to be changed.
    case frozen = 106
    /// The object was deleted, its realm was invalidated, or another process has migrated its class.
    case invalidated = 107
    /// The realm was opened for reading only.
    case readOnly = 108
    /// A value does not have the property's type, or the class has no such property.
    case invalidValue = 109
    /// The class is not among the realm's `objectTypes`.
    case classNotManaged = 110
  }

  public static let domain = "io.realm"

  /// The file that the error is about, if any.
  public var fileURL: URL? { userInfo[NSURLErrorKey] as? URL }
  public var failure: Failure { Failure(rawValue: code) ?? .fail }

  /// The error of the storage engine that caused this one.
  package let storage: StorageError?

  public convenience init(_ failure: Failure, _ message: String, file: URL? = nil) {
    self.init(failure, message, file, nil)
  }

  fileprivate init(
    _ failure: Failure, _ message: String, _ file: URL?, _ storage: StorageError?
  ) {
    self.storage = storage
    var info: [String: Any] = [NSLocalizedDescriptionKey: message]
    if let file {
      info[NSURLErrorKey] = file
      info[NSFilePathErrorKey] = file.path
    }
    super.init(domain: Self.domain, code: failure.rawValue, userInfo: info)
  }

  required init?(coder: NSCoder) {
    storage = nil
    super.init(coder: coder)
  }

  public override var description: String { "\(failure): \(localizedDescription)" }
}

extension RealmError {
  convenience init(_ error: StorageError, file: URL?) {
    let failure: Failure =
      switch error.code {
      case .corrupt, .notADatabase, .truncated, .keyMissing, .keyWrong, .notEncrypted:
        .invalidDatabase
      case .newerFormat: .unsupportedFileFormatVersion
      case .keyLength: .encryptionKeyLength
      case .outOfSpace: .outOfDiskSpace
      case .limitExceeded: .addressSpaceExhausted
      case .permissionDenied: .filePermissionDenied
      case .busy: .alreadyOpen
      case .alreadyExists: .fileExists
      case .notFound: .fileNotFound
      case .tooManyVersions: .tooManyVersions
      case .readOnly: .readOnly
      case .unsupported: .invalidValue
      case .failed:
        switch error.cause?.code {
        case ENOENT: .fileNotFound
        case .some: .fileOperationFailed
        case nil: .fail
        }
      case .poisoned, .displaced: .fileOperationFailed
      case .cancelled, .closed, .snapshotsHeld: .fail
      }
    self.init(failure, error.message, file, error)
  }
}

/// The patterns of `catch Realm.Error.fileAccess`. (The compiler would take a case of an enumeration for another pattern.)
extension RealmError {
  public static var fail: Failure { .fail }
  public static var fileAccess: Failure { .fileAccess }
  public static var filePermissionDenied: Failure { .filePermissionDenied }
  public static var fileExists: Failure { .fileExists }
  public static var fileNotFound: Failure { .fileNotFound }
  public static var alreadyOpen: Failure { .alreadyOpen }
  public static var addressSpaceExhausted: Failure { .addressSpaceExhausted }
  public static var schemaMismatch: Failure { .schemaMismatch }
  public static var invalidInput: Failure { .invalidInput }
  public static var outOfDiskSpace: Failure { .outOfDiskSpace }
  public static var unsupportedFileFormatVersion: Failure { .unsupportedFileFormatVersion }
  public static var fileOperationFailed: Failure { .fileOperationFailed }
  public static var invalidDatabase: Failure { .invalidDatabase }
  public static var tooManyVersions: Failure { .tooManyVersions }
  public static var readOnly: Failure { .readOnly }
}

/// Matches an error by its failure, in a `catch`.
public func ~= (failure: RealmError.Failure, error: any Swift.Error) -> Bool {
  (error as? RealmError)?.failure == failure
}
