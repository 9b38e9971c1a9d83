// What the store refused, and why. A subclass of NSError, because on Linux `catch let error as NSError`, which the
// documents show, catches nothing else: a Swift error is bridged there by an explicit cast only.
public import Foundation
import StorageEngine

extension Realm {
  /// An error with a code and the file that it is about.
  public final class Error: NSError, @unchecked Sendable {
    public enum Failure: Int, Sendable, CaseIterable {
      /// Anything that has no code of its own.
      case fail = 1
      /// The file cannot be opened or read: it is no database, damaged, or its key is wrong or missing.
      case fileAccess = 2
      /// The file or its folder may not be read or written.
      case filePermissionDenied = 3
      /// A file stands where one was to be made.
      case fileExists = 4
      /// There is no file, and the configuration does not let one be made.
      case fileNotFound = 5
      /// The file is open and what was asked for excludes that.
      case alreadyOpen = 6
      /// The file does not fit into the address space or the memory that the process may take.
      case addressSpaceExhausted = 9
      /// The classes are not those that the file was written with: a migration is required.
      case schemaMismatch = 10
      /// The disk, the quota or the file's limit is exhausted.
      case outOfDiskSpace = 12
      /// The configuration contradicts itself.
      case invalidConfiguration = 13
      /// A key has not 64 bytes.
      case encryptionKeyLength = 14
      /// More versions would be live than `maximumNumberOfActiveVersions` allows.
      case tooManyVersions = 15
      /// An instance or object was used where it is not confined to.
      case incorrectThread = 20
      /// Something was changed outside of a write transaction, or a transaction began within another.
      case wrongTransactionState = 21
      /// There is an object with that primary key.
      case duplicatePrimaryKey = 22
      /// What is frozen does not change.
      case frozen = 23
      /// The object was deleted, or its instance invalidated.
      case invalidated = 24
      /// The instance was opened for reading only.
      case readOnly = 25
      /// A value is not of the property's type, or the class has no such property.
      case invalidValue = 26
      /// The class is not among those of the instance.
      case classNotManaged = 27
    }

    public static let domain = "io.realm"

    /// The file that it is about, where there is one.
    public var fileURL: URL? { userInfo[NSURLErrorKey] as? URL }
    public var failure: Failure { Failure(rawValue: code) ?? .fail }

    /// What the engine said, where it did.
    let storage: StorageError?

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
}

extension Realm.Error {
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

/// What a `catch` names: `catch Realm.Error.fileAccess`. (A case of an enumeration would be taken for a pattern.)
extension Realm.Error {
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

/// Lets an error be caught by its failure.
public func ~= (failure: Realm.Error.Failure, error: any Swift.Error) -> Bool {
  (error as? Realm.Error)?.failure == failure
}
