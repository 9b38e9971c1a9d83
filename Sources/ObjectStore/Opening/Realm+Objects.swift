// Creating, finding and deleting objects.

extension Realm {
  // MARK: Creating

  /// Creates an object from values by property. Properties without a value have that of a new object.
  ///
  /// After misuse (outside of a transaction, a value of another type, an existing primary key) the object is returned
  /// unmanaged.
  @inlinable
  @discardableResult
  public func create<T: Object>(
    _ type: T.Type, value: PropertyValues, update: UpdatePolicy = .error
  ) -> T {
    let object = type.init()
    create(object, type, value, update)
    return object
  }

  /// Creates an object from a dictionary by property, an array in the order of the properties, or another object.
  @_disfavoredOverload
  @discardableResult
  public func create<T: Object>(
    _ type: T.Type, value: Any = [String: Any](), update: UpdatePolicy = .error
  ) -> T {
    let object = type.init()
    instance.store(object, as: type, update, for: "create objects") {
      (values, info) throws(Realm.Error) in
      try InitialValues.read(value, into: &values, of: info.schema)
    }
    return object
  }

  @usableFromInline
  func create(
    _ object: Object, _ type: Object.Type, _ value: PropertyValues, _ update: UpdatePolicy
  ) {
    instance.store(object, as: type, update, for: "create objects") {
      (values, info) throws(Realm.Error) in
      try InitialValues.read(value, into: &values, of: info.schema)
    }
  }

  /// Adds an object, which is managed from then on. With a policy that updates, an existing object with the same primary
  /// key is changed, and `object` becomes a view of it.
  public func add(_ object: Object, update: UpdatePolicy = .error) {
    if let row = object.row {
      guard row.instance !== instance else { return }
      return Misuse.report(
        .invalidValue, "The object is in another realm already: use create(_:value:update:).",
        file: instance.url)
    }
    instance.store(object, as: type(of: object), update, for: "add objects") { values, info in
      object.fill(&values, info.wrappers)
    }
  }

  public func add(_ objects: some Sequence<Object>, update: UpdatePolicy = .error) {
    for object in objects { add(object, update: update) }
  }

  // MARK: Finding

  /// Returns all objects of a class.
  public func objects<T: Object>(_ type: T.Type) -> Results<T> { Results(instance) }

  /// Returns the object with that primary key; nil if there is none. Reports misuse for a class without primary key, and
  /// for a key of another type.
  @inlinable
  public func object<T: Object>(ofType type: T.Type, forPrimaryKey key: some PersistedValue) -> T? {
    find(type, key.columnValue).map { unsafeDowncast($0, to: T.self) }
  }

  public func object<T: Object>(ofType type: T.Type, forPrimaryKey key: Any?) -> T? {
    instance.find(type, anyKey: key).map { unsafeDowncast($0, to: T.self) }
  }

  @usableFromInline
  func find(_ type: Object.Type, _ key: ColumnValue) -> Object? { instance.find(type, key) }

  /// Returns the object of the reference in this realm; nil if it was deleted. A reference is resolved once. The realm moves
  /// to a version no older than that of the reference.
  public func resolve<T: Object>(_ reference: ThreadSafeReference<T>) -> T? {
    instance.resolve(reference)
  }

  /// Returns the frozen view of the object in the version that is read now; itself if it is frozen.
  public func freeze<T: Object>(_ object: T) -> T { object.freeze() }

  /// Whether there are no objects.
  public var isEmpty: Bool {
    guard instance.check() else { return true }
    return (try? instance.isEmpty()) ?? true
  }

  // MARK: Deleting

  public func delete(_ object: Object) { instance.delete(object) }

  public func delete(_ objects: some Sequence<Object>) {
    for object in Array(objects) { delete(object) }
  }

  public func delete<T: Object>(_ objects: Results<T>) {
    instance.delete(T.self) { objects.keys() }
  }

  /// Deletes all objects of all classes that the file has.
  public func deleteAll() { instance.deleteAll() }
}
