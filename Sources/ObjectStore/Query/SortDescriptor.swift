// A property that results are sorted by, and the direction.

/// A property's name, and whether smaller values come first. A string literal is a descriptor in ascending order. A property
/// of an object at the end of to-one links is named with these: `"dog.name"`.
public struct SortDescriptor: Hashable, Sendable, ExpressibleByStringLiteral {
  /// The name of the property, after those of the links to its object.
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
  /// Returns the name of the property that a key path leads to, with those of the links before it: `dog.name`. Stops the
  /// program if it leads to no persisted one.
  func name(of path: AnyKeyPath) -> String {
    let columns = columns(of: path)
    guard !columns.isEmpty else {
      preconditionFailure("\(schema.name) has no persisted property at this key path.")
    }
    return columns.map(\.name).joined(separator: ".")
  }
}
