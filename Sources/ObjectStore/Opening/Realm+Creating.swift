// Making objects: from values by property, from whatever has values, and from objects that are in no realm yet.
import Foundation
import StorageEngine

extension Realm {
  /// What `create` and `add` do where there is an object with the primary key.
  public enum UpdatePolicy: Int, Sendable {
    /// Misuse: primary keys are unique.
    case error = 1
    /// Only the properties that are given, and differ, are written.
    case modified = 3
    /// All properties are written: those that are not given get what a fresh object has.
    case all = 2
  }

  /// Makes an object of values by property. Properties that are not given have what a fresh object has.
  ///
  /// After misuse (outside of a transaction, a value of another type, a primary key that there is) the object is
  /// returned unmanaged.
  @inlinable
  @discardableResult
  public func create<T: Object>(
    _ type: T.Type, value: PropertyValues, update: UpdatePolicy = .error
  ) -> T {
    let fresh = type.init()
    create(fresh, type, value, update)
    return fresh
  }

  /// The same of a dictionary by property, an array in the order of the properties, or another object.
  @_disfavoredOverload
  @discardableResult
  public func create<T: Object>(
    _ type: T.Type, value: Any = [String: Any](), update: UpdatePolicy = .error
  ) -> T {
    let fresh = type.init()
    write("create objects", fresh, type, update) { values, schema throws(Realm.Error) in
      try InitialValues.take(value, &values, schema)
    }
    return fresh
  }

  @usableFromInline
  func create(
    _ fresh: Object, _ type: Object.Type, _ given: PropertyValues, _ update: UpdatePolicy
  ) {
    write("create objects", fresh, type, update) { values, schema throws(Realm.Error) in
      try InitialValues.take(given, &values, schema)
    }
  }

  /// Adds an object, which is managed from here on. With a policy that updates, an object with the same primary key is
  /// changed, and `object` is a view of it.
  public func add(_ object: Object, update: UpdatePolicy = .error) {
    if let row = object.row {
      guard row.instance !== instance else { return }
      return Misuse.report(
        .invalidValue, "The object is in another realm already: use create(_:value:update:).",
        file: instance.file.url)
    }
    write("add objects", object, Swift.type(of: object), update) { values, schema in
      object.fill(&values, schema)
    }
  }

  public func add(_ objects: some Sequence<Object>, update: UpdatePolicy = .error) {
    for object in objects { add(object, update: update) }
  }

  /// Writes the values that `give` gives, and those of `object` for the rest; it is a view of the row from here on.
  @inline(__always)
  private func write(
    _ purpose: StaticString, _ object: Object, _ type: Object.Type, _ policy: UpdatePolicy,
    _ give: (inout [ColumnValue?], ObjectSchema) throws(Realm.Error) -> Void
  ) {
    guard let transaction = instance.transaction(for: purpose), let info = instance.bind(type)
    else { return }
    var values = instance.recordBuffer.take(info.schema.columns.count)
    do throws(Realm.Error) {
      try give(&values, info.schema)
      let key = try instance.store(&values, object, info, policy, transaction)
      object.manage(instance, info, key)
    } catch {
      Misuse.report(error)
    }
    instance.recordBuffer.returnValues(&values)
  }
}
