// What a migration block is passed: the objects as they were and as they will be, by the names of their properties.
import Foundation

/// Called with the migration and the schema version of the file: `Realm.Configuration.migrationBlock`.
public typealias MigrationBlock =
  @Sendable (_ migration: Migration, _ oldSchemaVersion: UInt64) -> Void

/// Called with an object before and after the migration; nil if the file did not, or the program does not, have the class.
public typealias MigrationObjectEnumerateBlock = (
  _ oldObject: MigrationObject?, _ newObject: MigrationObject?
) -> Void

/// An object by the names of its properties, since its class may have changed.
public final class MigrationObject {
  private let names: [String]
  private let read: (String) -> ColumnValue?
  let write: ((String, Any?) -> Void)?
  let key: RowKey
  let className: String

  init(
    _ className: String, _ key: RowKey, _ names: [String],
    read: @escaping (String) -> ColumnValue?, write: ((String, Any?) -> Void)?
  ) {
    self.className = className
    self.key = key
    self.names = names
    self.read = read
    self.write = write
  }

  /// A property's value; nil for null. Reports misuse if there is no such property, or an old object is changed.
  public subscript(name: String) -> Any? {
    get {
      guard let value = read(name) else {
        Misuse.report(.invalidValue, "\(className) has no property '\(name)'.")
        return nil
      }
      return value.anyValue
    }
    set {
      guard let write else {
        Misuse.report(.invalidValue, "Old objects of a migration do not change.")
        return
      }
      write(name, newValue)
    }
  }
}

extension MigrationObject: CustomStringConvertible {
  public var description: String {
    let lines = names.map { "  \($0) = \(read($0)?.anyValue.map { "\($0)" } ?? "nil");" }
    return "\(className) {\n\(lines.joined(separator: "\n"))\n}"
  }
}

/// The argument of a migration block.
public final class Migration {
  private let runner: MigrationRunner

  init(_ runner: MigrationRunner) { self.runner = runner }

  /// Calls `block` with each object that the file had of a class.
  public func enumerateObjects(ofType name: String, _ block: MigrationObjectEnumerateBlock) {
    // Opening fails when the block has returned.
    guard !runner.isUnknown(name) else { return }
    runner.reporting {
      for (old, key) in try runner.oldRows(name) {
        block(runner.oldObject(name, key, old), try runner.newObject(name, key))
      }
    }
  }

  /// Creates an object of a class of the program.
  @discardableResult
  public func create(_ name: String, value: Any = [String: Any]()) -> MigrationObject? {
    runner.reporting { try runner.create(name, value) } ?? nil
  }

  /// Deletes an object that `enumerateObjects` passed as the new one.
  public func delete(_ object: MigrationObject) {
    runner.reporting { try runner.delete(object) }
  }

  /// Deletes all objects of a class, and its description if the program no longer has the class; returns whether the file
  /// had the class.
  @discardableResult
  public func deleteData(forType name: String) -> Bool {
    runner.reporting { try runner.deleteAll(name) } ?? false
  }

  /// Sets the property `new` of all objects to the value that the property `old` had.
  public func renameProperty(onType name: String, from old: String, to new: String) {
    enumerateObjects(ofType: name) { before, after in after?[new] = before?[old] }
  }
}
