// The errors of the store. A subclass of NSError, because on Linux `catch let error as NSError`, which Realm's documents
// show, catches nothing else: a Swift error is bridged there by an explicit cast only.
public import Foundation
package import StorageEngine

/// An error with a code and the file that it is about: `Realm.Error`.
public final class RealmError: NSError, @unchecked Sendable {
  public enum Failure: Int, Sendable, CaseIterable {
    /// Any failure without a code of its own.
    case fail = 1
    /// The file cannot be opened or read: it is not a database, it is corrupt, or its key is wrong or missing.
    case fileAccess = 2
    /// The file or its folder may not be read or written.
    case filePermissionDenied = 3
    /// A file that was to be created exists already.
    case fileExists = 4
    /// The file does not exist, and the configuration does not allow it to be created.
    case fileNotFound = 5
    /// The file is open, and the operation needs it closed.
    case alreadyOpen = 6
    /// The file does not fit into the address space or the memory that the process may use.
    case addressSpaceExhausted = 9
    /// The classes differ from those that the file was written with: a migration is required.
    case schemaMismatch = 10
    /// The disk, the quota or the file's limit is exhausted.
    case outOfDiskSpace = 12
    /// The configuration contradicts itself.
    case invalidConfiguration = 13
    /// An encryption key does not have 64 bytes.
    case encryptionKeyLength = 14
    /// More versions would be live than `maximumNumberOfActiveVersions` allows.
    case tooManyVersions = 15
    /// An instance or object was used outside of the thread, queue or actor that it is confined to.
    case incorrectThread = 20
    /// A change was made outside of a write transaction, or a transaction began within another.
    case wrongTransactionState = 21
    /// An object with the same primary key exists already.
    case duplicatePrimaryKey = 22
    /// A frozen realm, object or collection was to be changed.
    case frozen = 23
    /// The object was deleted, or its realm was invalidated.
    case invalidated = 24
    /// The realm was opened for reading only.
    case readOnly = 25
    /// A value does not have the property's type, or the class has no such property.
    case invalidValue = 26
    /// The class is not among the realm's `objectTypes`.
    case classNotManaged = 27
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
      case .corrupt, .notADatabase, .newerFormat, .truncated, .keyMissing, .keyWrong, .notEncrypted:
        .fileAccess
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
      case .failed: error.cause?.code == ENOENT ? .fileNotFound : .fail
      case .poisoned, .displaced, .cancelled, .closed, .snapshotsHeld: .fail
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
  public static var outOfDiskSpace: Failure { .outOfDiskSpace }
  public static var tooManyVersions: Failure { .tooManyVersions }
  public static var readOnly: Failure { .readOnly }
}

/// Matches an error by its failure, in a `catch`.
public func ~= (failure: RealmError.Failure, error: any Swift.Error) -> Bool {
  (error as? RealmError)?.failure == failure
}
