// A property that results are sorted by, and the direction.

/// A property's name, and whether smaller values come first. A string literal is a descriptor in ascending order.
public struct SortDescriptor: Hashable, Sendable, ExpressibleByStringLiteral {
  /// The name of the property.
  public let keyPath: String
  public let ascending: Bool

  public init(keyPath: String, ascending: Bool = true) {
    self.keyPath = keyPath
    self.ascending = ascending
  }

  /// Error by precondition: the key path does not lead to a persisted property.
  public init<Element: Object>(keyPath: PartialKeyPath<Element>, ascending: Bool = true) {
    self.init(keyPath: ObjectClass.of(Element.self).name(of: keyPath), ascending: ascending)
  }

  public init(stringLiteral name: String) { self.init(keyPath: name) }

  /// Returns the same property in the other direction.
  public func reversed() -> SortDescriptor {
    SortDescriptor(keyPath: keyPath, ascending: !ascending)
  }
}

extension ObjectClass {
  /// Returns the name of the property that a key path leads to; stops the program if it leads to no persisted one.
  func name(of path: AnyKeyPath) -> String {
    guard let column = column(of: path) else {
      preconditionFailure("\(schema.name) has no persisted property at this key path.")
    }
    return column.name
  }
}
