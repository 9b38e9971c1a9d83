// What `Object` and `EmbeddedObject` share: an object is unmanaged, or a view of a row.

/// The base class of `Object` and `EmbeddedObject`: the `@Persisted` properties of a subclass are the columns of its table.
/// An object is *unmanaged* until it is added to a realm; from then on it is a view of a row, confined as its realm is.
///
/// An object is created for each row that is found, so what it needs of its row is in its own fields: a second object for
/// that would double the cost of a search. Its fields are changed only by its own methods, none of which calls code that
/// could change them.
open class ObjectBase {
  /// Whether the properties read and write the object's own values: it is unmanaged and not traced.
  @usableFromInline @exclusivity(unchecked) final var hasOwnValues = true
  /// The ticket after those of the object's wrappers.
  final let nextTicket: UInt32
  /// The realm that manages the object.
  @exclusivity(unchecked) private final var instance: Unmanaged<OpenRealm>?
  /// Retained by the instance.
  @exclusivity(unchecked) private final var info: Unmanaged<ClassInfo>?
  @exclusivity(unchecked) private final var key = RowKey.int(0)
  /// The instance's generation when the row was found.
  @exclusivity(unchecked) private final var generation = 0
  @exclusivity(unchecked) private final var cachedRow = CachedRow()
  /// Set in an object that is created to find the column of a key path.
  @exclusivity(unchecked) private final var tracer: KeyPathTracer?

  public required init() { nextTicket = ThreadLocalState.current.nextTicket }

  deinit { instance?.release() }

  /// The row of a managed object.
  final var row: ManagedRow? {
    guard let instance, let info else { return nil }
    return ManagedRow(instance.takeUnretainedValue(), info.takeUnretainedValue(), key, generation)
  }

  /// Makes the object a view of a row of the instance.
  @inline(__always)
  final func manage(_ instance: OpenRealm, _ info: ClassInfo, _ key: RowKey) {
    let before = self.instance
    self.instance = .passRetained(instance)
    before?.release()
    self.info = .passUnretained(info)
    self.key = key
    generation = instance.generation
    cachedRow.invalidate()
    hasOwnValues = false
  }

  /// Makes the object unmanaged again, after `manage`, if its row could not be written.
  final func unmanage() {
    instance?.release()
    instance = nil
    info = nil
    hasOwnValues = true
  }

  /// Makes the tracer record each read of a property.
  final func trace(_ tracer: KeyPathTracer) {
    self.tracer = tracer
    hasOwnValues = false
  }

  /// Returns a traced object for the link that a traced object has just read; nil for any other object.
  final func tracedLink<Target: ObjectBase>(_ type: Target.Type) -> Target? {
    guard let tracer else { return nil }
    let target = type.init()
    let next = KeyPathTracer()
    target.trace(next)
    tracer.next = next
    return target
  }

  /// Returns the object of the class with this key in the realm of a managed object.
  final func linked(_ type: ObjectBase.Type, _ key: RowKey) -> ObjectBase? {
    instance?._withUnsafeGuaranteedRef { $0.find(type, linkedBy: key) }
  }

  /// Caches the row's bytes for as long as the instance sees the same.
  @inline(__always)
  final func cache(_ row: CachedRow) { cachedRow = row }

  /// Returns the property's bytes if they are cached and current, and the caller may read them.
  @usableFromInline
  final func cachedColumn(_ ticket: UInt32) -> CachedColumn {
    guard let instance, let info else { return CachedColumn() }
    return instance._withUnsafeGuaranteedRef { instance in
      guard cachedRow.stamp == instance.stamp, instance.isCurrent else { return CachedColumn() }
      let ordinal = Int(nextTicket &- ticket)
      return info._withUnsafeGuaranteedRef { cachedRow.column($0.position(ordinal: ordinal)) }
    }
  }

  /// Calls `body` with the property's bytes, nil for null; `body` returns whether it could decode them. It is not called
  /// after misuse.
  @usableFromInline
  final func readColumn(_ ticket: UInt32, _ body: (UnsafeRawBufferPointer?) -> Bool) {
    let ordinal = Int(nextTicket &- ticket)
    if let row {
      row.read(self, ordinal, body)
    } else {
      tracer?.record(ordinal)
    }
  }

  @usableFromInline
  final func writeColumn(_ ticket: UInt32, _ value: ColumnValue) {
    guard let row else { return }
    row.write(column: row.info.schema.column(ordinal: Int(nextTicket &- ticket)), value)
  }

  /// Writes a link or a collection.
  final func writeContent(_ ticket: UInt32, _ content: PropertyContent) {
    guard let row else { return }
    row.write(column: row.info.schema.column(ordinal: Int(nextTicket &- ticket)), content)
  }

  /// Returns the property of a managed object; nil for an unmanaged or traced one.
  final func managedProperty(_ ticket: UInt32) -> ManagedProperty? {
    let ordinal = Int(nextTicket &- ticket)
    guard let row else {
      tracer?.record(ordinal)
      return nil
    }
    return ManagedProperty(row, row.info.schema.column(ordinal: ordinal))
  }
}

/// Records which property was read last, and which one of the object that it links to.
final class KeyPathTracer {
  /// The wrapper ordinal of the property; 0 before a property is read.
  private(set) var ordinal = 0
  /// Traces the object of the link; nil for a property of another type.
  fileprivate(set) var next: KeyPathTracer?

  fileprivate func record(_ ordinal: Int) {
    self.ordinal = ordinal
    next = nil
  }
}

extension ObjectBase {
  /// Whether the object was deleted or its realm invalidated: it can no longer be used.
  public var isInvalidated: Bool { row.map { !$0.isUsable || !$0.exists } ?? false }

  public var isFrozen: Bool { row?.instance.isFrozen ?? false }

  /// Whether both are views of the same row of the same file; an unmanaged object is the same only as itself.
  public func isSameObject(as other: ObjectBase?) -> Bool {
    guard let other else { return false }
    guard let row, let otherRow = other.row else { return self === other }
    return row.key == otherRow.key && row.info.schema === otherRow.info.schema
      && row.instance.coordinator === otherRow.instance.coordinator
  }
}

extension ObjectBase: Hashable {
  public static func == (a: ObjectBase, b: ObjectBase) -> Bool { a.isSameObject(as: b) }

  public func hash(into hasher: inout Hasher) {
    if let row { hasher.combine(row.key) } else { hasher.combine(ObjectIdentifier(self)) }
  }
}
