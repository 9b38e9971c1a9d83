// Rows as objects of the object store: each table is a class, each row an object with a key and bytes.
import Foundation
import ObjectStore

/// A row. The file has its class under the table's name.
class RowObject: Object {
  @Persisted(primaryKey: true) var key: Int
  @Persisted var value: Data
}

private final class RowObject0: RowObject {}
private final class RowObject1: RowObject {}
private final class RowObject2: RowObject {}
private final class RowObject3: RowObject {}
private final class RowObject4: RowObject {}
private final class RowObject5: RowObject {}
private final class RowObject6: RowObject {}
private final class RowObject7: RowObject {}

/// A class of rows, and what needs its static type.
struct RowClass: Sendable {
  let type: RowObject.Type
  /// Registers a function that is called when a live realm has moved and the class has changed.
  let observe: @Sendable (Realm, @escaping () -> Void) -> NotificationToken

  private init<Row: RowObject>(_ type: Row.Type) {
    self.type = type
    observe = { realm, callback in
      realm.objects(Row.self).observe { if case .update = $0 { callback() } }
    }
  }

  /// One class for each table of a database.
  static let all = [
    RowClass(RowObject0.self), RowClass(RowObject1.self), RowClass(RowObject2.self),
    RowClass(RowObject3.self), RowClass(RowObject4.self), RowClass(RowObject5.self),
    RowClass(RowObject6.self), RowClass(RowObject7.self),
  ]
}
