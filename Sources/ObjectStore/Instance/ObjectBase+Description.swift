// An object as text.

extension ObjectBase: CustomStringConvertible {
  /// One line for each property. Linked objects are described too, to a depth of two, and lists with their elements.
  public var description: String { describe(depth: 2) }

  private func describe(depth: Int) -> String {
    let objectClass = row?.info.objectClass ?? ObjectClass.of(type(of: self))
    guard depth > 0 else { return "\(objectClass.schema.name) { … }" }
    let lines = objectClass.schema.columns.map { column in
      "  \(column.name) = \(describe(column, objectClass, depth));"
    }
    return "\(objectClass.schema.name) {\n\(lines.joined(separator: "\n"))\n}"
  }

  private func describe(_ column: Column, _ objectClass: ObjectClass, _ depth: Int) -> String {
    guard column.isLinked else { return Self.describe(value(of: column)) }
    switch content(of: column, objectClass) {
    case .value(let value): return Self.describe(value, depth)
    case .list(let elements):
      return "[\(elements.map { Self.describe($0, depth) }.joined(separator: ", "))]"
    case .entries(let entries):
      let parts = entries.map { "\($0.key): \(Self.describe($0.value, depth))" }
      return "[\(parts.joined(separator: ", "))]"
    case .nothing: return "nil"
    }
  }

  private static func describe(_ element: ElementContent, _ depth: Int) -> String {
    switch element {
    case .value(let value): describe(value)
    case .object(let object), .creation(let object, _):
      object.describe(depth: depth - 1).replacingNewlines()
    }
  }

  private static func describe(_ value: ColumnValue) -> String {
    value.anyValue.map { "\($0)" } ?? "nil"
  }
}

extension String {
  /// Indents the lines after the first.
  fileprivate func replacingNewlines() -> String {
    split(separator: "\n", omittingEmptySubsequences: false).joined(separator: "\n  ")
  }
}
