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
    instance.create(object, from: value, update)
    return object
  }

  /// The same for a literal of values of several types, for which `Any` would have to be written.
  @_disfavoredOverload
  @discardableResult
  public func create<T: Object>(
    _ type: T.Type, value: [String: Any], update: UpdatePolicy = .error
  ) -> T {
    let object = type.init()
    instance.create(object, from: value, update)
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

  /// Adds an object, and all unmanaged objects that it links to; they are managed from then on. With a policy that updates,
  /// an existing object with the same primary key is changed, and the added one becomes a view of it.
  public func add(_ object: Object, update: UpdatePolicy = .error) {
    instance.add(object, update)
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
  func find(_ type: Object.Type, _ key: ColumnValue) -> ObjectBase? { instance.find(type, key) }

  /// Returns the object of the reference in this realm; nil if it was deleted. A reference is resolved once. The realm moves
  /// to a version no older than that of the reference.
  public func resolve<T: ObjectBase>(_ reference: ThreadSafeReference<T>) -> T? {
    instance.resolve(reference)
  }

  /// Returns the collection of the reference in this realm; nil after misuse. A reference is resolved once. The realm moves
  /// to a version no older than that of the reference.
  public func resolve<T: Object>(_ reference: ThreadSafeReference<Results<T>>) -> Results<T>? {
    instance.resolve(reference)
  }

  /// Returns the list, set or map of the reference in this realm; nil if its owner was deleted. A reference is resolved
  /// once. The realm moves to a version no older than that of the reference.
  public func resolve<T: PersistedCollection>(_ reference: ThreadSafeReference<T>) -> T? {
    instance.resolve(reference)
  }

  /// Returns the frozen view of the object in the version that is read now; itself if it is frozen.
  public func freeze<T: ObjectBase>(_ object: T) -> T { object.freeze() }

  /// Whether there are no objects.
  public var isEmpty: Bool {
    guard instance.check() else { return true }
    return (try? instance.isEmpty()) ?? true
  }

  // MARK: Deleting

  /// Deletes an object with the embedded objects that it owns. Links to it become nil, lists and sets lose it, and maps have
  /// nil for it.
  public func delete(_ object: ObjectBase) { instance.delete(object) }

  public func delete(_ objects: some Sequence<ObjectBase>) {
    for object in Array(objects) { delete(object) }
  }

  public func delete<T: Object>(_ objects: Results<T>) {
    instance.delete(T.self) { objects.keys() }
  }

  /// Deletes all objects of all classes that the file has.
  public func deleteAll() { instance.deleteAll() }
}
