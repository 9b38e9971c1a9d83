// What a column has beyond its kind: the class that it links to, and the elements of a collection.

/// The elements of a collection.
struct CollectionShape: Hashable, Sendable {
  enum Form: UInt8, Sendable {
    case list = 1
    case set
    case map
  }

  var form: Form
  var elementKind: ColumnKind
  var elementIsOptional: Bool

  /// The kind of the column in a record.
  var columnKind: ColumnKind { form == .list ? .list : .members }
}

/// The class that a column's links lead to.
struct LinkTarget: Hashable, Sendable {
  var name: String
  /// Whether the objects belong to their owner and are deleted with the link.
  var isEmbedded: Bool
}
