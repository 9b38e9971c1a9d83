// What is to be stored in a property, independent of its Swift type: values, and objects that may have to be added first.

/// What a property is to contain.
public enum PropertyContent {
  case value(ElementContent)
  /// The elements of a list or set.
  case list([ElementContent])
  /// The entries of a map.
  case entries([(key: String, value: ElementContent)])
  /// The property has no column.
  case nothing
}

/// A value, or an element of a collection.
public enum ElementContent {
  case value(ColumnValue)
  /// A managed object, or one that is added.
  case object(ObjectBase)
  /// A new object with the contents of its columns; nil for those of a new object.
  case creation(ObjectBase, [PropertyContent?])
}

extension PropertyContent {
  static func column(_ value: ColumnValue) -> PropertyContent { .value(.value(value)) }

  /// Whether an object in it has to be added.
  var addsObjects: Bool {
    elements.contains { element in
      switch element {
      case .value: false
      case .object(let object): object.row == nil
      case .creation: true
      }
    }
  }

  var elements: [ElementContent] {
    switch self {
    case .value(let value): [value]
    case .list(let elements): elements
    case .entries(let entries): entries.map(\.value)
    case .nothing: []
    }
  }
}

/// The type of a property as a column.
public struct PropertyShape {
  let kind: ColumnKind
  let isOptional: Bool
  var collection: CollectionShape.Form?
  /// The class of the objects to which links lead.
  var target: ObjectBase.Type?

  init(_ kind: ColumnKind, isOptional: Bool = false, target: ObjectBase.Type? = nil) {
    self.kind = kind
    self.isOptional = isOptional
    self.target = target
  }

  /// The shape of a collection whose elements have this one.
  func collected(_ form: CollectionShape.Form) -> PropertyShape {
    var shape = self
    shape.collection = form
    return shape
  }
}

/// A property of a managed object.
public struct ManagedProperty {
  let row: ManagedRow
  /// The column of the class.
  let column: Int

  init(_ row: ManagedRow, _ column: Int) {
    self.row = row
    self.column = column
  }
}
