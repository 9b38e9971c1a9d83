// What a migration block is passed.
import Foundation

/// Called with the migration and the schema version of the file: `Realm.Configuration.migrationBlock`.
public typealias MigrationBlock =
  @Sendable (_ migration: Migration, _ oldSchemaVersion: UInt64) -> Void

/// Called with an object before and after the migration; nil if the file did not, or the program does not, have the class.
public typealias MigrationObjectEnumerateBlock = (
  _ oldObject: MigrationObject?, _ newObject: MigrationObject?
) -> Void

/// The argument of a migration block. The whole migration is one transaction: opening throws the first error of the block's
/// calls, and the file stays as it was.
public final class Migration {
  private let runner: MigrationRunner

  init(_ runner: MigrationRunner) { self.runner = runner }

  /// Calls `block` with each object that the file had of a class, in the order of their keys. The new object's properties
  /// have the old values where name and type are the same, and otherwise those of a new object. Its primary key can be set
  /// if the class had another one before, until `block` returns.
  public func enumerateObjects(ofType name: String, _ block: MigrationObjectEnumerateBlock) {
    runner.perform { try runner.enumerate(name, block) }
  }

  /// Creates an object of a class of the program.
  @discardableResult
  public func create(_ name: String, value: Any = [String: Any]()) -> MigrationObject? {
    runner.perform { try runner.create(name, value) } ?? nil
  }

  /// Deletes an object that `enumerateObjects` passed as the new one, or that `create` returned.
  public func delete(_ object: MigrationObject) {
    runner.perform {
      guard let delete = object.access.delete else {
        throw RealmError(.invalidValue, "Only new objects of a migration can be deleted.")
      }
      try delete()
    }
  }

  /// Deletes all objects of a class, and its description if the program no longer has the class; returns whether the file
  /// had the class.
  @discardableResult
  public func deleteData(forType name: String) -> Bool {
    runner.perform { try runner.deleteAll(name) } ?? false
  }

  /// Sets the property `new` of all objects to the value that the property `old` had.
  public func renameProperty(onType name: String, from old: String, to new: String) {
    enumerateObjects(ofType: name) { before, after in
      guard let after else { return }
      after[new] = before?[old]
    }
  }
}
