// What an engine refused, in one shape for all of them.

package struct EngineError: Error, Sendable, CustomStringConvertible {
  /// A code exists where a caller reacts to it differently.
  package enum Code: String, Sendable {
    /// The file is not this engine's, is damaged, or is too short.
    case corrupt
    case outOfSpace
    case permissionDenied
    /// Another process or session has the database in a way that excludes this.
    case busy
    case alreadyExists
    case snapshotsHeld
    case unsupported
    /// Anything else the engine or the system reported.
    case failed

    /// Whether a limit may be behind it: of the disk, of addresses, of versions.
    package var isOfLimits: Bool { self == .outOfSpace || self == .snapshotsHeld }
  }

  package let engine: String
  package let code: Code
  /// A sentence with the failure and what can be done about it.
  package let message: String

  package init(engine: String, code: Code, message: String) {
    self.engine = engine
    self.code = code
    self.message = message
  }

  package var description: String { "\(engine): \(message)" }
}
