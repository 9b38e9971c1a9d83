// Links: an optional property of a class, and elements of collections.

extension ObjectBase: PersistableElement {}

extension PersistableElement where Self: ObjectBase {
  public static var elementShape: PropertyShape {
    PropertyShape(.link, isOptional: false, target: Self.self)
  }
  public static var unsetElement: Self { Self() }
  public var elementContent: ElementContent { .object(self) }

  public static func makeElement(_ value: ColumnValue, _ source: ElementSource) -> Self? {
    guard case .link(let key) = value, let info = source.instance.classInfo(for: Self.self) else {
      return nil
    }
    return source.instance.object(Self.self, info, key)
  }

  public static func readOptional(_ owner: ObjectBase, _ ticket: UInt32) -> Self? {
    guard let key = owner.readLink(ticket) else { return owner.tracedLink(Self.self) }
    return owner.linked(Self.self, key).map { unsafeDowncast($0, to: Self.self) }
  }
}

extension ObjectBase {
  /// Returns the key of the object that a property links to; nil for none, and after misuse.
  fileprivate func readLink(_ ticket: UInt32) -> RowKey? {
    let cached = cachedColumn(ticket)
    if cached.count < 0 { return nil }
    if let start = cached.start {
      return RowKey(linkBytes: UnsafeRawBufferPointer(start: start, count: cached.count))
    }
    var key: RowKey?
    readColumn(ticket) { bytes in
      guard let bytes else { return true }
      key = RowKey(linkBytes: bytes)
      return key != nil
    }
    return key
  }
}
