// From Realm Core's errors to the refusals of the contract.
import CRealm
import EngineInterface
import MetricModel
import SystemIO

let realmCoreID = EngineIdentifier.realmCore.rawValue

/// Codes of Realm Core's errors to which the adapter reacts (realm/error_codes.h).
enum RealmCoreCode: UInt32 {
  case outOfDiskSpace = 1004
  case addressSpaceExhausted = 1005
  case maximumFileSizeExceeded = 1006
  case incompatibleSession = 1007
  case incompatibleLockFile = 1008
  case unsupportedFileFormat = 1011
  case filePermissionDenied = 1018
  case fileAlreadyExists = 1020
  case invalidDatabase = 1021
  case decryptionFailed = 1022
  case wrongTransactionState = 2005
  case mismatchedConfig = 2013
  case invalidKey = 3014
  case limitExceeded = 3018

  var meaning: EngineError.Code {
    switch self {
    case .outOfDiskSpace, .addressSpaceExhausted, .maximumFileSizeExceeded: .outOfSpace
    case .incompatibleSession, .incompatibleLockFile, .mismatchedConfig: .busy
    case .unsupportedFileFormat, .invalidDatabase: .corrupt
    case .filePermissionDenied, .decryptionFailed, .invalidKey: .permissionDenied
    case .fileAlreadyExists: .alreadyExists
    case .limitExceeded: .unsupported
    case .wrongTransactionState: .failed
    }
  }
}

extension RealmCoreLibrary {
  /// Returns the error of the call that just failed in this thread. A success does not clear the thread's last error, so it
  /// is read only after a call that reported failure.
  func lastError(while action: String) -> EngineError {
    var error = crealm_error()
    guard call.getLastError(&error) else {
      return EngineError(
        engine: realmCoreID, code: .failed, message: "\(action): refused without a reason")
    }
    let text = error.message.map { String(cString: $0) } ?? "error \(error.code)"
    var code = RealmCoreCode(rawValue: error.code)?.meaning ?? .failed
    // The same code means that a transaction is open already; only the limit's text tells them apart.
    if error.code == RealmCoreCode.wrongTransactionState.rawValue,
      text.hasPrefix("Number of active versions")
    {
      code = .snapshotsHeld
    }
    return EngineError(
      engine: realmCoreID, code: code, message: "\(action): \(text) (\(error.code))")
  }

  /// Throws where Realm Core answered failure.
  func check(_ success: Bool, _ action: @autoclosure () -> String) throws(EngineError) {
    if !success { throw lastError(while: action()) }
  }

  /// The object that a call answered, or its error.
  func check(
    _ object: OpaquePointer?, _ action: @autoclosure () -> String
  ) throws(EngineError) -> OpaquePointer {
    guard let object else { throw lastError(while: action()) }
    return object
  }
}

extension EngineError {
  static var realmClosed: EngineError {
    EngineError(
      engine: realmCoreID, code: .failed, message: "the session is closed; open it again")
  }
}
