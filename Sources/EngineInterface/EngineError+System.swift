// From a refusal of the operating system to one of an engine, the same way for every adapter.
package import SystemIO

extension EngineError.Code {
  /// Converts a failed system call to the engine error that it means.
  package init(_ error: SystemError) {
    if error.isOutOfSpace {
      self = .outOfSpace
    } else if error.isPermissionDenied {
      self = .permissionDenied
    } else if error.isAlreadyThere {
      self = .alreadyExists
    } else if error.isLocked {
      self = .busy
    } else {
      self = .failed
    }
  }
}

extension EngineError {
  /// A failed system call, with what was being done.
  package init(engine: String, _ error: SystemError, while action: String) {
    self.init(engine: engine, code: Code(error), message: "\(action): \(error)")
  }
}
