// Moving a value that is not Sendable from one thread to another.

/// A value that one thread creates for another and does not use afterwards.
struct UnsafeTransfer<Value>: @unchecked Sendable {
  private let value: Value

  init(_ value: Value) { self.value = value }

  func take() -> Value { value }
}
