// Backlinks: the objects that link to an object.
import StorageEngine

/// A property without a column: the objects of a class that link to its owner by one of their properties.
public protocol BacklinkCollection: Persistable {
  init(originProperty: String)
}

/// Backlinks without the class of their objects.
protocol BacklinkSource {
  /// The class and the name of the property that links.
  var origin: (type: ObjectBase.Type, property: String) { get }
}

/// The objects whose property links to the owner; an object that links to it several times appears as often. A class has no
/// column for it: the entries by which deletion finds links are what it reads.
///
/// ```swift
/// class Dog: Object {
///   @Persisted(originProperty: "dogs") var owners: LinkingObjects<Person>
/// }
/// ```
public struct LinkingObjects<Element: ObjectBase>: RandomAccessCollection, BacklinkCollection {
  private let originProperty: String
  private var target: ManagedRow?
  /// nil for what a wrapper holds: each object has one.
  private let cache: Cache?

  /// The keys that were found at a stamp of the instance; shared by the copies of one collection.
  private typealias Cache = LockedValue<(stamp: Int, keys: [RowKey])>

  public init(originProperty: String) {
    self.originProperty = originProperty
    cache = nil
  }

  init(_ originProperty: String, of target: ManagedRow) {
    self.originProperty = originProperty
    self.target = target
    cache = Cache((-1, []))
  }

  // MARK: Finding

  private func keys() -> [RowKey] {
    guard let target, target.instance.check(), target.checkUsable() else { return [] }
    let instance = target.instance
    do throws(StorageError) {
      if instance.writing == nil { _ = try instance.snapshot() }
      let known = cache?.withLock { $0 }
      if let known, known.stamp == instance.stamp { return known.keys }
      let keys = try find(target)
      cache?.withLock { $0 = (instance.stamp, keys) }
      return keys
    } catch {
      Misuse.report(RealmError(error, file: instance.url))
      return []
    }
  }

  private func find(_ target: ManagedRow) throws(StorageError) -> [RowKey] {
    guard let origin = originRows() else { return [] }
    return Self.keys(
      of: try target.instance.rows(origin.backlinks, prefix: ElementKey.prefix(target.key)))
  }

  /// Returns the object whose backlinks these are; nil for an unmanaged one.
  var owner: ManagedRow? { target }

  /// Returns the class whose property links, and the backlinks of that property; nil if the file does not have the class,
  /// and after misuse.
  func originRows() -> (info: ClassInfo, backlinks: Table)? {
    guard let target, let info = target.instance.classInfo(for: Element.self) else { return nil }
    guard let column = info.schema.column(originProperty),
      let backlinks = info.file.columns[info.positions[column.index]].backlinks,
      column.target?.name == target.info.schema.name
    else {
      Misuse.report(
        .invalidValue,
        "\(info.schema.name) has no property '\(originProperty)' that links to objects of "
          + "\(target.info.schema.name).", file: target.instance.url)
      return nil
    }
    return (info, backlinks)
  }

  /// Returns the objects that link, by the backlinks of their target; one that links several times as often.
  static func keys(of rows: [(key: [UInt8], value: [UInt8])]) -> [RowKey] {
    var keys: [RowKey] = []
    for row in rows {
      guard let key = row.key.withUnsafeBytes({ RowKey(linkBytes: $0) }) else { continue }
      keys += Array(repeating: key, count: Backlink.count(row.value))
    }
    return keys
  }

  // MARK: Collection

  public var startIndex: Int { 0 }
  public var endIndex: Int { keys().count }

  public subscript(index: Int) -> Element {
    let keys = keys()
    precondition(
      keys.indices.contains(index),
      "Index \(index) is out of bounds (must be less than \(keys.count)).")
    return object(keys[index])
  }

  private func object(_ key: RowKey) -> Element {
    guard let instance = target?.instance, let info = instance.classInfo(for: Element.self) else {
      preconditionFailure("A backlink was found of a class that the realm does not have.")
    }
    return instance.object(Element.self, info, key)
  }

  /// Iterates over the objects that link when it begins, whatever is changed meanwhile.
  public func makeIterator() -> AnyIterator<Element> {
    var rest = keys()[...]
    return AnyIterator { rest.popFirst().map { object($0) } }
  }

  /// Whether the object was deleted, or its realm invalidated.
  public var isInvalidated: Bool { target.map { !$0.isUsable || !$0.exists } ?? false }
  public var isFrozen: Bool { target?.instance.isFrozen ?? false }

  // MARK: A property without a column

  public static var persistedShape: PropertyShape? { nil }
  public static var unsetPersisted: LinkingObjects { LinkingObjects(originProperty: "") }
  public var persistedColumnValue: ColumnValue { .null }
  public var persistedContent: PropertyContent { .nothing }

  public static func readPersisted(
    _ owner: ObjectBase, _ ticket: UInt32, _ own: @autoclosure () -> LinkingObjects
  ) -> LinkingObjects {
    guard let row = owner.row else { return own() }
    return LinkingObjects(own().originProperty, of: row)
  }

  public static func writePersisted(
    _ value: LinkingObjects, _ owner: ObjectBase, _ ticket: UInt32
  ) {
    Misuse.report(.invalidValue, "Backlinks follow from links: change the linking property.")
  }
}

extension LinkingObjects: BacklinkSource {
  var origin: (type: ObjectBase.Type, property: String) { (Element.self, originProperty) }
}
