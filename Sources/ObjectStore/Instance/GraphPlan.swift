// Adding an object with all objects that it links to. First every object gets its key, and everything is checked; then the
// rows are written. So an error changes nothing, links may form cycles, and no depth of a graph exhausts the stack.
import StorageEngine

/// The objects that one call adds.
struct GraphPlan {
  /// An object that has its key, and what its row is to contain by column; nil for what an existing row has.
  struct Item {
    let object: ObjectBase
    let row: ManagedRow
    var contents: [PropertyContent?]
    let exists: Bool
  }

  private let instance: OpenRealm
  private let policy: UpdatePolicy
  private let transaction: WriteTransaction
  private(set) var items: [Item] = []
  /// The next item whose links have not been followed.
  private var next = 0
  private var keys: [ObjectIdentifier: Set<RowKey>] = [:]

  init(_ instance: OpenRealm, _ policy: UpdatePolicy, _ transaction: WriteTransaction) {
    self.instance = instance
    self.policy = policy
    self.transaction = transaction
  }

  /// Plans an object and everything that it links to. `given` are the contents of its columns, nil for its own; without
  /// `given` all are its own, also over an existing row. After an error the planned objects are unmanaged again.
  mutating func add(_ object: ObjectBase, given: [PropertyContent?]? = nil) throws(RealmError) {
    do throws(RealmError) {
      try append(object, given)
      try followLinks()
    } catch {
      for item in items { item.object.unmanage() }
      throw error
    }
  }

  /// Plans the objects in the content of a property of a managed object.
  mutating func add(
    _ content: PropertyContent, to column: Column, of className: String
  ) throws(RealmError) {
    do throws(RealmError) {
      try check(content, column, className)
      for element in content.elements { try follow(element, column) }
      try followLinks()
    } catch {
      for item in items { item.object.unmanage() }
      throw error
    }
  }

  private mutating func followLinks() throws(RealmError) {
    while next < items.count {
      let item = items[next]
      next += 1
      let schema = item.row.info.schema
      for (column, content) in zip(schema.columns, item.contents) {
        guard let content else { continue }
        try check(content, column, schema.name)
        guard column.target != nil else { continue }
        for element in content.elements { try follow(element, column) }
      }
    }
  }

  private mutating func follow(_ element: ElementContent, _ column: Column) throws(RealmError) {
    let object: ObjectBase
    var given: [PropertyContent?]?
    switch element {
    case .value: return
    case .object(let linked): object = linked
    case .creation(let created, let contents):
      object = created
      given = contents
    }
    guard let row = object.row else {
      try append(object, given)
      return try instance.checkLinkable(object.row?.key ?? .int(0))
    }
    try instance.checkLink(to: row, column) { keys[row.info.type]?.contains(row.key) == true }
  }

  private mutating func append(
    _ object: ObjectBase, _ given: [PropertyContent?]?
  ) throws(RealmError) {
    guard let info = instance.classInfo(for: type(of: object)) else {
      throw RealmError(
        .classNotManaged, "\(ObjectClass.name(of: type(of: object))) is not a class of this realm.",
        file: instance.url)
    }
    let own = object.unmanagedContents(info.objectClass)
    var contents = given ?? own
    let key: RowKey
    var exists = false
    if let primary = info.primary {
      guard case .value(.value(let wanted)) = contents[primary] ?? own[primary] else {
        preconditionFailure("A primary key is a single value.")
      }
      key = try info.rowKey(wanted)
      exists = try instance.exists(info, key) || keys[info.type]?.contains(key) == true
      if exists, policy == .error { throw instance.duplicate(wanted, info) }
      contents[primary] = .column(wanted)
    } else {
      key = .int(
        try instance.mappingErrors { () throws(StorageError) in
          try instance.nextRowNumber(info, transaction)
        })
    }
    if !exists || policy == .all {
      for index in contents.indices where contents[index] == nil { contents[index] = own[index] }
    }
    if info.schema.hasLinks { try instance.checkLinkable(key) }
    keys[info.type, default: []].insert(key)
    object.manage(instance, info, key)
    items.append(
      Item(object: object, row: ManagedRow(instance, info, key), contents: contents, exists: exists)
    )
  }

  /// Checks the lengths of what becomes part of a key.
  private func check(
    _ content: PropertyContent, _ column: Column, _ className: String
  ) throws(RealmError) {
    switch (content, column.collection?.form) {
    case (.list(let elements), .set):
      for case .value(let value) in elements {
        try Self.check(value, column.name, className)
      }
    case (.entries(let entries), _):
      for entry in entries { try Self.check(.string(entry.key), column.name, className) }
    default: break
    }
  }

  static func check(_ member: ColumnValue, _ name: String, _ className: String) throws(RealmError) {
    let count: Int
    switch member {
    case .string(let text): count = text.utf8.count
    case .data(let data): count = data.count
    default: return
    }
    guard count <= ElementKey.maxMemberLength else {
      throw RealmError(
        .invalidValue,
        "An element of a set and a key of a map have at most \(ElementKey.maxMemberLength) bytes; this one of "
          + "\(className).\(name) has \(count).")
    }
  }
}
