// What the operating system refused, with the call and the path, so that the user can act on it.
public import SystemPackage

/// A path in the file system; swift-system's type, named here so that this room alone imports it.
public typealias FilePath = SystemPackage.FilePath

/// An operating-system call that failed.
public struct SystemError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The `errno` of the call.
  public let code: Int32
  /// The call, for example `pwrite`.
  public let call: String
  /// The file, folder or library that it was about; empty where none.
  public let path: String
  /// A sentence that adds to the text of `errno`; nil if that suffices.
  public let explanation: String?

  public init(code: Int32, call: String, path: String = "", explanation: String? = nil) {
    self.code = code
    self.call = call
    self.path = path
    self.explanation = explanation
  }

  /// The disk, the quota or the process's file size limit is exhausted.
  public var isOutOfSpace: Bool {
    let error = Errno(rawValue: code)
    return error == .noSpace || error == .fileTooLarge || error == .diskQuotaExceeded
  }

  public var description: String {
    if let explanation { return path.isEmpty ? explanation : "\(path): \(explanation)" }
    let reason = Errno(rawValue: code).description
    return path.isEmpty ? "\(call): \(reason)" : "\(path): \(call): \(reason)"
  }
}
