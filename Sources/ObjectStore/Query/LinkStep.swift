// A step from an object to what one of its properties leads to: the object of a link, the elements of a collection, one
// entry of a map, or the objects that link to it.

/// A step that a condition takes before it is evaluated.
struct LinkStep: Sendable {
  enum Kind: Hashable, Sendable {
    /// The object of a to-one link.
    case link
    /// Each element of a list or set, or each value of a map.
    case elements
    /// The value that a map has for a string; null for none.
    case entry(String)
    /// Each string of a map.
    case keys
    /// Each object that links by the column.
    case backlinks
  }

  let kind: Kind
  /// The column of the class before the step; of the class behind it for backlinks.
  let column: Int
  /// The property, as `explain` shows it.
  let name: String
  /// The class of the objects; nil if the step leads to values, of which links are some too.
  let target: ObjectClass?

  init(_ kind: Kind, _ column: Column, _ target: ObjectClass?) {
    self.kind = kind
    self.column = column.index
    self.target = target
    name =
      switch kind {
      case .link, .elements: column.name
      case .entry(let key): "\(column.name)[\(key.debugDescription)]"
      case .keys: "\(column.name).keys"
      case .backlinks: "@links.\(target?.schema.name ?? "").\(column.name)"
      }
  }

  private init(_ other: LinkStep, target: ObjectClass?) {
    kind = other.kind
    column = other.column
    name = other.name
    self.target = target
  }

  /// The same step to the links themselves in place of their objects.
  var toValues: LinkStep { LinkStep(self, target: nil) }

  /// The column of the class before the step; -1 for backlinks, which are none.
  var ownColumn: Int { kind == .backlinks ? -1 : column }

  /// Whether the step may lead to several objects or values.
  var isToMany: Bool {
    switch kind {
    case .link, .entry: false
    case .elements, .keys, .backlinks: true
    }
  }

  /// Whether both are the same step from objects of one class.
  func isSame(as other: LinkStep) -> Bool {
    kind == other.kind && column == other.column && name == other.name && target === other.target
  }
}

/// A column, of the queried class or of one at the end of to-one links.
struct ColumnPath: Sendable {
  var links: [LinkStep] = []
  var column: Int
  /// The property with those of the links before it: `dog.name`.
  var name: String

  init(_ column: Column) {
    self.column = column.index
    name = column.name
  }

  /// Fails if the name is not that of a property at the end of to-one links.
  init?(_ name: String, of objectClass: ObjectClass) {
    var owner = objectClass
    var names = name.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard let last = names.popLast() else { return nil }
    for name in names {
      guard let column = owner.schema.column(name), column.collection == nil,
        let target = owner.target(column)
      else { return nil }
      links.append(LinkStep(.link, column, target))
      owner = target
    }
    guard let column = owner.schema.column(last) else { return nil }
    self.column = column.index
    self.name = name
  }

  func isSame(as other: ColumnPath) -> Bool { column == other.column && name == other.name }
}

extension BacklinkSource {
  /// The step to the objects that link; nil if their class has no such property.
  var step: LinkStep? {
    let objectClass = ObjectClass.of(origin.type)
    return objectClass.schema.column(origin.property).map { LinkStep(.backlinks, $0, objectClass) }
  }
}
