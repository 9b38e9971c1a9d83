// Why a trace could not be written. It is stored, never thrown: the app works on without its trace.

public struct TraceEmitterError: Error, Sendable, CustomStringConvertible {
  /// The failed call, such as `open`.
  public let call: String
  public let path: String
  /// The system's number of the error.
  public let code: Int32

  public var description: String {
    "\(path): \(call) failed with errno \(code); nothing more is recorded"
  }
}
