// What storing an object does if its primary key exists already.

/// What `create` and `add` do if an object with the same primary key exists: `Realm.UpdatePolicy`.
public enum UpdatePolicy: Int, Sendable {
  /// Reports misuse: primary keys are unique.
  case error = 1
  /// Writes only the properties that have a value and differ.
  case modified = 3
  /// Writes all properties: those without a value get that of a new object.
  case all = 2
}
