// Rows as objects of the object store: each table is a class, each row an object with a key and bytes.
import Foundation
import ObjectStore

/// A row. The file has its class under the table's name.
class RowObject: Object {
  @Persisted(primaryKey: true) var key: Int

  /// The property that has the row's bytes.
  class var bytesName: String { preconditionFailure("\(self) has no bytes.") }
  var bytes: Data { preconditionFailure("\(Self.self) has no bytes.") }
}

/// A row of a table that was not migrated, or back again.
class ValueRow: RowObject {
  @Persisted var value: Data

  override class var bytesName: String { "value" }
  override var bytes: Data { value }
}

/// A row after a migration.
class ContentRow: RowObject {
  @Persisted var content: Data

  override class var bytesName: String { "content" }
  override var bytes: Data { content }
}

private final class ValueRow0: ValueRow {}
private final class ValueRow1: ValueRow {}
private final class ValueRow2: ValueRow {}
private final class ValueRow3: ValueRow {}
private final class ValueRow4: ValueRow {}
private final class ValueRow5: ValueRow {}
private final class ValueRow6: ValueRow {}
private final class ValueRow7: ValueRow {}

private final class ContentRow0: ContentRow {}
private final class ContentRow1: ContentRow {}
private final class ContentRow2: ContentRow {}
private final class ContentRow3: ContentRow {}
private final class ContentRow4: ContentRow {}
private final class ContentRow5: ContentRow {}
private final class ContentRow6: ContentRow {}
private final class ContentRow7: ContentRow {}

/// A class of rows, and what needs its static type.
struct RowClass: Sendable {
  let type: RowObject.Type
  /// The name that the file has for it, if that is not the table's: other classes link to it by that name.
  var ownName: String?
  /// The classes of the objects that are embedded in its own.
  var embedded: [ObjectBase.Type] = []
  /// Returns the keys of the objects that have a value in an indexed column, ascending; nil for a class without any.
  var keys: (@Sendable (_ realm: Realm, _ column: Int, _ value: Int) -> [Int64])?
  /// Registers a function that is called when a live realm has moved and the class has changed.
  let observe: @Sendable (Realm, @escaping () -> Void) -> NotificationToken

  init<Row: RowObject>(_ type: Row.Type) {
    self.type = type
    observe = { realm, callback in
      realm.objects(Row.self).observe { if case .update = $0 { callback() } }
    }
  }

  /// One class for each table of a database.
  static let values = [
    RowClass(ValueRow0.self), RowClass(ValueRow1.self), RowClass(ValueRow2.self),
    RowClass(ValueRow3.self), RowClass(ValueRow4.self), RowClass(ValueRow5.self),
    RowClass(ValueRow6.self), RowClass(ValueRow7.self),
  ]

  /// The same after an odd number of migrations.
  static let contents = [
    RowClass(ContentRow0.self), RowClass(ContentRow1.self), RowClass(ContentRow2.self),
    RowClass(ContentRow3.self), RowClass(ContentRow4.self), RowClass(ContentRow5.self),
    RowClass(ContentRow6.self), RowClass(ContentRow7.self),
  ]
}
