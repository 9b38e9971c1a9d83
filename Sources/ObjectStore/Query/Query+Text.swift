// Conditions on strings: `$0.name.starts(with: "A")`.

/// `String` and `String?`.
public protocol PersistedText: PersistedValue {}
extension String: PersistedText {}
extension Optional: PersistedText where Wrapped == String {}

/// How strings are compared.
public struct StringOptions: OptionSet, Sendable {
  public let rawValue: Int
  public init(rawValue: Int) { self.rawValue = rawValue }
  /// Compares both sides in lowercase. No index can be used.
  public static var caseInsensitive: StringOptions { StringOptions(rawValue: 1) }
}

extension Query where T: PersistedText {
  /// Returns the condition that the property contains `part`. Every string contains the empty one; nil contains none.
  public func contains(_ part: String, options: StringOptions = []) -> Query<Bool> {
    text(.contains, part, options)
  }

  /// Returns the condition that the property begins with `part`: an index is read from there on.
  public func starts(with part: String, options: StringOptions = []) -> Query<Bool> {
    text(.begins, part, options)
  }

  public func ends(with part: String, options: StringOptions = []) -> Query<Bool> {
    text(.ends, part, options)
  }

  /// Returns the condition that the property equals `value`. Strings are compared by their bytes in UTF-8.
  public func equals(_ value: T, options: StringOptions = []) -> Query<Bool> {
    guard case .string(let operand) = value.columnValue, options.contains(.caseInsensitive) else {
      return self == value
    }
    return text(.equals, operand, options)
  }

  public func notEquals(_ value: T, options: StringOptions = []) -> Query<Bool> {
    guard case .string(let operand) = value.columnValue, options.contains(.caseInsensitive) else {
      return self != value
    }
    let match = TextMatch(.equals, operand, ignoresCase: true)
    return condition { .not(.text($0, match)) }
  }

  /// Returns the condition that the whole property matches a pattern, in which `?` is any one scalar and `*` any number of
  /// them. What stands before the first of these is found by an index.
  public func like(_ pattern: String, caseInsensitive: Bool = false) -> Query<Bool> {
    text(.like, pattern, caseInsensitive ? .caseInsensitive : [])
  }

  private func text(
    _ operation: TextMatch.Operation, _ operand: String, _ options: StringOptions
  ) -> Query<Bool> {
    let match = TextMatch(operation, operand, ignoresCase: options.contains(.caseInsensitive))
    return condition { .text($0, match) }
  }
}
