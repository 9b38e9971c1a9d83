// An object of a migration by the names of its properties, since its class may have changed.

/// An object as it was, or as it will be. Errors of its use fail the opening.
public final class MigrationObject {
  /// Where the values of an object are.
  struct Access {
    /// Returns a property's value; nil if there is no such property.
    var read: (String) throws -> ColumnValue?
    /// nil for an object that cannot be changed.
    var write: ((String, Any?) throws -> Void)?
    var delete: (() throws -> Void)?
  }

  let access: Access
  private let className: String
  private let names: [String]
  private let runner: MigrationRunner

  init(_ className: String, _ names: [String], _ runner: MigrationRunner, _ access: Access) {
    self.className = className
    self.names = names
    self.runner = runner
    self.access = access
  }

  /// A property's value; nil for null. Opening fails with `invalidValue` if there is no such property, if an old object is
  /// changed, or if a value does not have the property's type.
  public subscript(name: String) -> Any? {
    get {
      let found: Any?? = runner.perform {
        guard let value = try access.read(name) else {
          throw RealmError(.invalidValue, "\(className) has no property '\(name)'.")
        }
        return value.anyValue
      }
      return found ?? nil
    }
    set {
      runner.perform {
        guard let write = access.write else {
          throw RealmError(.invalidValue, "Old objects of a migration do not change.")
        }
        try write(name, newValue)
      }
    }
  }
}

extension MigrationObject: CustomStringConvertible {
  public var description: String {
    let lines = names.map { name in
      let value = (try? access.read(name)) ?? nil
      return "  \(name) = \(value?.anyValue.map { "\($0)" } ?? "nil");"
    }
    return "\(className) {\n\(lines.joined(separator: "\n"))\n}"
  }
}
